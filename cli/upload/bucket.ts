import { createClient, RequestFailed, type Client } from '@platen/client/client';
import { tusEndpoints, tusMediaType, tusVersion, type UnfinishedUpload } from '@platen/contract/uploads';
import { allPages } from '../lists/all-pages.ts';
import type { Session } from '../session.ts';

// the answers are in headers, so whole responses are needed
const table = {
  create: { ...tusEndpoints.postProjectDataBucketTus, download: true },
  createWhole: {
    ...tusEndpoints.postProjectDataBucketTus,
    bodyKind: 'bytes',
    mediaType: tusMediaType,
    download: true,
  },
  head: { ...tusEndpoints.headProjectDataBucketTus, download: true },
  patch: { ...tusEndpoints.patchProjectDataBucketTus, download: true },
} as const;

interface BucketPath {
  readonly projectId: string;
  readonly dataBucketId: string;
}

interface NewUpload {
  readonly key: string;
  readonly length: number;
  readonly overwrite: boolean;
  /** The whole content, if it is small. */
  readonly content: Uint8Array<ArrayBuffer> | undefined;
}

/** The data bucket that receives the files, by the protocol tus. */
export class Bucket {
  readonly #session: Session;
  readonly #tus: Client<typeof table>;
  readonly path: BucketPath;

  constructor(session: Session, path: BucketPath) {
    this.#session = session;
    this.#tus = createClient(table, { baseUrl: session.url, token: session.token, send: session.send });
    this.path = path;
  }

  /** @returns the ID of the upload */
  async create({ key, length, overwrite, content }: NewUpload, signal: AbortSignal): Promise<string> {
    const metadata = `key ${base64(key)},overwrite ${base64(String(overwrite))}`;
    const headers = {
      'tus-resumable': tusVersion,
      'upload-length': String(length),
      'upload-metadata': metadata,
    };
    const request = { params: { ...this.path }, headers, signal };
    const response = await (content
      ? this.#tus.createWhole({ ...request, body: content })
      : this.#tus.create(request));
    return response.headers.get('location')!.split('/').at(-1)!;
  }

  /** @returns the number of bytes that the service has */
  async offset(uploadId: string, signal: AbortSignal): Promise<number> {
    const headers = { 'tus-resumable': tusVersion };
    return offsetOf(await this.#tus.head({ params: { ...this.path, uploadId }, headers, signal }));
  }

  /** @returns the number of bytes that the service has then */
  async append(
    uploadId: string,
    { offset, content }: { offset: number; content: Uint8Array<ArrayBuffer> },
    signal: AbortSignal,
  ): Promise<number> {
    const headers = { 'tus-resumable': tusVersion, 'upload-offset': String(offset) };
    const params = { ...this.path, uploadId };
    return offsetOf(await this.#tus.patch({ params, headers, body: content, signal }));
  }

  /** The own uploads that have not become files yet, newest first. */
  unfinished(): Promise<UnfinishedUpload[]> {
    const params = { ...this.path };
    return allPages((query) => this.#session.api.getProjectDataBucketUploads({ params, query }));
  }

  /** The file of this key; undefined if there is none, or the user may not read the bucket. */
  async find(key: string): Promise<{ size: number; sha256?: string } | undefined> {
    try {
      return await this.#session.api.getProjectDataBucketObject({ params: { ...this.path }, query: { key } });
    } catch (error) {
      if (error instanceof RequestFailed && [403, 404].includes(error.status)) return undefined;
      throw error;
    }
  }
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const offsetOf = ({ headers }: Response): number => Number(headers.get('upload-offset'));

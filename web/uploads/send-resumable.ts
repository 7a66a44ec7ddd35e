import { RequestFailed } from '@platen/client/client';
import type { DetailedError, HttpRequest, HttpResponse, PreviousUpload, Upload } from 'tus-js-client';
import { addressOf } from '../api/address.ts';
import { renewed } from '../api/session.ts';
import type { UploadItem } from './upload-item.ts';

const loadTus = () => import('tus-js-client');

/** The address that creates resumable uploads; the tus library continues from there. */
const endpointOf = ({ projectId, bucketId }: Place) =>
  addressOf('postProjectDataBucketTus', { params: { projectId, dataBucketId: bucketId } });

interface Place {
  readonly projectId: string;
  readonly bucketId: string;
}

interface UploadMonitor {
  readonly signal: AbortSignal;
  /** Called with the number of bytes uploaded. */
  readonly onProgress: (bytes: number) => void;
}

/**
 * Uploads a file by tus, resuming an earlier upload even from another browser session. When the signal aborts, the
 * received
 * part is kept for later.
 * @throws RequestFailed when the service refuses, TypeError when no answer arrived
 */
export async function sendResumable(item: UploadItem, { signal, onProgress }: UploadMonitor): Promise<void> {
  const tus = await loadTus();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const upload: Upload = new tus.Upload(item.file, {
    endpoint: endpointOf(item),
    metadata: {
      key: item.key,
      // its upload address identifies what has arrived, so it never overwrites its own result
      overwrite: String(item.overwrite),
      modified: String(item.file.lastModified),
    },
    fingerprint: async () => fingerprintOf(item),
    removeFingerprintOnSuccess: true,
    // the upload's address must be known before the first bytes, or it could not resume after an interruption
    uploadDataDuringCreation: false,
    retryDelays: null,
    onAfterResponse: requireKnown,
    onUploadUrlAvailable: () => upload.url !== null && (item.address = upload.url),
    onProgress,
    onSuccess: () => resolve(),
    onError: (error) => reject(failureOf(error)),
  });
  signal.addEventListener('abort', () => {
    void upload.abort();
    reject(signal.reason as Error);
  });
  const begun = item.address === undefined ? [] : await unfinishedUploads(item.bucketId);
  const previous = begun.find(({ uploadUrl }) => uploadUrl === item.address);
  if (previous) upload.resumeFromPreviousUpload(previous);
  if (signal.aborted) throw signal.reason;
  upload.start();
  try {
    await promise;
  } catch (failure) {
    const isSignedOut = failure instanceof RequestFailed && failure.status === 401;
    if (!isSignedOut || !(await renewed())) throw failure;
    await sendResumable(item, { signal, onProgress });
  }
}

/** Discards an upload's received part. */
export async function discardUpload({
  projectId,
  bucketId,
  uploadId,
}: Place & { uploadId: string }): Promise<void> {
  const tus = await loadTus();
  const params = { projectId, dataBucketId: bucketId, uploadId };
  const address = addressOf('deleteProjectDataBucketTus', { params });
  await tus.Upload.terminate(address, { retryDelays: null }).catch((error: Error) => {
    throw failureOf(error);
  });
  const known = await unfinishedUploads(bucketId);
  const { urlStorage } = tus.defaultOptions;
  for (const { uploadUrl, urlStorageKey } of known) {
    if (idOf(uploadUrl) === uploadId) await urlStorage.removeUpload(urlStorageKey);
  }
}

/** The unfinished uploads into a data bucket that were started in this browser. */
export async function unfinishedUploads(bucketId: string): Promise<PreviousUpload[]> {
  const tus = await loadTus();
  const all = await tus.defaultOptions.urlStorage.findAllUploads();
  return all.filter(({ urlStorageKey }) => urlStorageKey.includes(prefixOf(bucketId)));
}

/** Whether an upload was started with this file, whatever its destination. */
export const isUploadOf = ({ size, metadata }: PreviousUpload, file: File): boolean =>
  size === file.size && metadata['modified'] === String(file.lastModified);

/** The id that the service gave an upload, from its address. */
export const idOf = (address: string | null | undefined): string | undefined =>
  address?.split('?')[0]!.split('/').at(-1);

const prefixOf = (bucketId: string) => `platen:${bucketId}:`;
const fingerprintOf = ({ bucketId, key, file }: UploadItem) =>
  `${prefixOf(bucketId)}${key}:${file.size}:${file.lastModified}`;

/** Throws for failures other than a deleted upload: the library would otherwise start again from byte 0. */
function requireKnown(request: HttpRequest, response: HttpResponse): void {
  const status = response.getStatus();
  if (request.getMethod() !== 'HEAD' || status < 300 || [404, 410, 423].includes(status)) return;
  throw new RequestFailed(status, status === 403 ? { code: 'forbidden' } : {});
}

function failureOf(error: Error | DetailedError): Error {
  if ('causingError' in error && error.causingError instanceof RequestFailed) return error.causingError;
  const response = 'originalResponse' in error ? error.originalResponse : undefined;
  if (!response) return new TypeError(error.message, { cause: error });
  try {
    return new RequestFailed(response.getStatus(), JSON.parse(response.getBody()) as object);
  } catch {
    return new RequestFailed(response.getStatus(), {});
  }
}

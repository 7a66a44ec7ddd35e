import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import type { FileHeaders, Destination, Draft } from '../destinations/destination.ts';
import { TransientError } from '../transient-error.ts';
import { withRetry, type JobClient } from '../job-client.ts';
import type { FileUpload } from './compare.ts';

const pauseMs = 500;
/** File names hold this many characters of a digest. */
const versionInNames = 16;
const immutableCache = 'public, max-age=31536000, immutable';

export interface UploadFileOptions {
  readonly client: JobClient;
  readonly jobId: string;
  readonly destination: Destination;
  readonly signal: AbortSignal;
  /** Called with bytes read from the service; negative if the upload restarts. */
  readonly onBytes: (bytes: number) => void;
}

export interface UploadedDraft {
  readonly draft: Draft;
  /** In bytes, as stored at the destination. */
  readonly size: number;
}

/** Uploads one file and makes it visible. @returns its size at the destination in bytes */
export function uploadFile(sending: FileUpload, carrying: UploadFileOptions): Promise<number> {
  return retryOnce(carrying.signal, async () => {
    const { draft, size } = await draftOnce(sending, carrying);
    await draft.switch();
    return size;
  });
}

/** Uploads one file as a draft. */
export function uploadDraft(sending: FileUpload, carrying: UploadFileOptions): Promise<UploadedDraft> {
  return retryOnce(carrying.signal, () => draftOnce(sending, carrying));
}

/** Retries once after a broken connection, from the start. */
function retryOnce<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  let isFirst = true;
  return withRetry(signal, async () => {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      const isBroken = error instanceof TransientError && error.code === 'cannotReachDestination';
      if (!isFirst || !isBroken) throw error;
      isFirst = false;
      await sleep(pauseMs, undefined, { signal });
      return work();
    }
  });
}

async function draftOnce(
  { file, part }: FileUpload,
  { client, jobId, destination, signal, onBytes }: UploadFileOptions,
): Promise<UploadedDraft> {
  const response = await client.getRunnerJobBundleFile({
    params: { jobId },
    query: { path: file.path },
    headers: { 'accept-encoding': 'identity' },
    signal,
  });
  let came = 0;
  let size = 0;
  let broken: unknown;
  async function* source(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of response.body ?? []) {
        came += chunk.byteLength;
        onBytes(chunk.byteLength);
        yield chunk;
      }
      if (file.size !== undefined && came !== file.size)
        throw new TransientError(
          'cannotTransfer',
          `Only ${came} of ${file.size} bytes of “${file.path}” arrived.`,
        );
    } catch (error) {
      broken = error;
      throw error;
    }
  }
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of part.isGzipped ? gzipped(source()) : source()) {
      size += chunk.byteLength;
      yield chunk;
    }
  }
  try {
    const draft = await destination.draft(part.path, counted(), aboutOf({ file, part }));
    return { draft, size };
  } catch (error) {
    onBytes(-came);
    throw broken ?? error; // the error of the source, which the destination reports in its own way
  } finally {
    await response.body?.cancel().catch(() => {}); // the body has been read, or was never started
  }
}

function gzipped(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const plain = Readable.from(source, { objectMode: false });
  const packed = createGzip({ level: 9 });
  plain.on('error', (error) => packed.destroy(error));
  packed.on('close', () => plain.destroy());
  return plain.pipe(packed);
}

function aboutOf({ file, part }: FileUpload): FileHeaders {
  const { contentType, size } = file;
  return {
    contentType,
    cacheControl: namesVersion(file) ? immutableCache : 'no-cache',
    isGzipped: part.isGzipped,
    ...(size !== undefined && !part.isGzipped && { size }),
  };
}

/** Files with their version in the path never change. */
function namesVersion({ path, version }: FileUpload['file']): boolean {
  return version.length >= versionInNames && path.includes(version.slice(0, versionInNames));
}

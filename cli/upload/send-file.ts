import { open, stat, type FileHandle } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { RequestFailed } from '@platen/client/client';
import type { UnfinishedUpload } from '@platen/contract/uploads';
import { CommandFailure, exitCodes } from '../failures.ts';
import type { Bucket } from './bucket.ts';
import { hashFile } from './hash-file.ts';
import type { LocalFile } from './list-files.ts';

/**
 * The size of requests follows the connection, so that each takes about a second and progress is seen. They are in
 * memory, as blobs of files above 4 GiB have a wrong size in Node.
 */
const minChunkBytes = 1 << 20;
const maxChunkBytes = 16 << 20;
const chunkMs = 1000;
/** 1 MiB in this time is 70 kbit/s: whatever is slower has stopped. */
const requestTimeoutMs = 120_000;
const maxBackoffMs = 30_000;
/** Attempts without any progress, over about two minutes. */
const maxAttempts = 8;

interface Sending {
  readonly overwrite: boolean;
  /** Uploads that earlier runs of the command may have begun. */
  readonly unfinished: readonly UnfinishedUpload[];
  readonly signal: AbortSignal;
  /** Called with the number of bytes that the service has. */
  readonly onProgress: (bytes: number) => void;
  readonly onRetry: (reason: string) => void;
}

/**
 * Sends a file and continues an upload that was interrupted. What results from several runs is compared with the file.
 * @returns the number of bytes that the service had already
 */
export async function sendFile(bucket: Bucket, file: LocalFile, sending: Sending): Promise<number> {
  const previous = sending.unfinished.find((upload) => isUploadOf(upload, file, sending.overwrite));
  if (!previous) return send(bucket, file, sending, undefined);
  const had = await send(bucket, file, sending, previous._id);
  if (had === 0) return had;
  const [stored, sha256] = [await bucket.find(file.key), await hashFile(file.path, sending.signal)];
  if (stored === undefined || stored.sha256 === sha256) return had;
  return send(bucket, file, { ...sending, overwrite: true }, undefined);
}

/** A file that was changed after the upload had begun is sent from its start. */
function isUploadOf(
  upload: UnfinishedUpload,
  { key, size, modified }: LocalFile,
  overwrite: boolean,
): boolean {
  const { length, createdAt } = upload;
  const isSame = upload.key === key && length === size && upload.overwrite === overwrite;
  return isSame && Date.parse(createdAt) >= modified;
}

async function send(
  bucket: Bucket,
  file: LocalFile,
  sending: Sending,
  previousId: string | undefined,
): Promise<number> {
  await using handle = await openFile(file);
  return await sendChunks({ bucket, file, handle }, sending, previousId);
}

interface OpenFile {
  readonly bucket: Bucket;
  readonly file: LocalFile;
  readonly handle: FileHandle;
}

async function sendChunks(
  { bucket, file, handle }: OpenFile,
  { overwrite, signal, onProgress, onRetry }: Sending,
  previousId: string | undefined,
): Promise<number> {
  let uploadId = previousId;
  let offset: number | undefined;
  let had: number | undefined;
  let chunkBytes = minChunkBytes;
  const limited = () => AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMs)]);
  for (let attempt = 1; ; attempt++) {
    try {
      await requireUnchanged(file);
      if (uploadId === undefined) {
        const isSmall = file.size > 0 && file.size <= minChunkBytes;
        const content = isSmall ? await readChunk(handle, file, { offset: 0, length: file.size }) : undefined;
        const upload = { key: file.key, length: file.size, overwrite, content };
        uploadId = await bucket.create(upload, limited());
        offset = isSmall ? file.size : 0;
      }
      offset ??= await bucket.offset(uploadId, limited());
      had ??= offset;
      for (; offset < file.size; attempt = 1) {
        onProgress(offset);
        const start = performance.now();
        const length = Math.min(chunkBytes, file.size - offset);
        const content = await readChunk(handle, file, { offset, length });
        offset = await bucket.append(uploadId, { offset, content }, limited());
        const scale = chunkMs / (performance.now() - start);
        chunkBytes = clamp(chunkBytes * clamp(scale, 0.5, 2));
      }
      await requireUnchanged(file);
      onProgress(offset);
      return previousId === undefined ? 0 : had;
    } catch (error) {
      await requireUnchanged(file);
      const isGone = error instanceof RequestFailed && error.status === 404 && uploadId !== undefined;
      const isLast = attempt >= maxAttempts || signal.aborted;
      if (isLast || !(isGone || isTransient(error) || isOffsetConflict(error, offset))) throw error;
      if (isGone) uploadId = undefined;
      offset = undefined; // the service says how much of the last request arrived
      chunkBytes = minChunkBytes;
      onRetry((error as Error).message);
      await sleep(Math.min(maxBackoffMs, 500 * 2 ** attempt), undefined, { signal });
    }
  }
}

async function openFile({ path }: LocalFile): Promise<FileHandle> {
  try {
    return await open(path);
  } catch (error) {
    throw new CommandFailure('failed', `${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

async function readChunk(
  handle: FileHandle,
  file: LocalFile,
  { offset, length }: { offset: number; length: number },
): Promise<Uint8Array<ArrayBuffer>> {
  const chunk = new Uint8Array(length);
  for (let filled = 0; filled < length;) {
    const { bytesRead } = await handle.read(chunk, filled, length - filled, offset + filled);
    if (bytesRead === 0) throw changed(file);
    filled += bytesRead;
  }
  return chunk;
}

const clamp = (value: number, min = minChunkBytes, max = maxChunkBytes): number =>
  Math.round(Math.min(max, Math.max(min, value)));

/** Whether the failure is one of the connection or the service at this time, and not of the file. */
function isTransient(error: unknown): boolean {
  if (error instanceof RequestFailed)
    return [423, 429].includes(error.status) || (error.status >= 500 && error.status !== 507);
  return error instanceof CommandFailure && error.exitCode === exitCodes.unreachable;
}

/** A conflict while bytes are sent is about their position, or a file of this key has been created meanwhile. */
const isOffsetConflict = (error: unknown, offset: number | undefined): boolean =>
  error instanceof RequestFailed && error.status === 409 && offset !== undefined;

async function requireUnchanged(file: LocalFile): Promise<void> {
  const now = await stat(file.path).catch(() => undefined);
  if (now?.size !== file.size || now.mtimeMs !== file.modified) throw changed(file);
}

const changed = ({ path }: LocalFile): CommandFailure =>
  new CommandFailure('failed', `${path} was changed while it was being uploaded.`);

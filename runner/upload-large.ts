import type { BigIntStats, ReadStream } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { forEachParallel } from './for-each-parallel.ts';
import { type JobClient, withRetry } from './job-client.ts';
import type { ListedFile } from './list-files.ts';
import { openJobFile } from './open-job-file.ts';
import type { Uploading } from './upload.ts';

const maxConcurrent = 4;
const reportEveryMs = 250;
/** Smaller files begin again after an interruption, which takes less than to keep track of what has arrived. */
const minResumableBytes = 16 * 2 ** 20;

interface Part {
  /** Where it begins in the file. */
  readonly offset: number;
  readonly stream: ReadStream;
}

interface Sending {
  readonly client: JobClient;
  readonly jobId: string;
  readonly path: string;
  readonly file: ListedFile;
  readonly signal: AbortSignal;
  /** What is being sent, of all files. */
  readonly running: Set<Part>;
}

/** Sends each file in a request of its own. After an interruption, very large ones continue where they were. */
export async function uploadLarge(
  files: readonly ListedFile[],
  { client, jobId, folder, signal, report, before }: Uploading & { readonly before: number },
): Promise<void> {
  const running = new Set<Part>();
  let done = before;
  const timer = setInterval(() => {
    report(running.values().reduce((sum, { offset, stream }) => sum + offset + stream.bytesRead, done));
  }, reportEveryMs);
  const send = async (file: ListedFile, either: AbortSignal): Promise<void> => {
    const sendFile = file.size < minResumableBytes ? sendWhole : sendResumably;
    await sendFile({ client, jobId, path: `${folder}/${file.key}`, file, signal: either, running });
    done += file.size;
  };
  await forEachParallel(files, { atOnce: maxConcurrent, signal }, send).finally(() => clearInterval(timer));
}

async function sendWhole(sending: Sending): Promise<void> {
  const { client, jobId, file, signal } = sending;
  const query = { key: file.key };
  await withRetry(signal, () =>
    sendFrom(sending, 0, (body) => client.putRunnerJobOutput({ params: { jobId }, query, body, signal })),
  );
}

async function sendResumably(sending: Sending): Promise<void> {
  const { client, jobId, path, file, signal } = sending;
  const { key, size } = file;
  const params = { jobId };
  let version: string | undefined;
  let offset = 0;
  let hasAdvanced = false;
  const sendRest = async (): Promise<void> => {
    const former = version;
    version = versionOf(await lstat(path, { bigint: true }));
    const arrived =
      former === version
        ? (await client.getRunnerJobOutputPart({ params, query: { key }, signal })).offset
        : 0;
    hasAdvanced = arrived > offset;
    offset = arrived;
    if (offset === size) return;
    const query = { key, size, offset };
    const reply = await sendFrom(sending, offset, (body) =>
      client.putRunnerJobOutputPart({ params, query, body, signal }),
    );
    if (reply.offset !== size) throw new Error(`The file “${key}” became shorter while it was sent.`);
  };
  await withRetry(signal, sendRest, () => hasAdvanced);
}

/** Identifies the content of a file: where it changes, what has arrived is of no use. */
const versionOf = ({ ino, size, mtimeNs }: BigIntStats) => `${ino} ${size} ${mtimeNs}`;

/** Opens the file at an offset in bytes, and closes it once the request ends. */
async function sendFrom<T>(
  { path, file, running }: Sending,
  offset: number,
  request: (body: ReadableStream) => Promise<T>,
): Promise<T> {
  const handle = await openJobFile(path);
  const stream = handle.createReadStream({ start: offset, end: file.size - 1 });
  const part = { offset, stream };
  running.add(part);
  return request(Readable.toWeb(stream) as ReadableStream).finally(() => {
    running.delete(part);
    stream.destroy();
  });
}

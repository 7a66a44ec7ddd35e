import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { scratchFile } from '@platen/contract/job-files';
import { writeTar, type TarPart } from '@platen/formats/tar/write-tar';
import { isLeaseLost, withRetry, type JobClient } from '../job-client.ts';
import { openJobFile } from '../open-job-file.ts';
import type { Report } from '../report.ts';
import { type ListedFile, listFiles } from '../list-files.ts';

/** Before compression. */
const maxBytes = 256 * 1024 * 1024;
const maxFiles = 100_000;
const maxListed = 10_000;
const chunkBytes = 1 << 18;

interface SendOptions {
  readonly client: JobClient;
  readonly jobId: string;
  readonly report: Report;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/**
 * Uploads the scratch folder of a job whose process has ended. If the service refuses it, for example for lack of
 * space, the log says so and the job ends as usual.
 */
export async function sendScratch(
  folder: string,
  { client, jobId, report, timeoutMs, ...sending }: SendOptions,
): Promise<void> {
  const signal = AbortSignal.any([sending.signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const chosen = await selectFiles(folder);
    await withRetry(signal, () => {
      const packed = Readable.from(writeTar(partsOf(folder, chosen)), { objectMode: false });
      const zipped = createGzip({ level: 1 });
      packed.on('error', (error) => zipped.destroy(error));
      zipped.on('close', () => packed.destroy());
      const body = Readable.toWeb(packed.pipe(zipped)) as ReadableStream;
      return client.putRunnerJobFile({ params: { jobId }, query: { name: scratchFile }, body, signal });
    });
  } catch (error) {
    if (sending.signal.aborted || isLeaseLost(error)) return; // the next request reports it
    const message = `The scratch folder could not be stored: ${(error as Error).message}`;
    report.log({ at: new Date().toISOString(), level: 'warning', message: message.slice(0, 1000) });
  }
}

interface Selection {
  readonly taken: readonly ListedFile[];
  readonly leftOut: readonly ListedFile[];
}

/** Selects small files first, to include as many as possible. Skips links. */
async function selectFiles(folder: string): Promise<Selection> {
  const files = await listFiles(folder);
  const bySize = files.toSorted((a, b) => a.size - b.size || (a.key < b.key ? -1 : 1));
  let bytes = 0;
  const end = bySize.findIndex(({ size }, index) => (bytes += size) > maxBytes || index >= maxFiles);
  return end < 0
    ? { taken: bySize, leftOut: [] }
    : { taken: bySize.slice(0, end), leftOut: bySize.slice(end) };
}

async function* partsOf(folder: string, { taken, leftOut }: Selection): AsyncGenerator<TarPart> {
  if (leftOut.length > 0) yield listOf(leftOut);
  for (const { key, size, updatedAtMs } of taken)
    yield {
      path: `scratch/${key}`,
      size,
      updatedAt: new Date(updatedAtMs),
      bytes: read(join(folder, key), size),
    };
}

function listOf(leftOut: readonly ListedFile[]): TarPart {
  const files = leftOut
    .toReversed()
    .slice(0, maxListed)
    .map(({ key, size }) => ({ name: key, size }));
  const why = `Only ${maxBytes} bytes and ${maxFiles} files are kept; the largest were left out.`;
  const bytes = Buffer.from(`${JSON.stringify({ why, count: leftOut.length, files }, null, 2)}\n`);
  return { path: 'left-out.json', size: bytes.length, updatedAt: new Date(), bytes: [bytes] };
}

async function* read(path: string, size: number): AsyncGenerator<Uint8Array> {
  const file = await openJobFile(path);
  try {
    for (let at = 0; at < size;) {
      const piece = Buffer.allocUnsafe(Math.min(chunkBytes, size - at));
      const { bytesRead } = await file.read(piece, 0, piece.length, at);
      if (bytesRead === 0) return; // the file has shrunk; the tar writer notices
      yield piece.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
}

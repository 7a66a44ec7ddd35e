import { constants } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { scratchFile } from '@platen/contract/job-files';
import { tarOfParts, type TarPart } from '@platen/formats/archive/tar';
import { filesBelow } from '../files-below.ts';
import { isLost, persistently, type JobClient } from '../job-client.ts';
import type { Report } from '../report.ts';

/** Before it is packed. */
const mostBytes = 256 * 1024 * 1024;
const mostFiles = 100_000;
const mostNamed = 10_000;
const pieceBytes = 1 << 18;

interface Sending {
  readonly client: JobClient;
  readonly jobId: string;
  readonly report: Report;
  readonly signal: AbortSignal;
  readonly longestMs: number;
}

/**
 * Keeps what lies in the scratch folder of a process that has ended with its job. Where that is refused, as for want of
 * space, the log says so, and the job ends as it would have without.
 */
export async function sendScratch(
  folder: string,
  { client, jobId, report, longestMs, ...sending }: Sending,
): Promise<void> {
  const signal = AbortSignal.any([sending.signal, AbortSignal.timeout(longestMs)]);
  try {
    const chosen = await choose(folder);
    await persistently(signal, () => {
      const packed = Readable.from(tarOfParts(partsOf(folder, chosen)), { objectMode: false });
      const zipped = createGzip({ level: 1 });
      packed.on('error', (error) => zipped.destroy(error));
      zipped.on('close', () => packed.destroy());
      const body = Readable.toWeb(packed.pipe(zipped)) as ReadableStream;
      return client.putRunnerJobFile({ params: { jobId }, query: { name: scratchFile }, body, signal });
    });
  } catch (error) {
    if (sending.signal.aborted || isLost(error)) return; // which shows in what comes next
    const message = `The scratch folder could not be kept: ${(error as Error).message}`;
    report.log({ at: new Date().toISOString(), level: 'warning', message: message.slice(0, 1000) });
  }
}

interface Found {
  /** Below the folder, with `/`. */
  readonly name: string;
  readonly size: number;
  readonly updatedAt: Date;
}

interface Chosen {
  readonly taken: readonly Found[];
  readonly leftOut: readonly Found[];
}

/** The small files first, as there are more of them to learn from. Links are passed over. */
async function choose(folder: string): Promise<Chosen> {
  const found: Found[] = [];
  for await (const path of filesBelow(folder)) {
    const { size, mtime: updatedAt } = await lstat(path);
    found.push({ name: relative(folder, path).split(sep).join('/'), size, updatedAt });
  }
  const bySize = found.toSorted((a, b) => a.size - b.size || (a.name < b.name ? -1 : 1));
  let bytes = 0;
  const end = bySize.findIndex(({ size }, index) => (bytes += size) > mostBytes || index >= mostFiles);
  return end < 0
    ? { taken: bySize, leftOut: [] }
    : { taken: bySize.slice(0, end), leftOut: bySize.slice(end) };
}

async function* partsOf(folder: string, { taken, leftOut }: Chosen): AsyncGenerator<TarPart> {
  if (leftOut.length > 0) yield listOf(leftOut);
  for (const { name, size, updatedAt } of taken)
    yield { path: `scratch/${name}`, size, updatedAt, bytes: read(join(folder, name), size) };
}

function listOf(leftOut: readonly Found[]): TarPart {
  const files = leftOut
    .toReversed()
    .slice(0, mostNamed)
    .map(({ name, size }) => ({ name, size }));
  const why = `Only ${mostBytes} bytes and ${mostFiles} files are kept; the largest were left out.`;
  const bytes = Buffer.from(`${JSON.stringify({ why, count: leftOut.length, files }, null, 2)}\n`);
  return { path: 'left-out.json', size: bytes.length, updatedAt: new Date(), bytes: [bytes] };
}

/** The process of the job may have put anything there: no link leads out of the folder. */
async function* read(path: string, size: number): AsyncGenerator<Uint8Array> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    for (let at = 0; at < size;) {
      const piece = Buffer.allocUnsafe(Math.min(pieceBytes, size - at));
      const { bytesRead } = await file.read(piece, 0, piece.length, at);
      if (bytesRead === 0) return; // shorter than it was: whoever packs it notices
      yield piece.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
}

import { BytesError, type Bytes } from '../bytes/bytes.ts';
import { readExactly } from '../bytes/read-exactly.ts';
import { decodeChunk } from './decode/decode-chunk.ts';
import type { Chunk } from './laz-chunks.ts';
import type { LasHeader } from './read-header.ts';

export interface SampleOptions {
  readonly isOver: () => boolean;
  /** Gets records one behind the other. */
  readonly take: (records: Uint8Array) => void;
}

const maxPoints = 400_000;
const runs = 64;
/** Points may have thousands of extra bytes. */
const maxRunBytes = 1 << 20;
const maxChunkBytes = 16 << 20;

/** Points in runs from all over an uncompressed file. @throws BytesError where it ends before */
export async function samplePlain(
  bytes: Bytes,
  { pointOffset, pointCount, recordLength }: LasHeader,
  { isOver, take }: SampleOptions,
): Promise<void> {
  const maxSample = Math.min(maxPoints, Math.ceil((runs * maxRunBytes) / recordLength));
  const perRun = Math.floor(maxSample / runs);
  const isWhole = pointCount <= maxSample;
  for (let run = 0; run < runs && !isOver(); run++) {
    const first = Math.floor((pointCount * run) / runs);
    const next = Math.floor((pointCount * (run + 1)) / runs);
    const count = isWhole ? next - first : Math.min(perRun, next - first);
    if (count === 0) continue;
    take(await readExactly(bytes, pointOffset + first * recordLength, count * recordLength));
  }
}

/**
 * The first points of some chunks.
 * @param chunks the most telling ones first
 * @throws BytesError at the first chunk that is damaged; those before have been taken
 */
export async function sampleChunks(
  bytes: Bytes,
  header: LasHeader,
  chunks: readonly Chunk[],
  { isOver, take }: SampleOptions,
): Promise<void> {
  const perChunk = Math.max(1000, Math.floor(maxPoints / Math.max(1, chunks.length)));
  let left = maxPoints;
  for (const { offset, length, points, isVersion4 } of chunks) {
    if (left <= 0 || isOver()) return;
    if (length > maxChunkBytes) throw new BytesError('one of its point chunks is too long');
    const count = Math.min(points, perChunk, left);
    const packed = await readExactly(bytes, offset, length);
    take(decodeChunk(packed, { ...header, isVersion4 }, count));
    left -= count;
  }
}

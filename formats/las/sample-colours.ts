import type { Bytes } from '../bytes/bytes.ts';
import type { Chunk } from './laz-chunks.ts';
import { readLasPart } from './open-las.ts';
import type { LasHeader } from './read-header.ts';

const samplePoints = 5000;

/** The largest colour channel of the first points. @throws BytesError where it is damaged */
export async function sampleColours(
  bytes: Bytes,
  header: LasHeader,
  [part]: readonly Chunk[],
): Promise<number | undefined> {
  if (part === undefined) return undefined;
  const points = Math.min(part.points, samplePoints);
  const length = header.isCompressed ? part.length : points * header.recordLength;
  const { colours } = await readLasPart(bytes, header, { ...part, length, points });
  return colours?.reduce((max, value) => Math.max(max, value), 0);
}

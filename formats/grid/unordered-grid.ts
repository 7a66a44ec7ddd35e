import { BytesError, type Bytes } from '../bytes/bytes.ts';
import type { TextLayout } from '../points/text/text-layout.ts';
import { sampleLines } from '../points/text/text-windows.ts';
import { readNumbers } from '../text/read-numbers.ts';
import { beginsWithPlace, hasHeightsAlone } from './looks-like-grid.ts';
import { gridOfPoints, placeInGrid, type PointGrid } from './xyz-grid.ts';

/** A megabyte is read, from all over the text. */
const windowBytes = 1 << 16;
/** Fewer points lie on some grid by chance. */
const minPoints = 64;
/** Places of a grid for each point: coordinates of scans are rounded, too, and thus on a grid that is almost empty. */
const maxPlaces = 8;
/** Points of a scan that is rounded coarsely fall on each other; of a grid, those do at which two files were joined. */
const maxTwiceShare = 0.001;

/**
 * The grid that the points of a text lie on, in any order, by lines from all over it; undefined where they lie on none, as those
 * of scans do.
 */
export async function findUnorderedGrid(bytes: Bytes, layout: TextLayout): Promise<PointGrid | undefined> {
  if (!hasHeightsAlone(layout) || !beginsWithPlace(layout)) return undefined;
  const sample = await sampleLines(bytes, layout, windowBytes);
  const parts: Float64Array[] = [];
  for await (const points of readNumbers(sample.bytes, layout.start, { perLine: 3 })) parts.push(points);
  const count = parts.reduce((sum, part) => sum + part.length / 3, 0);
  if (count < minPoints) return undefined;
  const grid = await gridOrNone(parts, !sample.isWhole);
  const all = (count * bytes.size) / sample.bytes.size;
  if (!grid || grid.columns * grid.rows > all * maxPlaces) return undefined;
  const seen = new Set<number>();
  for (const part of parts)
    for (let i = 0; i < part.length; i += 3) seen.add(placeInGrid(grid, part[i]!, part[i + 1]!));
  return count - seen.size > count * maxTwiceShare ? undefined : grid;
}

async function gridOrNone(parts: readonly Float64Array[], isSample: boolean): Promise<PointGrid | undefined> {
  try {
    return await gridOfPoints(parts, { isSample });
  } catch (error) {
    if (error instanceof BytesError) return undefined;
    throw error;
  }
}

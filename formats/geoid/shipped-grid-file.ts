import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BytesError } from '../bytes/bytes.ts';
import { boxOfGrid, type GeoidGrid } from './geoid-grid.ts';
import { readPackedGrid } from './read-packed-grid.ts';
import type { ShippedGrid } from './shipped-grids.ts';

/** A job may read the folder, as it may all code of this room. */
const folder = join(import.meta.dirname, 'grids');
/** Degrees: what a grid may differ from the area that it should have. */
const slack = 0.01;

const opened = new Map<string, Promise<GeoidGrid>>();

/** Reads a grid when it is first asked for (20 ms, EGM96 50 ms), and keeps it: 0.5 to 4 MB of memory. */
export function openShippedGrid(grid: ShippedGrid): Promise<GeoidGrid> {
  const known = opened.get(grid.file);
  if (known !== undefined) return known;
  const reading = readFile(join(folder, grid.file)).then((bytes) => readShippedGrid(grid, bytes));
  opened.set(grid.file, reading);
  reading.catch(() => opened.delete(grid.file));
  return reading;
}

/** @throws BytesError when it is damaged, or another grid than its name says */
export function readShippedGrid({ file, area }: ShippedGrid, bytes: Uint8Array): GeoidGrid {
  try {
    const grid = readPackedGrid(bytes);
    if (boxOfGrid(grid).every((value, i) => Math.abs(value - area[i]!) <= slack)) return grid;
    throw new BytesError(`it covers ${boxOfGrid(grid).join(', ')} instead of ${area.join(', ')}`);
  } catch (error) {
    if (!(error instanceof BytesError)) throw error;
    throw new BytesError(
      `The geoid grid ${file} of Platen cannot be read: ${error.message}. Install it again.`,
      {
        cause: error,
      },
    );
  }
}

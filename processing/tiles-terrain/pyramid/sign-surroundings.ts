import { createHash } from 'node:crypto';
import { blockCounts, type BlockPlace, type HeightGrid } from '@platen/geo/terrain/height-grid';
import type { Signature } from '../../raster-source/sign-units.ts';
import type { FinalCells } from './final-cells.ts';

/** Identifies the cells that holes of a unit, and of the blocks around its highest one, may be filled from. */
export function signSurroundings(cells: FinalCells, { z, x, y }: BlockPlace, grid: HeightGrid): Signature {
  const [columns, rows] = blockCounts(grid, z);
  const hash = createHash('sha256');
  for (let row = Math.max(0, y - 1); row <= Math.min(rows - 1, y + 1); row++) {
    for (let column = x - 1; column <= x + 1; column++) {
      const { heights, states } = cells.above({ z, x: (column + columns) % columns, y: row });
      hash.update(states).update(new Uint8Array(heights.buffer, heights.byteOffset, heights.byteLength));
    }
  }
  return hash.digest('base64').slice(0, 24);
}

import { shareOf } from '../texture/find-charts.ts';
import type { CellGrid, CellLoad } from '../tree/plan-cells.ts';
import type { ReadPart } from './divide-mesh.ts';
import { areaOf } from './piece.ts';

/** Cells across a model: more would make the list of them long, fewer the tiles uneven. */
const cellsAcross = 256;

/** Counts triangles and pixels of textures in the cells of a grid, whose side is a power of two of units. */
export function createCellCounter(parts: readonly ReadPart[]) {
  const side = sideFor(parts);
  const cells = new Map<number, { x: number; y: number; triangles: number; texels: number }>();
  return {
    /** @param image the size of the image of the part, in pixels */
    add(
      { positions, uvs, indices }: ReadPart,
      image: { readonly width: number; readonly height: number } | undefined,
      metresPerTexel: number,
    ): void {
      const pixels = image === undefined || uvs === undefined ? 0 : image.width * image.height;
      for (let i = 0; i < indices.length; i += 3) {
        const [a, b, c] = [indices[i]!, indices[i + 1]!, indices[i + 2]!];
        const middle = (axis: number): number =>
          (positions[a * 3 + axis]! + positions[b * 3 + axis]! + positions[c * 3 + axis]!) / 3;
        const [x, y] = [Math.floor(middle(0) / side), Math.floor(middle(1) / side)];
        const key = x * 2 ** 26 + y;
        let cell = cells.get(key);
        if (cell === undefined) cells.set(key, (cell = { x, y, triangles: 0, texels: 0 }));
        cell.triangles++;
        if (pixels === 0) continue;
        const finest = areaOf(positions, a, b, c) / metresPerTexel ** 2;
        cell.texels += Math.min(shareOf(uvs!, a, b, c) * pixels, finest);
      }
    },
    grid: (): CellGrid => ({ side, cells: [...cells.values()] satisfies CellLoad[] }),
  };
}

function sideFor(parts: readonly ReadPart[]): number {
  const [min, max] = [
    [Infinity, Infinity],
    [-Infinity, -Infinity],
  ];
  for (const { positions, indices } of parts)
    for (const vertex of indices)
      for (const axis of [0, 1]) {
        min[axis] = Math.min(min[axis]!, positions[vertex * 3 + axis]!);
        max[axis] = Math.max(max[axis]!, positions[vertex * 3 + axis]!);
      }
  const wide = Math.max(1, max[0]! - min[0]!, max[1]! - min[1]!);
  // even, so that the middle of a cell is a whole number
  return Number.isFinite(wide) ? Math.max(2, 2 ** Math.ceil(Math.log2(wide / cellsAcross))) : 2;
}

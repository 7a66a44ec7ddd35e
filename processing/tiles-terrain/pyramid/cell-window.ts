import { blockCounts, type BlockPlace, type HeightGrid } from '@platen/geo/terrain/height-grid';

/** Copies the cells of a block, and `margin` more on every side, out of the blocks around it. */
export interface WindowOptions<Cells extends Float32Array | Uint8Array> {
  readonly grid: HeightGrid;
  /** At most as many cells as a block has on a side. */
  readonly margin: number;
  readonly blockAt: (place: BlockPlace) => Cells | undefined;
  /** The value where there is no block, and its array. */
  readonly target: Cells;
  readonly empty: number;
}

/** Columns go around the Earth; beyond the poles the last row is repeated. */
export function copyWindow<Cells extends Float32Array | Uint8Array>(
  { z, x, y }: BlockPlace,
  { grid, margin, blockAt, target, empty }: WindowOptions<Cells>,
): Cells {
  const { side } = grid;
  const width = side + 2 * margin;
  const lastRow = blockCounts(grid, z)[1] * side - 1;
  const spans = [-1, 0, 1].flatMap((across) => {
    const from = Math.max(-margin, across * side);
    const to = Math.min(side + margin, (across + 1) * side);
    return from < to ? [{ across, from, to }] : [];
  });
  let rowOfBlocks: number | undefined;
  let blocks: (Cells | undefined)[] = [];
  for (let line = 0; line < width; line++) {
    const row = Math.min(lastRow, Math.max(0, y * side + line - margin));
    const blockY = Math.floor(row / side);
    if (blockY !== rowOfBlocks) blocks = spans.map(({ across }) => blockAt({ z, x: x + across, y: blockY }));
    rowOfBlocks = blockY;
    for (let i = 0; i < spans.length; i++) {
      const { across, from, to } = spans[i]!;
      const cells = blocks[i];
      const start = line * width + from + margin;
      if (cells === undefined) target.fill(empty, start, start + to - from);
      else
        copyRun(target, start, {
          cells,
          first: (row - blockY * side - across) * side + from,
          count: to - from,
        });
    }
  }
  return target;
}

interface CellRun {
  readonly cells: Float32Array | Uint8Array;
  readonly first: number;
  readonly count: number;
}

/** One by one: views of so few cells take longer to make. */
function copyRun(target: Float32Array | Uint8Array, at: number, { cells, first, count }: CellRun): void {
  for (let i = 0; i < count; i++) target[at + i] = cells[first + i]!;
}

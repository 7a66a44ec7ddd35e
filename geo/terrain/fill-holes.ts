/** What a cell is: a measured height, one that was filled in, or none, as it is outside of the data. */
export const cellState = { outside: 0, measured: 1, filled: 2 } as const;

/** A block whose holes have heights. */
export interface FilledBlock {
  /** NaN outside. */
  readonly heights: Float32Array;
  readonly states: Uint8Array;
}

export interface HoleSurroundings {
  readonly side: number;
  /** The cells of the block, and `margin` more on every side. */
  readonly cells: Float32Array;
  readonly margin: number;
  /** The zoom above: half as many cells, and one more on every side. */
  readonly above: FilledBlock;
}

/**
 * Creates what fills cells that have data on all four sides within the margin, by the distances to them, and the rest of
 * wider holes, which the zoom above has filled, from there. So what is outside stays empty, and bays stay open.
 */
export function createHoleFiller(): (surroundings: HoleSurroundings) => FilledBlock {
  /** Fresh memory takes as long as the work. */
  let memory = new Uint16Array(0);
  return ({ side, cells, margin, above }) => {
    const width = side + 2 * margin;
    const heights = new Float32Array(side * side);
    const states = new Uint8Array(side * side);
    const steps = margin === 0 ? [] : [-1, 1, -width, width];
    const count = cells.length;
    if (memory.length < steps.length * count) memory = new Uint16Array(steps.length * count);
    const sides = steps.map((step, i) => {
      const distances = memory.subarray(i * count, (i + 1) * count);
      measureDistances(cells, distances, { width, margin, step });
      return { step, distances };
    });
    for (let row = 0; row < side; row++) fillRow(row, { side, cells, margin, above, sides, heights, states });
    return { heights, states };
  };
}

/** How far from cells the next one with a value is in a direction. */
interface SideDistances {
  /** From a cell to the next one in the direction: 1, -1, or as many as the window is wide. */
  readonly step: number;
  /** Only those of cells without a value count; 0: further than the margin. */
  readonly distances: Uint16Array;
}

interface RowOfBlock extends HoleSurroundings, FilledBlock {
  readonly sides: readonly SideDistances[];
}

function fillRow(row: number, { side, cells, margin, above, sides, heights, states }: RowOfBlock): void {
  const start = (row + margin) * (side + 2 * margin) + margin;
  for (let column = 0, at = row * side; column < side; column++, at++) {
    const own = cells[start + column]!;
    if (own === own) {
      heights[at] = own;
      states[at] = cellState.measured;
      continue;
    }
    let height = margin === 0 ? NaN : fromFourSides(cells, sides, start + column);
    if (height !== height && touchesFilled(above, { row, column, side }))
      height = fromAbove(above, { row, column, side });
    heights[at] = height;
    states[at] = height === height ? cellState.filled : cellState.outside;
  }
}

interface Direction {
  readonly width: number;
  readonly margin: number;
  readonly step: number;
}

function measureDistances(
  cells: Float32Array,
  distances: Uint16Array,
  { width, margin, step }: Direction,
): void {
  distances.fill(0);
  const isAcross = Math.abs(step) === 1;
  const isBackward = step < 0;
  const [fromLine, fromCell] = isAcross ? [width, 1] : [1, width];
  // lines along the direction through the block, from the edge that it leads to, whose own cells have none
  for (let line = margin; line < width - margin; line++) {
    const start = line * fromLine + (isBackward ? fromCell : (width - 2) * fromCell);
    measureLine(cells, distances, { start, width, margin, step });
  }
}

function measureLine(
  cells: Float32Array,
  distances: Uint16Array,
  { start, width, margin, step }: Direction & { readonly start: number },
): void {
  const ahead = cells[start + step]!;
  let distance = ahead === ahead ? 1 : 0;
  for (let n = 1, at = start; n < width; n++, at -= step) {
    const cell = cells[at]!;
    if (cell === cell) {
      distance = 1;
      continue;
    }
    distances[at] = distance;
    if (distance > 0) distance = distance < margin ? distance + 1 : 0;
  }
}

function fromFourSides(cells: Float32Array, sides: readonly SideDistances[], center: number): number {
  let [sum, weights] = [0, 0];
  for (const { step, distances } of sides) {
    const distance = distances[center]!;
    if (distance === 0) return NaN;
    sum += cells[center + distance * step]! / distance;
    weights += 1 / distance;
  }
  return sum / weights;
}

interface CellAt {
  readonly row: number;
  readonly column: number;
  /** Cells on a side of the block. */
  readonly side: number;
}

/** Whether the zoom above has filled a cell at this place, or next to it. */
function touchesFilled({ states }: FilledBlock, { row, column, side }: CellAt): boolean {
  const width = side / 2 + 2;
  const center = ((row >> 1) + 1) * width + (column >> 1) + 1;
  for (const line of [-width, 0, width])
    for (let i = -1; i <= 1; i++) if (states[center + line + i] === cellState.filled) return true;
  return false;
}

/** Bilinear, among the cells that have heights. */
function fromAbove({ heights }: FilledBlock, { row, column, side }: CellAt): number {
  const width = side / 2 + 2;
  const x = (column + 0.5) / 2 + 0.5;
  const y = (row + 0.5) / 2 + 0.5;
  const [left, top] = [Math.floor(x), Math.floor(y)];
  let [sum, weights] = [0, 0];
  for (const [i, j] of corners) {
    const height = heights[(top + j) * width + left + i]!;
    const weight = (i === 1 ? x - left : 1 - x + left) * (j === 1 ? y - top : 1 - y + top);
    if (Number.isNaN(height) || weight === 0) continue;
    sum += height * weight;
    weights += weight;
  }
  return weights > 0 ? sum / weights : NaN;
}

const corners = [
  [0, 0],
  [1, 0],
  [0, 1],
  [1, 1],
] as const;

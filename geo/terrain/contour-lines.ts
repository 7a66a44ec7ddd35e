/** A line of equal height. */
export interface ContourLine {
  /** The height is this many times the interval. */
  readonly level: number;
  /**
   * Column and row of each position, in cells from the middle of the first one; valid until the next line. The ground is
   * higher on the left, rows counting downwards.
   */
  readonly positions: Float64Array;
  readonly count: number;
  /** The last position repeats the first. */
  readonly isClosed: boolean;
}

export interface ContourCells {
  /** Row by row; NaN: no height, so that lines end there. */
  readonly cells: Float32Array;
  /** Cells on a side of the square. */
  readonly side: number;
  /** Metres from line to line. */
  readonly interval: number;
  /** More pieces between neighbouring cells are refused. */
  readonly maxPieces: number;
}

/**
 * From which side of a square to which a line goes, by which of its corners are high: 8 the north-western, 4 north-eastern,
 * 2 south-eastern, 1 south-western. Sides: 0 north, 1 east, 2 south, 3 west. The last two: of the saddles whose middle is high.
 */
const pieces: readonly (readonly number[])[] = [
  [],
  [2, 3],
  [1, 2],
  [1, 3],
  [0, 1],
  [0, 1, 2, 3],
  [0, 2],
  [0, 3],
  [3, 0],
  [2, 0],
  [3, 0, 1, 2],
  [1, 0],
  [3, 1],
  [2, 1],
  [3, 2],
  [],
  [0, 3, 2, 1],
  [1, 0, 3, 2],
];
const highSaddles: Readonly<Record<number, number>> = { 5: 16, 10: 17 };

/**
 * Traces the lines of equal height through the middles of cells by marching squares (Lorensen and Cline 1987, in two dimensions),
 * a saddle by the mean of its corners. A height that equals that of a line counts as above it. Squares that overlap have the same
 * positions in common. @returns false, without a line, if there are more pieces than `maxPieces`
 */
export function traceContours(grid: ContourCells, onLine: (line: ContourLine) => void): boolean {
  const { cells, side, interval, maxPieces } = grid;
  // Comparing whole numbers only, all squares agree on which cells are high.
  const steps = Float64Array.from(cells, (height) => Math.floor(height / interval));
  const squares = squaresByLevel(steps, side, maxPieces);
  if (squares === undefined) return false;
  const tracer = createTracer(grid, steps);
  for (const level of [...squares.keys()].toSorted((a, b) => a - b))
    tracer(level, squares.get(level)!, onLine);
  return true;
}

/** The squares, by the index of their north-western cell, that each level goes through. */
function squaresByLevel(
  steps: Float64Array,
  side: number,
  maxPieces: number,
): Map<number, number[]> | undefined {
  const squares = new Map<number, number[]>();
  let count = 0;
  for (let row = 0; row < side - 1; row++) {
    for (let column = 0; column < side - 1; column++) {
      const at = row * side + column;
      const [a, b, c, d] = [steps[at]!, steps[at + 1]!, steps[at + side]!, steps[at + side + 1]!];
      const lowest = Math.min(a, b, c, d); // NaN if any is
      const highest = Math.max(a, b, c, d);
      if (!(highest > lowest)) continue;
      count += highest - lowest;
      if (count > maxPieces) return undefined;
      for (let level = lowest + 1; level <= highest; level++) {
        const known = squares.get(level);
        if (known === undefined) squares.set(level, [at]);
        else known.push(at);
      }
    }
  }
  return squares;
}

type Tracer = (level: number, squares: readonly number[], onLine: (line: ContourLine) => void) => void;

/** An edge between two cells is twice the index of its northern or western cell, plus 1 if it leads to the south. */
function createTracer({ cells, side, interval }: ContourCells, steps: Float64Array): Tracer {
  const next = new Int32Array(2 * side * side).fill(-1);
  const isReached = new Uint8Array(2 * side * side);
  let positions = new Float64Array(1 << 12);
  const sidesOf = (at: number): readonly number[] => [2 * at, 2 * at + 3, 2 * (at + side), 2 * at + 1];

  const connect = (at: number, level: number): void => {
    const high = (cell: number): boolean => steps[cell]! >= level;
    let corners =
      (high(at) ? 8 : 0) | (high(at + 1) ? 4 : 0) | (high(at + side + 1) ? 2 : 0) | (high(at + side) ? 1 : 0);
    if (corners === 5 || corners === 10) {
      const sum = cells[at]! + cells[at + 1]! + cells[at + side]! + cells[at + side + 1]!;
      if (sum / 4 >= level * interval) corners = highSaddles[corners]!;
    }
    const sides = sidesOf(at);
    const from = pieces[corners]!;
    for (let i = 0; i < from.length; i += 2) {
      next[sides[from[i]!]!] = sides[from[i + 1]!]!;
      isReached[sides[from[i + 1]!]!] = 1;
    }
  };
  const put = (count: number, edge: number, height: number): void => {
    if (count * 2 === positions.length) {
      const larger = new Float64Array(count * 4);
      larger.set(positions);
      positions = larger;
    }
    const cell = edge >> 1;
    const [column, row] = [cell % side, Math.floor(cell / side)];
    const isDown = (edge & 1) === 1;
    const start = cells[cell]!;
    const share = (height - start) / (cells[cell + (isDown ? side : 1)]! - start);
    const away = Math.min(1, Math.max(0, share));
    positions[count * 2] = isDown ? column : column + away;
    positions[count * 2 + 1] = isDown ? row + away : row;
  };
  const follow = (start: number, level: number, onLine: (line: ContourLine) => void): void => {
    const height = level * interval;
    let count = 0;
    let edge = start;
    put(count++, edge, height);
    for (let after = next[edge]!; after >= 0; after = next[edge]!) {
      next[edge] = -1;
      edge = after;
      put(count++, edge, height);
    }
    onLine({ level, positions, count, isClosed: edge === start });
  };

  return (level, squares, onLine) => {
    for (const at of squares) connect(at, level);
    // lines that end at the border or beside a cell without a height, then rings
    for (const isRing of [false, true]) {
      for (const at of squares) {
        for (const edge of sidesOf(at))
          if (next[edge]! >= 0 && (isRing || isReached[edge] === 0)) follow(edge, level, onLine);
      }
    }
    for (const at of squares) for (const edge of sidesOf(at)) isReached[edge] = 0;
  };
}

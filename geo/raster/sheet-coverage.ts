/** Where sheets lie in a plane. */
export interface SheetCoverage {
  /** Around what is covered: outer rings counter-clockwise, in positions of the plane. */
  readonly outlines: readonly Ring[];
  /** Around what is not covered within them, the largest first. */
  readonly gaps: readonly Ring[];
  /** Of the covered area, between 0 and 1. */
  readonly gapShare: number;
  readonly overlapShare: number;
}

/** x, y of each corner; the last is not repeated. */
export type Ring = readonly number[];

/** x, y of the four corners, in either direction. */
export type Quad = readonly [number, number, number, number, number, number, number, number];

/** Cells on the longer side at most. */
const maxCells = 1024;
/** Cells on a side of a usual sheet. */
const cellsPerSheet = 16;

interface Grid {
  readonly west: number;
  readonly south: number;
  readonly cell: number;
  readonly columns: number;
  readonly rows: number;
}

/**
 * What sheets cover, on a grid of cells of a sixteenth of a usual sheet, which are larger if that would be too many: what is
 * narrower than a cell is not seen. A cell is covered if its middle is.
 * @param quads of sheets, none of which may be empty
 */
export function coverageOf(quads: readonly Quad[]): SheetCoverage {
  const grid = gridAround(quads);
  const counts = new Uint8Array(grid.columns * grid.rows);
  for (const quad of quads) count(quad, grid, counts);
  let [covered, doubled] = [0, 0];
  for (const times of counts) {
    if (times > 0) covered++;
    if (times > 1) doubled++;
  }
  const rings = traceRings(counts, grid);
  const sized = rings.map((ring) => ({ ring, area: signedArea(ring) }));
  const gaps = sized.filter(({ area }) => area < 0).toSorted((a, b) => a.area - b.area);
  const gapArea = gaps.reduce((sum, { area }) => sum - area, 0);
  return {
    outlines: sized.filter(({ area }) => area > 0).map(({ ring }) => ring),
    gaps: gaps.map(({ ring }) => ring),
    gapShare: gapArea / (covered * grid.cell ** 2),
    overlapShare: doubled / covered,
  };
}

function gridAround(quads: readonly Quad[]): Grid {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  const sides: number[] = [];
  for (const quad of quads) {
    const box = boxOf(quad);
    west = Math.min(west, box[0]);
    south = Math.min(south, box[1]);
    east = Math.max(east, box[2]);
    north = Math.max(north, box[3]);
    sides.push(Math.min(box[2] - box[0], box[3] - box[1]));
  }
  const usual = sides.toSorted((a, b) => a - b)[sides.length >> 1]!;
  const cell = Math.max(usual / cellsPerSheet, Math.max(east - west, north - south) / maxCells);
  const columns = Math.max(1, Math.ceil((east - west) / cell - 1e-6));
  const rows = Math.max(1, Math.ceil((north - south) / cell - 1e-6));
  return { west, south, cell, columns, rows };
}

function boxOf(quad: Quad): [west: number, south: number, east: number, north: number] {
  const [x, y] = [quad.filter((_, i) => i % 2 === 0), quad.filter((_, i) => i % 2 === 1)];
  return [Math.min(...x), Math.min(...y), Math.max(...x), Math.max(...y)];
}

/** Shares of a cell that sheets may lie apart by rounding. */
const tolerance = 1e-3;

function count(quad: Quad, { west, south, cell, columns, rows }: Grid, counts: Uint8Array): void {
  const box = boxOf(quad);
  const index = (value: number, from: number, limit: number): number =>
    Math.min(limit - 1, Math.max(0, Math.floor((value - from) / cell)));
  const [firstColumn, lastColumn] = [index(box[0], west, columns), index(box[2], west, columns)];
  const [firstRow, lastRow] = [index(box[1], south, rows), index(box[3], south, rows)];
  const edges = edgesOf(quad, cell * tolerance);
  let isSeen = false;
  for (let row = firstRow; row <= lastRow; row++) {
    for (let column = firstColumn; column <= lastColumn; column++) {
      const [x, y] = [west + (column + 0.5) * cell, south + (row + 0.5) * cell];
      if (!edges.every(([a, b, c]) => a * x + b * y + c >= 0)) continue;
      isSeen = true;
      counts[row * columns + column]! += counts[row * columns + column]! < 255 ? 1 : 0;
    }
  }
  // a sheet smaller than a cell
  if (isSeen) return;
  const at =
    index((box[1] + box[3]) / 2, south, rows) * columns + index((box[0] + box[2]) / 2, west, columns);
  counts[at] = Math.max(1, counts[at]!);
}

/** a·x + b·y + c is the distance from an edge, above 0 within. */
function edgesOf(quad: Quad, margin: number): [a: number, b: number, c: number][] {
  const sign = Math.sign(signedArea(quad));
  return [0, 2, 4, 6].map((i) => {
    const [x, y] = [quad[i]!, quad[i + 1]!];
    const [dx, dy] = [quad[(i + 2) % 8]! - x, quad[(i + 3) % 8]! - y];
    const length = (Math.hypot(dx, dy) || 1) * sign;
    return [-dy / length, dx / length, (dy * x - dx * y) / length + margin];
  });
}

/** What a ring encloses; positive if it is counter-clockwise. */
export function signedArea(ring: Ring): number {
  let sum = 0;
  for (let i = 0; i < ring.length; i += 2) {
    const next = (i + 2) % ring.length;
    sum += ring[i]! * ring[next + 1]! - ring[next]! * ring[i + 1]!;
  }
  return sum / 2;
}

/** The steps of a ring along cells: east, north, west, south. */
const steps = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;

/** Rings along the borders of covered cells, which are left of them; only the corners are kept. */
function traceRings(counts: Uint8Array, { west, south, cell, columns, rows }: Grid): Ring[] {
  const isCovered = (column: number, row: number): boolean =>
    column >= 0 && row >= 0 && column < columns && row < rows && counts[row * columns + column]! > 0;
  /** Bits of the directions that borders leave a corner of cells in. */
  const leaving = new Uint8Array((columns + 1) * (rows + 1));
  const cornerAt = (column: number, row: number): number => row * (columns + 1) + column;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (!isCovered(column, row)) continue;
      if (!isCovered(column, row - 1)) leaving[cornerAt(column, row)]! |= 1;
      if (!isCovered(column + 1, row)) leaving[cornerAt(column + 1, row)]! |= 2;
      if (!isCovered(column, row + 1)) leaving[cornerAt(column + 1, row + 1)]! |= 4;
      if (!isCovered(column - 1, row)) leaving[cornerAt(column, row + 1)]! |= 8;
    }
  }
  const rings: Ring[] = [];
  for (let start = 0; start < leaving.length; start++) {
    while (leaving[start] !== 0) {
      const ring: number[] = [];
      let at = start;
      let last = -1;
      do {
        const direction: number = directionFrom(leaving[at]!, last);
        const [column, row] = [at % (columns + 1), Math.floor(at / (columns + 1))];
        if (direction !== last) ring.push(west + column * cell, south + row * cell);
        leaving[at]! &= ~(1 << direction);
        const [dx, dy] = steps[direction]!;
        at = cornerAt(column + dx, row + dy);
        last = direction;
      } while (at !== start);
      rings.push(ring);
    }
  }
  return rings;
}

/** Where two borders leave a corner, the left turn: cells that touch at a corner alone are not joined. */
function directionFrom(bits: number, last: number): number {
  if (last >= 0)
    for (const turn of [1, 0, 3]) {
      const direction = (last + turn) % 4;
      if (bits & (1 << direction)) return direction;
    }
  return 31 - Math.clz32(bits & -bits);
}

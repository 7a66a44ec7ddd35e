import type { Edges } from './edges.ts';

/** The edges near each cell of a square grid, so that only close ones need to be compared. */
export interface EdgeGrid {
  /** Log2 of a cell's side. */
  shift: number;
  minX: number;
  minY: number;
  columns: number;
  rows: number;
  /** For each cell the index of its first edge in `items`; one more at the end. */
  starts: Int32Array;
  items: Int32Array;
}

/** Up to this many edges share a single cell. */
const maxSingleCellEdges = 24;

export function createEdgeGrid(): EdgeGrid {
  return {
    shift: 0,
    minX: 0,
    minY: 0,
    columns: 1,
    rows: 1,
    starts: new Int32Array(256),
    items: new Int32Array(256),
  };
}

/** Edges of rings cover a line and leave most cells empty. */
const cellsPerEdge = 4;

/**
 * Sorts the edges into cells about as large as the edges are long; the cells are coarser where long edges would be in
 * too many.
 */
export function fillGrid(grid: EdgeGrid, edges: Edges): void {
  const { ab, count } = edges;
  let minX = Infinity;
  let minY = Infinity;
  let maxX = -Infinity;
  let maxY = -Infinity;
  let length = 0;
  for (let i = 0; i < count * 4; i += 4) {
    const x = ab[i]!;
    const y = ab[i + 1]!;
    length += Math.abs(ab[i + 2]! - x) + Math.abs(ab[i + 3]! - y);
    if (x < minX) minX = x;
    if (x > maxX) maxX = x;
    if (y < minY) minY = y;
    if (y > maxY) maxY = y;
  }
  grid.minX = minX;
  grid.minY = minY;
  const width = Math.max(1, maxX - minX);
  const height = Math.max(1, maxY - minY);
  const side = Math.max(1, length / count, Math.sqrt((width * height) / count / cellsPerEdge));
  grid.shift = count <= maxSingleCellEdges ? 30 : Math.ceil(Math.log2(side));
  for (;;) {
    grid.columns = (width >> grid.shift) + 1;
    grid.rows = (height >> grid.shift) + 1;
    const maxCells = grid.columns * grid.rows === 1 ? Infinity : count * 16 + 1024;
    if (findCells(grid, edges, maxCells)) break;
    grid.shift++;
  }
  placeItems(grid);
}

/** Pairs of a cell and an edge near it, as findCells wrote them. */
let found = new Int32Array(512);
let foundLength = 0;

/** Finds the cells that each edge touches, and perhaps some it only comes close to; false if there are too many. */
function findCells(
  { shift, columns, rows, minX, minY }: EdgeGrid,
  { ab, count }: Edges,
  maxCells: number,
): boolean {
  foundLength = 0;
  for (let edge = 0; edge < count; edge++) {
    if (foundLength > maxCells * 2) return false;
    const ax = ab[edge * 4]! - minX;
    const ay = ab[edge * 4 + 1]! - minY;
    const bx = ab[edge * 4 + 2]! - minX;
    const by = ab[edge * 4 + 3]! - minY;
    const left = ax < bx ? ax : bx;
    const right = ax < bx ? bx : ax;
    const firstRow = (ay < by ? ay : by) >> shift;
    const lastRow = (ay < by ? by : ay) >> shift;
    if (foundLength + (columns + rows) * 4 > found.length) growFound(foundLength + (columns + rows) * 4);
    const isSteep = firstRow !== lastRow && left !== right;
    const slope = isSteep ? (bx - ax) / (by - ay) : 0;
    for (let row = firstRow; row <= lastRow; row++) {
      let from = left;
      let to = right;
      if (isSteep) {
        // Its x range between the upper and lower side of the row, slightly enlarged because the values are not exact.
        const atTop = ax + ((row << shift) - ay) * slope;
        const atBottom = ax + (((row + 1) << shift) - ay) * slope;
        from = Math.max(left, Math.floor(Math.min(atTop, atBottom) - 1e-6));
        to = Math.min(right, Math.max(atTop, atBottom) + 1e-6);
      }
      const last = row * columns + (to >> shift);
      for (let cell = row * columns + (from >> shift); cell <= last; cell++) {
        found[foundLength++] = cell;
        found[foundLength++] = edge;
      }
    }
  }
  return true;
}

function growFound(length: number): void {
  const larger = new Int32Array(length * 2);
  larger.set(found);
  found = larger;
}

function placeItems(grid: EdgeGrid): void {
  const cells = grid.columns * grid.rows;
  if (grid.starts.length < cells + 1) grid.starts = new Int32Array(cells * 2 + 1);
  if (grid.items.length < foundLength / 2) grid.items = new Int32Array(foundLength);
  const { starts, items } = grid;
  starts.fill(0, 0, cells + 1);
  for (let i = 0; i < foundLength; i += 2) starts[found[i]! + 1]!++;
  for (let cell = 0; cell < cells; cell++) starts[cell + 1]! += starts[cell]!;
  for (let i = 0; i < foundLength; i += 2) items[starts[found[i]!]!++] = found[i + 1]!;
  // Each start has advanced to the start of the next cell.
  starts.copyWithin(1, 0, cells);
  starts[0] = 0;
}

import type { Edges } from './edges.ts';

/** Which edges come near which cell of a square grid, so that only neighbours need to be compared. */
export interface EdgeGrid {
  /** Log2 of a cell's side. */
  shift: number;
  minX: number;
  minY: number;
  columns: number;
  rows: number;
  /** Per cell where its edges begin in `items`; one more at the end. */
  starts: Int32Array;
  items: Int32Array;
}

/** So many edges are simply one cell. */
const fewEdges = 24;

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

/** Rings are lines, which leave most cells empty. */
const cellsPerEdge = 6;

/** Sorts the edges into cells about as large as they are long; coarser where long edges would be in too many. */
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
  grid.shift = count <= fewEdges ? 30 : Math.ceil(Math.log2(side));
  for (;;) {
    grid.columns = (width >> grid.shift) + 1;
    grid.rows = (height >> grid.shift) + 1;
    if (countItems(grid, edges) <= count * 16 + 1024 || grid.columns * grid.rows === 1) break;
    grid.shift++;
  }
  placeItems(grid, edges);
}

function countItems(grid: EdgeGrid, { ab, count }: Edges): number {
  const cells = grid.columns * grid.rows;
  if (grid.starts.length < cells + 1) grid.starts = new Int32Array(cells * 2 + 1);
  const { starts } = grid;
  starts.fill(0, 0, cells + 1);
  let items = 0;
  for (let edge = 0; edge < count; edge++) {
    items += visitCells(grid, ab, edge, (cell) => {
      starts[cell + 1]!++;
    });
  }
  return items;
}

function placeItems(grid: EdgeGrid, { ab, count }: Edges): void {
  const { starts } = grid;
  const cells = grid.columns * grid.rows;
  for (let cell = 0; cell < cells; cell++) starts[cell + 1]! += starts[cell]!;
  const total = starts[cells]!;
  if (grid.items.length < total) grid.items = new Int32Array(total * 2);
  const { items } = grid;
  for (let edge = 0; edge < count; edge++) {
    visitCells(grid, ab, edge, (cell) => {
      items[starts[cell]!++] = edge;
    });
  }
  // Each start has moved to where the next cell begins.
  starts.copyWithin(1, 0, cells);
  starts[0] = 0;
}

/** Hands over every cell the edge touches, and perhaps some that it only comes close to; returns how many. */
function visitCells(grid: EdgeGrid, ab: Int32Array, edge: number, visit: (cell: number) => void): number {
  const { shift, columns, minX, minY } = grid;
  if (columns === 1 && grid.rows === 1) {
    visit(0);
    return 1;
  }
  const at = edge * 4;
  const ax = ab[at]! - minX;
  const ay = ab[at + 1]! - minY;
  const bx = ab[at + 2]! - minX;
  const by = ab[at + 3]! - minY;
  const firstRow = Math.min(ay, by) >> shift;
  const lastRow = Math.max(ay, by) >> shift;
  const left = Math.min(ax, bx);
  const right = Math.max(ax, bx);
  let visited = 0;
  for (let row = firstRow; row <= lastRow; row++) {
    let from = left;
    let to = right;
    if (firstRow !== lastRow && left !== right) {
      // Where it is between the row's upper and lower side, and a little more, as these are no whole numbers.
      const slope = (bx - ax) / (by - ay);
      const atTop = ax + ((row << shift) - ay) * slope;
      const atBottom = ax + (((row + 1) << shift) - ay) * slope;
      from = Math.max(left, Math.floor(Math.min(atTop, atBottom) - 1e-6));
      to = Math.min(right, Math.max(atTop, atBottom) + 1e-6);
    }
    const last = to >> shift;
    for (let column = from >> shift; column <= last; column++) {
      visit(row * columns + column);
      visited++;
    }
  }
  return visited;
}

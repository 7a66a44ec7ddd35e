import { interpolate, maxNodes, type GeoidGrid } from './geoid-grid.ts';

/** How far from its border a grid goes over into the other one. */
export const blendMetres = 20_000;
const metresPerDegree = 111_195;

/**
 * A grid with a rim of 20 km, in which its difference to another grid, taken from the nearest node that has a value,
 * fades out. Nodes without a value are filled in the same way: farther away they are those of the other grid.
 * @returns undefined if it would have too many nodes, as dense grids at a pole
 */
export function blendBorder(grid: GeoidGrid, other: GeoidGrid): GeoidGrid | undefined {
  const { lonStep, latStep } = grid;
  const middle = grid.north - ((grid.rows - 1) / 2) * latStep;
  const width = lonStep * metresPerDegree * Math.cos((middle * Math.PI) / 180);
  const height = latStep * metresPerDegree;
  const rim = { columns: Math.ceil(blendMetres / width) + 1, rows: Math.ceil(blendMetres / height) + 1 };
  const columns = grid.columns + 2 * rim.columns;
  const rows = grid.rows + 2 * rim.rows;
  if (!(columns * rows <= maxNodes)) return undefined;
  const values = new Float32Array(columns * rows).fill(NaN);
  for (let row = 0; row < grid.rows; row++) {
    const line = grid.values.subarray(row * grid.columns, (row + 1) * grid.columns);
    values.set(line, (row + rim.rows) * columns + rim.columns);
  }
  const west = grid.west - rim.columns * lonStep;
  const north = grid.north + rim.rows * latStep;
  const otherAt = (index: number) => {
    const lat = north - Math.floor(index / columns) * latStep;
    return interpolate(other, west + (index % columns) * lonStep, Math.min(90, Math.max(-90, lat)));
  };
  const nearest = findNearest({ values, columns, rows, width, height });
  const blended = values.slice();
  for (let index = 0; index < values.length; index++) {
    const from = nearest[index]!;
    if (from === index) continue;
    const metres = from < 0 ? Infinity : distance(index, from, { columns, width, height });
    const base = otherAt(index);
    blended[index] =
      metres >= blendMetres ? base : base + fade(metres / blendMetres) * (values[from]! - otherAt(from));
  }
  return { columns, rows, west, north, lonStep, latStep, values: blended };
}

/** From 1 to 0, without a kink at either end. */
function fade(share: number): number {
  return 1 - share * share * (3 - 2 * share);
}

interface Lattice {
  readonly columns: number;
  /** Metres of a cell. */
  readonly width: number;
  readonly height: number;
}

function distance(one: number, other: number, { columns, width, height }: Lattice): number {
  const dx = ((one % columns) - (other % columns)) * width;
  const dy = (Math.floor(one / columns) - Math.floor(other / columns)) * height;
  return Math.sqrt(dx * dx + dy * dy);
}

/**
 * The nearest node with a value for each node, -1 where none is known; by two sweeps that hand it on from neighbour to
 * neighbour, which is right to a small part of a cell (Danielsson 1980).
 */
function findNearest(lattice: Lattice & { values: Float32Array; rows: number }): Int32Array {
  const { values, columns, rows } = lattice;
  const nearest = new Int32Array(values.length).fill(-1);
  const best = new Float32Array(values.length).fill(Infinity);
  for (let i = 0; i < values.length; i++) {
    if (Number.isNaN(values[i]!)) continue;
    nearest[i] = i;
    best[i] = 0;
  }
  const take = (index: number, neighbour: number) => {
    const candidate = nearest[neighbour]!;
    if (candidate < 0 || best[index] === 0) return;
    const metres = distance(index, candidate, lattice);
    if (metres >= best[index]!) return;
    best[index] = metres;
    nearest[index] = candidate;
  };
  const sweep = (index: number, column: number, above: number) => {
    if (above >= 0 && above < values.length) {
      take(index, above);
      if (column > 0) take(index, above - 1);
      if (column < columns - 1) take(index, above + 1);
    }
  };
  for (const isDown of [true, false]) {
    for (let step = 0; step < rows; step++) {
      const row = isDown ? step : rows - 1 - step;
      const start = row * columns;
      const above = isDown ? -columns : columns;
      for (let column = 0; column < columns; column++) sweep(start + column, column, start + column + above);
      for (let column = 1; column < columns; column++) take(start + column, start + column - 1);
      for (let column = columns - 2; column >= 0; column--) take(start + column, start + column + 1);
    }
  }
  return nearest;
}

/** A pyramid of square cells: each zoom halves them. */
export interface HeightGrid {
  /** `geographic`: degrees, two by one blocks at zoom 0; `mercator`: web mercator, one block at zoom 0. */
  readonly kind: 'geographic' | 'mercator';
  /** Cells on a side of a block. */
  readonly side: number;
}

/** Columns and rows of blocks; rows count from the north. */
export function blockCounts({ kind }: HeightGrid, z: number): readonly [columns: number, rows: number] {
  return [kind === 'geographic' ? 2 ** (z + 1) : 2 ** z, 2 ** z];
}

/** Degrees of longitude of a cell. */
export function cellDegrees(grid: HeightGrid, z: number): number {
  return 360 / (blockCounts(grid, z)[0] * grid.side);
}

/** The longitude at the middle of a cell; beyond ±180 it is the same cell once more around the Earth. */
export function longitudeOfCell(grid: HeightGrid, z: number, column: number): number {
  return (column + 0.5) * cellDegrees(grid, z) - 180;
}

/** The latitude at the middle of a cell. */
export function latitudeOfCell(grid: HeightGrid, z: number, row: number): number {
  const share = (row + 0.5) / (blockCounts(grid, z)[1] * grid.side);
  return latitudeAt(grid, share);
}

/** @param share of the height of the grid, from the north */
export function latitudeAt({ kind }: HeightGrid, share: number): number {
  if (kind === 'geographic') return 90 - 180 * share;
  return (Math.atan(Math.sinh(Math.PI * (1 - 2 * share))) * 180) / Math.PI;
}

/** The place of the block that has a longitude and a latitude, as fractions of blocks. */
export function blockAt(grid: HeightGrid, z: number, [lon, lat]: readonly [number, number]) {
  const [columns, rows] = blockCounts(grid, z);
  const x = ((lon + 180) / 360) * columns;
  if (grid.kind === 'geographic') return { x, y: ((90 - lat) / 180) * rows };
  const limited = Math.max(-89.9, Math.min(89.9, lat));
  const y = (1 - Math.asinh(Math.tan((limited * Math.PI) / 180)) / Math.PI) / 2;
  return { x, y: y * rows };
}

export interface BlockPlace {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

import type { GeoidGrid, GridFrame } from './geoid-grid.ts';

/** A grid of whole degrees around Frankfurt, or another frame, with a value for each node. */
export function makeGrid(
  value: (lon: number, lat: number) => number,
  frame: Partial<GridFrame> = {},
): GeoidGrid {
  const { columns = 5, rows = 4, west = 7, north = 52, lonStep = 1, latStep = 1 } = frame;
  const values = Float32Array.from({ length: columns * rows }, (_, i) =>
    value(west + (i % columns) * lonStep, north - Math.floor(i / columns) * latStep),
  );
  return { columns, rows, west, north, lonStep, latStep, values };
}

/** The form that `readGtx` reads. */
export function writeGtx({ columns, rows, west, north, lonStep, latStep, values }: GeoidGrid): Buffer {
  const bytes = Buffer.alloc(40 + 4 * columns * rows);
  const south = north - (rows - 1) * latStep;
  for (const [i, value] of [south, west, latStep, lonStep].entries()) bytes.writeDoubleBE(value, i * 8);
  bytes.writeInt32BE(rows, 32);
  bytes.writeInt32BE(columns, 36);
  for (let i = 0; i < values.length; i++) {
    const fromSouth = rows - 1 - Math.floor(i / columns);
    const value = Number.isNaN(values[i]!) ? -88.8888 : values[i]!;
    bytes.writeFloatBE(value, 40 + 4 * (fromSouth * columns + (i % columns)));
  }
  return bytes;
}

import { unitBytes, type Level, type RasterShape } from './raster-shape.ts';

export interface UnitPlace {
  readonly column: number;
  readonly row: number;
}

/**
 * The order in which the units of the image are made: rows of columns that are a power of two wide, so that few units of
 * overviews are unfinished at a time, and strips of sheets are read once if memory allows it.
 */
export interface UnitOrder {
  readonly count: number;
  placeOf(number: number): UnitPlace;
}

export function unitOrder(shape: RasterShape, { columns, rows }: Level, pendingBytes: number): UnitOrder {
  const maxWide = Math.max(1, pendingBytes / unitBytes(shape) / 2);
  const wide = Math.min(columns, 2 ** Math.floor(Math.log2(maxWide)));
  return {
    count: columns * rows,
    placeOf(number) {
      const column = Math.floor(number / (wide * rows));
      const own = Math.min(wide, columns - column * wide);
      const within = number - column * wide * rows;
      return { column: column * wide + (within % own), row: Math.floor(within / own) };
    },
  };
}

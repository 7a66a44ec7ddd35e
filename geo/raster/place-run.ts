import type { WarpedImage } from './warp-rgba.ts';

/** Pixels of a row, and where they lie in an image. */
export interface PlaceRun {
  readonly length: number;
  readonly column: number;
  readonly row: number;
  /** From one to the next. */
  readonly across: number;
  readonly down: number;
}

/** A run of pixels of the target, and of the window from which they are made. Signed words, as these are fast; alpha is highest. */
export interface Warp {
  readonly target: Int32Array;
  readonly source: Int32Array;
  readonly image: WarpedImage;
}

/** Places are whole numbers of 1/65536 pixels, which are below 2^31. */
export const fixed = 65_536;
const maxFixed = 32_766;

/** Whether all pixels of a run lie in the image, and have so many neighbours in the window on each side. */
export function isInside(
  { length, column, row, across, down }: PlaceRun,
  { window, width, height }: WarpedImage,
  reach: { readonly across: number; readonly down: number },
): boolean {
  const isWithin = (value: number, start: number, count: number): boolean =>
    value >= start && value <= Math.min(count, maxFixed);
  const isColumn = (value: number): boolean =>
    isWithin(value, 0, width) &&
    isWithin(value - window.column, reach.across, window.width - 1 - reach.across);
  const isRow = (value: number): boolean =>
    isWithin(value, 0, height) && isWithin(value - window.row, reach.down, window.height - 1 - reach.down);
  return isColumn(column) && isRow(row) && isColumn(column + length * across) && isRow(row + length * down);
}

/** Where a run begins in the window, and how it goes on, from the middle of the first pixel. */
export function fixedPlaces(run: PlaceRun, { column, row }: WarpedImage['window']) {
  // whole numbers, which the compiler does not know without | 0
  return {
    x: Math.round((run.column - column - 0.5) * fixed) | 0,
    y: Math.round((run.row - row - 0.5) * fixed) | 0,
    across: Math.round(run.across * fixed) | 0,
    down: Math.round(run.down * fixed) | 0,
  };
}

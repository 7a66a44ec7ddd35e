import type { SheetWindow } from '../../raster-source/read-sheets.ts';

/** RGBA of a part of an image. */
export interface ImagePart {
  readonly window: SheetWindow;
  readonly rgba: Uint8Array;
  /** Of the whole image. */
  readonly width: number;
  readonly height: number;
  /** Colours stand for classes, which have nothing in between. */
  readonly isNearest: boolean;
}

/** Less of the colour at a place means that it has none. */
const minWeight = 0.5;

/**
 * The colour at a place of an image, bilinear between the middles of pixels: red, green and blue in the lower 24 bits.
 * Undefined where hidden pixels outweigh the others.
 */
export function colourAt(part: ImagePart, x: number, y: number): number | undefined {
  const { window, rgba, width, height, isNearest } = part;
  if (!(x >= 0 && y >= 0 && x <= width && y <= height)) return undefined;
  const [across, down] = isNearest
    ? [Math.min(width - 1, Math.floor(x)), Math.min(height - 1, Math.floor(y))]
    : [Math.min(width - 1, Math.max(0, x - 0.5)), Math.min(height - 1, Math.max(0, y - 0.5))];
  const [column, row] = [Math.floor(across), Math.floor(down)];
  const [right, below] = [across - column, down - row];
  let [red, green, blue, sum] = [0, 0, 0, 0];
  for (let j = 0; j < 2; j++) {
    for (let i = 0; i < 2; i++) {
      const share = (i === 0 ? 1 - right : right) * (j === 0 ? 1 - below : below);
      if (share <= 0) continue;
      const at = ((row + j - window.row) * window.width + (column + i - window.column)) * 4;
      const weight = (share * rgba[at + 3]!) / 255;
      red += rgba[at]! * weight;
      green += rgba[at + 1]! * weight;
      blue += rgba[at + 2]! * weight;
      sum += weight;
    }
  }
  if (!(sum >= minWeight)) return undefined;
  return Math.round(red / sum) | (Math.round(green / sum) << 8) | (Math.round(blue / sum) << 16);
}

/** In pixels: windows consist of whole cells, so that a damaged part of an image costs the same points in whatever order they come. */
export const cellSide = 64;

/** The cells of an image that are needed for places from the lowest to the highest column and row. */
export function windowAround(
  { width, height }: Pick<ImagePart, 'width' | 'height'>,
  [left, top, right, bottom]: readonly [number, number, number, number],
): SheetWindow {
  const first = (value: number): number => Math.max(0, Math.floor((value - 0.5) / cellSide)) * cellSide;
  const behind = (value: number, size: number): number =>
    Math.min(size, (Math.floor(Math.min(size - 1, value + 0.5) / cellSide) + 1) * cellSide);
  const [column, row] = [first(Math.min(left, width - 1)), first(Math.min(top, height - 1))];
  return { column, row, width: behind(right, width) - column, height: behind(bottom, height) - row };
}

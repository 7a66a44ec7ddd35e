import type { PixelPlaces } from './control-grid.ts';
import { pickMode } from './pick-mode.ts';
import { weighPixels, type WarpKernel } from './weigh-pixels.ts';

/** A part of an image of RGBA. */
export interface RgbaWindow {
  readonly rgba: Uint8Array;
  readonly column: number;
  readonly row: number;
  readonly width: number;
  readonly height: number;
}

export interface WarpedImage {
  /** Of the whole image. */
  readonly width: number;
  readonly height: number;
  readonly window: RgbaWindow;
  /** Colours stand for classes. */
  readonly isNearest: boolean;
  /** Bilinear without. */
  readonly kernel?: WarpKernel | undefined;
}

/** RGBA of which a square is warped. */
export interface WarpTarget {
  readonly rgba: Uint8Array;
  /** Pixels of a row. */
  readonly stride: number;
  /** Of the first pixel of the square. */
  readonly left: number;
  readonly top: number;
}

/** Pixels that gaps between images may be wide, by rounding. */
const edgeTolerance = 0.02;

/** Pixels around a place that a kernel weighs, on each side. */
export function reachOf(kernel: WarpKernel | undefined): { readonly across: number; readonly down: number } {
  return { across: (kernel?.across.count ?? 2) / 2, down: (kernel?.down.count ?? 2) / 2 };
}

/**
 * The part of an image that squares need; undefined: it lies elsewhere.
 * @param margin pixels by which it may continue beyond the image
 */
export function windowFor(
  squares: readonly PixelPlaces[],
  { width, height, kernel }: Pick<WarpedImage, 'width' | 'height' | 'kernel'>,
  margin: { readonly across: number; readonly down: number },
): Omit<RgbaWindow, 'rgba'> | undefined {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { places } of squares) {
    for (let i = 0; i < places.length; i += 2) {
      const [column, row] = [places[i]!, places[i + 1]!];
      if (column < left) left = column;
      if (column > right) right = column;
      if (row < top) top = row;
      if (row > bottom) bottom = row;
    }
  }
  const { across, down } = reachOf(kernel);
  const isElsewhere = right + across + 1 <= 0 || bottom + down + 1 <= 0 || left - across >= width;
  if (isElsewhere || top - down >= height) return undefined;
  const column = Math.max(-margin.across, Math.floor(left - across));
  const row = Math.max(-margin.down, Math.floor(top - down));
  const size = {
    width: Math.min(width + margin.across, Math.ceil(right + across + 1)) - column,
    height: Math.min(height + margin.down, Math.ceil(bottom + down + 1)) - row,
  };
  return size.width > 0 && size.height > 0 ? { column, row, ...size } : undefined;
}

/**
 * Gives pixels that have no colour yet that of an image: by a kernel over its pixels, of which hidden ones do not count. An
 * image covers a pixel if its middle lies in a shown pixel; at the edges of its window the last pixels count, so that
 * abutting images leave no gap.
 */
export function warpRgba(
  { rgba, stride, left, top }: WarpTarget,
  places: PixelPlaces,
  image: WarpedImage,
): void {
  const { side, step, count } = places;
  const pixels = wordsOf(rgba);
  const warp = runWarper(pixels, image);
  const line = new Float64Array(count * 2);
  for (let row = 0; row < side; row++) {
    lineOf(places, row, line);
    for (let cell = 0; cell < count - 1; cell++) {
      const first = cell * 2;
      warp((top + row) * stride + left + cell * step, {
        length: step,
        column: line[first]!,
        row: line[first + 1]!,
        across: (line[first + 2]! - line[first]!) / step,
        down: (line[first + 3]! - line[first + 1]!) / step,
      });
    }
  }
}

/** Two bytes of a word, each with room for a sum of products. */
const pair = 0x00ff_00ff;
const halfOfPair = 0x0080_0080;

/** Alpha is the highest byte. Signed, as these are fast. */
function wordsOf({ buffer, byteOffset, length }: Uint8Array): Int32Array {
  return new Int32Array(buffer, byteOffset, length / 4);
}

/** The places of nodes, at a row of pixels. */
function lineOf({ step, count, places }: PixelPlaces, row: number, line: Float64Array): void {
  const node = Math.floor(row / step) * count * 2;
  const down = (row % step) / step;
  for (let i = 0; i < line.length; i++) {
    const upper = places[node + i]!;
    line[i] = down === 0 ? upper : upper + (places[node + count * 2 + i]! - upper) * down;
  }
}

/** Pixels of a row, and where they lie in the image. */
interface Run {
  readonly length: number;
  readonly column: number;
  readonly row: number;
  /** From one to the next. */
  readonly across: number;
  readonly down: number;
}

function runWarper(target: Int32Array, image: WarpedImage): (start: number, run: Run) => void {
  const { window, isNearest, kernel } = image;
  const source = wordsOf(window.rgba);
  return (start, run) => {
    if (!isNearest && !kernel && isInside(run, image)) warpInside({ target, source, image }, start, run);
    else warpAnywhere({ target, source, image }, start, run);
  };
}

interface Warp {
  readonly target: Int32Array;
  readonly source: Int32Array;
  readonly image: WarpedImage;
}

/** Whether all pixels of a run lie in the image, and have four neighbours in the window. */
function isInside(
  { length, column, row, across, down }: Run,
  { window, width, height }: WarpedImage,
): boolean {
  const isWithin = (value: number, start: number, count: number): boolean =>
    value - start >= 1 && value - start <= Math.min(count - 2, maxFixed);
  const isColumn = (value: number): boolean =>
    value >= 0 && value <= width && isWithin(value, window.column, window.width);
  const isRow = (value: number): boolean =>
    value >= 0 && value <= height && isWithin(value, window.row, window.height);
  return isColumn(column) && isRow(row) && isColumn(column + length * across) && isRow(row + length * down);
}

/** Places as whole numbers of 1/65536 pixels, which are below 2^31. */
const fixed = 65_536;
const maxFixed = 32_766;

function warpInside({ target, source, image }: Warp, start: number, run: Run): void {
  const { width, column, row } = image.window;
  // whole numbers, which the compiler does not know without | 0
  let x = Math.round((run.column - column - 0.5) * fixed) | 0;
  let y = Math.round((run.row - row - 0.5) * fixed) | 0;
  const across = Math.round(run.across * fixed) | 0;
  const fall = Math.round(run.down * fixed) | 0;
  const end = start + run.length;
  if (across === fixed && fall === 0 && ((x | y) & 0xff00) === 0) {
    // on the same grid, each pixel is one of the image
    let at = (Math.imul(y >> 16, width) + (x >> 16)) | 0;
    for (let i = start; i < end; i++, at++) {
      const pixel = source[at]!;
      if (pixel >>> 24 !== 0 && target[i]! >>> 24 === 0) target[i] = pixel;
    }
    return;
  }
  for (let i = start; i < end; i++, x = (x + across) | 0, y = (y + fall) | 0) {
    if (target[i]! >>> 24 !== 0) continue;
    const at = (Math.imul(y >> 16, width) + (x >> 16)) | 0;
    const shares = (y & 0xff00) | ((x >> 8) & 255);
    const a = source[at]!;
    const b = source[at + 1]!;
    const c = source[at + width]!;
    const d = source[at + width + 1]!;
    if ((a & b & c & d) >>> 24 === 255) {
      target[i] = mixOpaque(a, b, c, d, shares);
      continue;
    }
    const nearest = source[at + ((shares >> 7) & 1) + (shares >> 15) * width]!;
    if (nearest >>> 24 !== 0) target[i] = blendShown(source, at, width, shares);
  }
}

/** At edges, where the last pixels count, and by the nearest pixel. */
function warpAnywhere({ target, source, image }: Warp, start: number, run: Run): void {
  const { window, isNearest, kernel } = image;
  const { width, height } = window;
  const words = { pixels: source, width, height };
  const [farRight, farDown] = [image.width + edgeTolerance, image.height + edgeTolerance];
  for (let i = 0; i < run.length; i++) {
    if (target[start + i]! >>> 24 !== 0) continue;
    const column = run.column + i * run.across;
    const row = run.row + i * run.down;
    if (!(column >= -edgeTolerance && row >= -edgeTolerance && column <= farRight && row <= farDown))
      continue;
    const middle =
      source[
        limit(Math.floor(row) - window.row, height) * width + limit(Math.floor(column) - window.column, width)
      ]!;
    if (middle >>> 24 === 0) continue;
    const x = roundToFixed(column - window.column - 0.5);
    const y = roundToFixed(row - window.row - 0.5);
    if (kernel && !isNearest) {
      const place = { x, y, nearest: middle };
      target[start + i] =
        kernel.isMode === true ? pickMode(words, kernel, place) : weighPixels(words, kernel, place);
      continue;
    }
    if (isNearest) {
      target[start + i] = middle;
      continue;
    }
    const [left, top] = [Math.floor(x), Math.floor(y)];
    const [west, east] = [limit(left, width), limit(left + 1, width)];
    const [north, south] = [limit(top, height) * width, limit(top + 1, height) * width];
    four[0] = source[north + west]!;
    four[1] = source[north + east]!;
    four[2] = source[south + west]!;
    four[3] = source[south + east]!;
    const [a, b, c, d] = four as unknown as readonly [number, number, number, number];
    const shares = (Math.floor((y - top) * 256) << 8) | Math.floor((x - left) * 256);
    const isOpaque = (a & b & c & d) >>> 24 === 255;
    target[start + i] = isOpaque ? mixOpaque(a, b, c, d, shares) : blendShown(four, 0, 2, shares);
  }
}

/** As places inside are, so that pixels on the same grid are those of the image up to its edge. */
function roundToFixed(place: number): number {
  return Math.round(place * fixed) / fixed;
}

function limit(value: number, count: number): number {
  return value < 0 ? 0 : value >= count ? count - 1 : value;
}

/** The pixels around a place, from the upper left: fresh lists would take as long as the work. */
const four = new Int32Array(4);

/**
 * Of four pixels that are all opaque, from the upper left: by weights of 1/256 whose sum is 1, so that one colour stays what it is.
 * @param shares of the right ones in 1/256, and of the lower ones in the next byte
 */
function mixOpaque(a: number, b: number, c: number, d: number, shares: number): number {
  const [right, down] = [shares & 255, shares >> 8];
  const lowerRight = (Math.imul(right, down) + 128) >> 8;
  // whole numbers, which the compiler does not know without | 0
  const weights = { upperRight: (right - lowerRight) | 0, lowerLeft: (down - lowerRight) | 0, lowerRight };
  const redBlue = mixPairs(a & pair, b & pair, c & pair, d & pair, weights);
  const [a1, b1, c1, d1] = [(a >>> 8) & pair, (b >>> 8) & pair, (c >>> 8) & pair, (d >>> 8) & pair];
  return ((redBlue >>> 8) & pair) | (mixPairs(a1, b1, c1, d1, weights) & ~pair);
}

/** In 1/256; the upper left pixel has the rest. */
interface Weights {
  readonly upperRight: number;
  readonly lowerLeft: number;
  readonly lowerRight: number;
}

/** Times 256. Differences may be below zero: their sum is not. */
function mixPairs(a: number, b: number, c: number, d: number, weights: Weights): number {
  const { upperRight, lowerLeft, lowerRight } = weights;
  const others = Math.imul(b - a, upperRight) + Math.imul(c - a, lowerLeft) + Math.imul(d - a, lowerRight);
  return ((a << 8) + others + halfOfPair) | 0;
}

/** The same of pixels that may be hidden: each by its alpha, so that hidden ones give no colour. */
function blendShown(pixels: Int32Array, at: number, width: number, shares: number): number {
  const [right, down] = [shares & 255, shares >> 8];
  let [red, green, blue, weights] = [0, 0, 0, 0];
  for (let i = 0; i < 4; i++) {
    const pixel = pixels[at + (i & 1) + (i >> 1) * width]!;
    const share = (i % 2 === 0 ? 256 - right : right) * (i < 2 ? 256 - down : down);
    const weight = (pixel >>> 24) * share;
    red += (pixel & 255) * weight;
    green += ((pixel >>> 8) & 255) * weight;
    blue += ((pixel >>> 16) & 255) * weight;
    weights += weight;
  }
  if (weights === 0) return 0;
  const alpha = Math.max(1, Math.round(weights / 65_536));
  const byte = (sum: number): number => Math.round(sum / weights);
  return byte(red) | (byte(green) << 8) | (byte(blue) << 16) | (alpha << 24);
}

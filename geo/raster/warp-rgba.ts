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

/** Two bytes of a word, each with room for a product. */
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
  let x = Math.round((run.column - column - 0.5) * fixed);
  let y = Math.round((run.row - row - 0.5) * fixed);
  const across = Math.round(run.across * fixed);
  const fall = Math.round(run.down * fixed);
  for (let i = 0; i < run.length; i++, x += across, y += fall) {
    if (target[start + i]! >>> 24 !== 0) continue;
    const at = (y >> 16) * width + (x >> 16);
    const a = source[at]!;
    const b = source[at + 1]!;
    const c = source[at + width]!;
    const d = source[at + width + 1]!;
    const right = (x >> 8) & 255;
    const down = (y >> 8) & 255;
    if ((a & b & c & d) >>> 24 === 255) {
      // as mixFour, without a list in memory
      const redBlue = mixPairs(
        mixPairs(a & pair, b & pair, right),
        mixPairs(c & pair, d & pair, right),
        down,
      );
      const green = mixPairs(
        mixPairs((a >>> 8) & pair, (b >>> 8) & pair, right),
        mixPairs((c >>> 8) & pair, (d >>> 8) & pair, right),
        down,
      );
      target[start + i] = redBlue | (green << 8);
      continue;
    }
    const nearest = right < 128 ? (down < 128 ? a : c) : down < 128 ? b : d;
    if (nearest >>> 24 === 0) continue;
    four[0] = a;
    four[1] = b;
    four[2] = c;
    four[3] = d;
    target[start + i] = blendShown(four, right, down);
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
    const [x, y] = [column - window.column - 0.5, row - window.row - 0.5];
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
    const [right, below] = [Math.floor((x - left) * 256), Math.floor((y - top) * 256)];
    const isOpaque = (four[0]! & four[1]! & four[2]! & four[3]!) >>> 24 === 255;
    target[start + i] = isOpaque ? mixFour(four, right, below) : blendShown(four, right, below);
  }
}

function limit(value: number, count: number): number {
  return value < 0 ? 0 : value >= count ? count - 1 : value;
}

/** Two bytes at once, `share` of 256 parts from the one to the other. */
function mixPairs(from: number, to: number, share: number): number {
  return ((Math.imul(from, 256 - share) + Math.imul(to, share) + halfOfPair) >>> 8) & pair;
}

/** The pixels around a place, from the upper left: fresh lists would take as long as the work. */
const four = new Int32Array(4);

/** Of pixels that are all opaque. */
function mixFour(pixels: Int32Array, right: number, down: number): number {
  const a = pixels[0]!;
  const b = pixels[1]!;
  const c = pixels[2]!;
  const d = pixels[3]!;
  const redBlue = mixPairs(mixPairs(a & pair, b & pair, right), mixPairs(c & pair, d & pair, right), down);
  const green = mixPairs(
    mixPairs((a >>> 8) & pair, (b >>> 8) & pair, right),
    mixPairs((c >>> 8) & pair, (d >>> 8) & pair, right),
    down,
  );
  return redBlue | (green << 8);
}

/** Each pixel by its alpha, so that hidden ones give no colour. */
function blendShown(pixels: Int32Array, right: number, down: number): number {
  let [red, green, blue, weights] = [0, 0, 0, 0];
  for (let i = 0; i < 4; i++) {
    const pixel = pixels[i]!;
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

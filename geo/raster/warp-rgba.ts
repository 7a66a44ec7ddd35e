import type { PixelPlaces } from './control-grid.ts';
import { pickMode } from './pick-mode.ts';
import { isInside, fixed, type PlaceRun, type Warp } from './place-run.ts';
import { blendShown, mixOpaque, warpBilinear } from './warp-bilinear.ts';
import { weighPixels, type WarpKernel } from './weigh-pixels.ts';
import { weighRun } from './weigh-run.ts';
import { wordsOf } from './words.ts';

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

/** The places of nodes, at a row of pixels. */
function lineOf({ step, count, places }: PixelPlaces, row: number, line: Float64Array): void {
  const node = Math.floor(row / step) * count * 2;
  const down = (row % step) / step;
  for (let i = 0; i < line.length; i++) {
    const upper = places[node + i]!;
    line[i] = down === 0 ? upper : upper + (places[node + count * 2 + i]! - upper) * down;
  }
}

function runWarper(target: Int32Array, image: WarpedImage): (start: number, run: PlaceRun) => void {
  const { window, isNearest, kernel } = image;
  const warp = { target, source: wordsOf(window.rgba), image };
  const hasWeights = !kernel || (kernel.across.bytes && kernel.down.bytes && kernel.isMode !== true);
  const warpInside = kernel ? weighRun : warpBilinear;
  const reach = reachOf(kernel);
  return (start, run) => {
    if (!isNearest && hasWeights && isInside(run, image, reach)) warpInside(warp, start, run);
    else warpAnywhere(warp, start, run);
  };
}

/** At edges, where the last pixels count, and by the nearest pixel. */
function warpAnywhere({ target, source, image }: Warp, start: number, run: PlaceRun): void {
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

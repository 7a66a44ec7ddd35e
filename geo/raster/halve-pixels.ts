import { halveRgb } from './halve-rgb.ts';
import { meanOfWords } from './mean-of-words.ts';
import type { RgbSquare } from './rgb-square.ts';
import { wordsOf } from './words.ts';

/** Numbers of pixels; the bands of a pixel are adjacent. */
export type PixelSamples =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array;

/** A square of pixels. */
export interface PixelSquare {
  readonly samples: PixelSamples;
  /** 0 hides a pixel, 1 shows it; or the alpha plane of colours, from 0 to 255. */
  readonly mask?: Uint8Array | undefined;
}

/** What the numbers of pixels mean. */
export interface PixelMeaning {
  readonly bands: number;
  /** Numbers stand for classes, of which no mean is one. */
  readonly isNearest: boolean;
  /** Stands for no data; may be NaN. */
  readonly noData: number | undefined;
  /** The band that weighs the others, which are not multiplied by it. */
  readonly alphaBand: number | undefined;
  /** The samples are red, green and blue of 8 bits, and the mask is an alpha plane that weighs them. */
  readonly hasAlphaPlane?: boolean;
}

/** The part of a square that its image has, and the quarter of its parent that it fills. */
export interface Quarter {
  /** Pixels a side of both squares. */
  readonly side: number;
  readonly width: number;
  readonly height: number;
  readonly right: 0 | 1;
  readonly down: 0 | 1;
}

/** Fills a quarter of a square with the means of two by two pixels, of those with data. */
export function halvePixels(
  parent: PixelSquare,
  child: PixelSquare,
  { quarter, meaning }: { readonly quarter: Quarter; readonly meaning: PixelMeaning },
): void {
  const { side, width, height, right, down } = quarter;
  if (isRgba(meaning, child) && !meaning.isNearest)
    return fillRgba(parent, child, { quarter, parentSide: side });
  if (meaning.hasAlphaPlane && !meaning.isNearest)
    return halveRgb(rgbOf(parent, side), rgbOf(child, side), quarter);
  const halve = halverOf(meaning, parent, child);
  const columns = Math.ceil(width / 2);
  const rows = Math.ceil(height / 2);
  for (let row = 0; row < rows; row++) {
    const target = (down * (side / 2) + row) * side + right * (side / 2);
    const upper = row * 2 * side;
    // a last row or column without a neighbour counts twice
    const lower = row * 2 + 1 < height ? upper + side : upper;
    for (let column = 0; column < columns; column++) {
      const left = column * 2;
      const next = left + 1 < width ? left + 1 : left;
      halve(target + column, upper + left, upper + next, lower + left, lower + next);
    }
  }
}

/** The means of two by two pixels of a square of RGBA, of those that are shown. @param side in pixels, even */
export function halveRgba(rgba: Uint8Array, side: number): Uint8Array {
  const parent = new Uint8Array(rgba.length / 4);
  const quarter = { side, width: side, height: side, right: 0, down: 0 } as const;
  fillRgba({ samples: parent }, { samples: rgba }, { quarter, parentSide: side / 2 });
  return parent;
}

/**
 * The most frequent of two by two pixels of a square of RGBA, of those that are shown; of equally frequent ones the first. @param side in
 * pixels, even
 */
export function halveByMode(rgba: Uint8Array, side: number): Uint8Array {
  const parent = new Uint8Array(rgba.length / 4);
  const [to, from] = [wordsOf(parent), wordsOf(rgba)];
  for (let row = 0, target = 0; row < side; row += 2)
    for (let column = 0; column < side; column += 2) {
      const at = row * side + column;
      to[target++] = modeOf([from[at]!, from[at + 1]!, from[at + side]!, from[at + side + 1]!]);
    }
  return parent;
}

function modeOf(words: readonly [number, number, number, number]): number {
  let [best, maxTimes] = [0, 0];
  for (const word of words) {
    const times = word >>> 24 === 0 ? 0 : words.filter((other) => other === word).length;
    if (times > maxTimes) [best, maxTimes] = [word, times];
  }
  return best;
}

/** Gives the pixel at `to` what the four pixels have, by their numbers. */
type Halve = (to: number, a: number, b: number, c: number, d: number) => void;

function halverOf(meaning: PixelMeaning, parent: PixelSquare, child: PixelSquare): Halve {
  const { bands, isNearest, noData, alphaBand } = meaning;
  if (isNearest) return nearest(bands, parent, child);
  const allCount = !child.mask && noData === undefined && alphaBand === undefined;
  return allCount && isWhole(child.samples)
    ? meanOfAll(bands, parent.samples, child.samples)
    : meanOfShown(meaning, parent, child);
}

function isRgba({ bands, alphaBand }: PixelMeaning, { samples, mask }: PixelSquare): boolean {
  return bands === 4 && alphaBand === 3 && !mask && samples instanceof Uint8Array;
}

/** Two bytes of a word, with room for the sum of four. */
const pair = 0x00ff_00ff;
const halfOfPair = 0x0002_0002;

/** The same as `meanOfShown`, several times faster. */
function fillRgba(
  parent: PixelSquare,
  child: PixelSquare,
  { quarter, parentSide }: { readonly quarter: Quarter; readonly parentSide: number },
): void {
  const { side, width, height, right, down } = quarter;
  const [to, from] = [wordsOf(parent.samples), wordsOf(child.samples)];
  for (let row = 0; row * 2 < height; row++) {
    const target = (down * (side / 2) + row) * parentSide + right * (side / 2);
    const upper = row * 2 * side;
    const lower = row * 2 + 1 < height ? upper + side : upper;
    for (let column = 0; column * 2 < width; column++) {
      const left = column * 2;
      const next = left + 1 < width ? left + 1 : left;
      const a = from[upper + left]!;
      const b = from[upper + next]!;
      const c = from[lower + left]!;
      const d = from[lower + next]!;
      if ((a & b & c & d) >>> 24 !== 255) {
        to[target + column] = meanOfWords(a, b, c, d);
        continue;
      }
      const redBlue = (a & pair) + (b & pair) + (c & pair) + (d & pair) + halfOfPair;
      const green =
        ((a >>> 8) & pair) + ((b >>> 8) & pair) + ((c >>> 8) & pair) + ((d >>> 8) & pair) + halfOfPair;
      to[target + column] = ((redBlue >>> 2) & pair) | (((green >>> 2) & pair) << 8);
    }
  }
}

/** A square of red, green and blue with an alpha plane. */
export function rgbOf({ samples, mask }: PixelSquare, side: number): RgbSquare {
  return { rgb: samples as Uint8Array, alpha: mask!, side };
}

function isWhole(samples: PixelSamples): boolean {
  return !(samples instanceof Float32Array || samples instanceof Float64Array);
}

function nearest(bands: number, parent: PixelSquare, child: PixelSquare): Halve {
  return (target, a) => {
    for (let band = 0; band < bands; band++)
      parent.samples[target * bands + band] = child.samples[a * bands + band]!;
    if (parent.mask && child.mask) parent.mask[target] = child.mask[a]!;
  };
}

/** Of whole numbers. */
function meanOfAll(bands: number, to: PixelSamples, from: PixelSamples): Halve {
  return (target, a, b, c, d) => {
    for (let band = 0; band < bands; band++) {
      const upper = from[a * bands + band]! + from[b * bands + band]!;
      const lower = from[c * bands + band]! + from[d * bands + band]!;
      to[target * bands + band] = Math.floor((upper + lower + 2) / 4);
    }
  };
}

function meanOfShown(meaning: PixelMeaning, parent: PixelSquare, child: PixelSquare): Halve {
  const { bands, noData, alphaBand } = meaning;
  const { samples: from, mask } = child;
  const to = parent.samples;
  const finish = isWhole(from) ? (mean: number) => roundToData(mean, noData) : (mean: number) => mean;
  const empty = noData ?? (isWhole(from) ? 0 : NaN);
  const four = [0, 0, 0, 0];
  return (target, a, b, c, d) => {
    [four[0], four[1], four[2], four[3]] = [a, b, c, d];
    const isSome = mask === undefined || four.some((pixel) => mask[pixel] === 1);
    if (mask && parent.mask) parent.mask[target] = isSome ? 1 : 0;
    for (let band = 0; band < bands; band++) {
      let [sum, weights] = [0, 0];
      for (const pixel of four) {
        const value = from[pixel * bands + band]!;
        if (value !== value || value === noData || (isSome && mask?.[pixel] === 0)) continue;
        const weight = alphaBand === undefined || band === alphaBand ? 1 : from[pixel * bands + alphaBand]!;
        sum += value * weight;
        weights += weight;
      }
      to[target * bands + band] = weights === 0 ? empty : finish(sum / weights);
    }
  };
}

/** A mean is data, even where it happens to be the number for no data. */
function roundToData(mean: number, noData: number | undefined): number {
  const rounded = Math.floor(mean + 0.5);
  if (rounded !== noData) return rounded;
  const isHighest = [8, 16, 32].some((bits) => rounded === 2 ** bits - 1 || rounded === 2 ** (bits - 1) - 1);
  return isHighest ? rounded - 1 : rounded + 1;
}

import type { Quarter } from './halve-pixels.ts';
import { meanOfWords } from './mean-of-words.ts';
import type { RgbSquare } from './rgb-square.ts';
import { wordsOf } from './words.ts';

/**
 * Fills a quarter of a square with the means of two by two pixels, weighed by alpha: of opaque ones by words, as bytes take
 * several times as long.
 */
export function halveRgb(
  parent: RgbSquare,
  child: RgbSquare,
  { width, height, right, down }: Omit<Quarter, 'side'>,
): void {
  const { side } = child;
  const [alphas, parentAlphas] = [wordsOf(child.alpha), wordsOf(parent.alpha)];
  const [colours, parentColours] = [wordsOf(child.rgb), wordsOf(parent.rgb)];
  for (let row = 0; row * 2 < height; row++) {
    const target = (down * (side / 2) + row) * side + right * (side / 2);
    const upper = row * 2 * side;
    // a last row or column without a neighbour counts twice
    const lower = row * 2 + 1 < height ? upper + side : upper;
    for (let column = 0; column < width;) {
      const end = opaqueEnd(alphas, { upper, lower, column, width });
      const to = target + (column >> 1);
      if (end > column) {
        const [at, a, b] = [(to >> 2) * 3, ((upper + column) >> 2) * 3, ((lower + column) >> 2) * 3];
        halveOpaque(parentColours, colours, { at, a, b, count: (end - column) >> 3 });
        parentAlphas.fill(-1, to >> 2, (to >> 2) + ((end - column) >> 3));
        column = end;
        continue;
      }
      const next = column + 1 < width ? 1 : 0;
      halveMixed(parent, child, { to, upper: upper + column, lower: lower + column, next });
      column += 2;
    }
  }
}

interface RowPair {
  readonly upper: number;
  readonly lower: number;
  readonly column: number;
  readonly width: number;
}

/** Where the opaque pixels of two rows end that begin at a column: eight at a time, as they are in words. */
function opaqueEnd(alphas: Int32Array, { upper, lower, column, width }: RowPair): number {
  if (column % 8 !== 0) return column;
  let [a, b] = [(upper + column) >> 2, (lower + column) >> 2];
  let end = column;
  for (; end + 8 <= width; end += 8, a += 2, b += 2)
    if ((alphas[a]! & alphas[a + 1]! & alphas[b]! & alphas[b + 1]!) !== -1) break;
  return end;
}

/** Every second byte of a word, each with room for the sum of two. */
const pair = 0x00ff_00ff;

/** Words of pixels: of the means, and of the upper and the lower row. */
interface OpaqueRun {
  readonly at: number;
  readonly a: number;
  readonly b: number;
  /** Of four means. */
  readonly count: number;
}

/** The bytes of three words, two pixels of a row and half as many means, are r g b r, g b r g, b r g b. */
function halveOpaque(to: Int32Array, from: Int32Array, run: OpaqueRun): void {
  let { at, a, b } = run;
  for (const end = a + run.count * 6; a < end; a += 6, b += 6, at += 3) {
    const u0 = from[a]!;
    const l0 = from[b]!;
    const even0 = (u0 & pair) + (l0 & pair);
    const odd0 = ((u0 >>> 8) & pair) + ((l0 >>> 8) & pair);
    const u1 = from[a + 1]!;
    const l1 = from[b + 1]!;
    const even1 = (u1 & pair) + (l1 & pair);
    const odd1 = ((u1 >>> 8) & pair) + ((l1 >>> 8) & pair);
    const u2 = from[a + 2]!;
    const l2 = from[b + 2]!;
    const even2 = (u2 & pair) + (l2 & pair);
    const odd2 = ((u2 >>> 8) & pair) + ((l2 >>> 8) & pair);
    const u3 = from[a + 3]!;
    const l3 = from[b + 3]!;
    const even3 = (u3 & pair) + (l3 & pair);
    const odd3 = ((u3 >>> 8) & pair) + ((l3 >>> 8) & pair);
    const u4 = from[a + 4]!;
    const l4 = from[b + 4]!;
    const even4 = (u4 & pair) + (l4 & pair);
    const odd4 = ((u4 >>> 8) & pair) + ((l4 >>> 8) & pair);
    const u5 = from[a + 5]!;
    const l5 = from[b + 5]!;
    const even5 = (u5 & pair) + (l5 & pair);
    const odd5 = ((u5 >>> 8) & pair) + ((l5 >>> 8) & pair);
    const red1 = ((even1 >>> 16) + (odd2 & 0xffff) + 2) >>> 2;
    to[at] =
      (((even0 & 0xffff) + (odd0 >>> 16) + 2) >>> 2) |
      ((((odd0 & 0xffff) + (even1 & 0xffff) + 2) >>> 2) << 8) |
      ((((even0 >>> 16) + (odd1 & 0xffff) + 2) >>> 2) << 16) |
      (red1 << 24);
    to[at + 1] =
      (((odd1 >>> 16) + (even2 >>> 16) + 2) >>> 2) |
      ((((even2 & 0xffff) + (odd2 >>> 16) + 2) >>> 2) << 8) |
      ((((even3 & 0xffff) + (odd3 >>> 16) + 2) >>> 2) << 16) |
      ((((odd3 & 0xffff) + (even4 & 0xffff) + 2) >>> 2) << 24);
    to[at + 2] =
      (((even3 >>> 16) + (odd4 & 0xffff) + 2) >>> 2) |
      ((((even4 >>> 16) + (odd5 & 0xffff) + 2) >>> 2) << 8) |
      ((((odd4 >>> 16) + (even5 >>> 16) + 2) >>> 2) << 16) |
      ((((even5 & 0xffff) + (odd5 >>> 16) + 2) >>> 2) << 24);
  }
}

interface MixedPixels {
  readonly to: number;
  readonly upper: number;
  readonly lower: number;
  /** From a pixel to its neighbour. */
  readonly next: 0 | 1;
}

function halveMixed(parent: RgbSquare, child: RgbSquare, { to, upper, lower, next }: MixedPixels): void {
  const mean = meanOfWords(
    wordAt(child, upper),
    wordAt(child, upper + next),
    wordAt(child, lower),
    wordAt(child, lower + next),
  );
  parent.rgb[to * 3] = mean & 255;
  parent.rgb[to * 3 + 1] = (mean >>> 8) & 255;
  parent.rgb[to * 3 + 2] = (mean >>> 16) & 255;
  parent.alpha[to] = mean >>> 24;
}

function wordAt({ rgb, alpha }: RgbSquare, pixel: number): number {
  const at = pixel * 3;
  return rgb[at]! | (rgb[at + 1]! << 8) | (rgb[at + 2]! << 16) | (alpha[pixel]! << 24);
}

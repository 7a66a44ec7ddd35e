import type { Quarter } from './halve-pixels.ts';
import { meanOfWords } from './mean-of-words.ts';
import type { RgbSquare } from './rgb-square.ts';
import { wordsOf } from './words.ts';

/**
 * Fills a quarter of an empty square with the means of two by two pixels, weighed by alpha: of opaque ones by words, as
 * bytes take several times as long.
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
      const to = target + (column >> 1);
      const [a, b] = [(upper + column) >> 2, (lower + column) >> 2];
      const words = column % 8 === 0 ? evenWords(alphas, a, b, (width - column) >> 2) : 0;
      if (words > 0) {
        if (alphas[a] === -1) {
          halveOpaque(parentColours, colours, { at: (to >> 2) * 3, a: a * 3, b: b * 3, count: words >> 1 });
          parentAlphas.fill(-1, to >> 2, (to + words * 2) >> 2);
        }
        column += words * 4;
        continue;
      }
      const next = column + 1 < width ? 1 : 0;
      halveMixed(parent, child, { to, upper: upper + column, lower: lower + column, next });
      column += 2;
    }
  }
}

/** How many words of two rows, from the first on, are all opaque or all hidden: an even number. */
function evenWords(alphas: Int32Array, a: number, b: number, max: number): number {
  const value = alphas[a]!;
  if (value !== -1 && value !== 0) return 0;
  let count = 0;
  for (; count + 2 <= max; count += 2) {
    const [i, j] = [a + count, b + count];
    if (alphas[i] !== value || alphas[i + 1] !== value) break;
    if (alphas[j] !== value || alphas[j + 1] !== value) break;
  }
  return count;
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

/** The bytes of three words, two pixels of a row, are r g b r, g b r g, b r g b; each sum has two of their means. */
function halveOpaque(to: Int32Array, from: Int32Array, run: OpaqueRun): void {
  let { at, a, b } = run;
  for (const end = a + run.count * 6; a < end; a += 6, b += 6, at += 3) {
    const even0 = evenSums(from[a]!, from[b]!);
    const odd0 = oddSums(from[a]!, from[b]!);
    const even1 = evenSums(from[a + 1]!, from[b + 1]!);
    const odd1 = oddSums(from[a + 1]!, from[b + 1]!);
    const even2 = evenSums(from[a + 2]!, from[b + 2]!);
    const odd2 = oddSums(from[a + 2]!, from[b + 2]!);
    const redBlue0 = quarters(even0 + ((odd0 >>> 16) | (odd1 << 16)));
    const greens01 = quarters(((odd0 & low) | (odd1 & high)) + ((even1 & low) | (even2 & high)));
    const redBlue1 = quarters(((even1 >>> 16) | (even2 << 16)) + odd2);
    const even3 = evenSums(from[a + 3]!, from[b + 3]!);
    const odd3 = oddSums(from[a + 3]!, from[b + 3]!);
    const even4 = evenSums(from[a + 4]!, from[b + 4]!);
    const odd4 = oddSums(from[a + 4]!, from[b + 4]!);
    const even5 = evenSums(from[a + 5]!, from[b + 5]!);
    const odd5 = oddSums(from[a + 5]!, from[b + 5]!);
    const redBlue2 = quarters(even3 + ((odd3 >>> 16) | (odd4 << 16)));
    const greens23 = quarters(((odd3 & low) | (odd4 & high)) + ((even4 & low) | (even5 & high)));
    const redBlue3 = quarters(((even4 >>> 16) | (even5 << 16)) + odd5);
    to[at] = redBlue0 | ((greens01 & 255) << 8) | (redBlue1 << 24);
    to[at + 1] = (greens01 >>> 16) | ((redBlue1 >>> 16) << 8) | ((redBlue2 & 255) << 16) | (greens23 << 24);
    to[at + 2] =
      (redBlue2 >>> 16) | ((redBlue3 & 255) << 8) | (greens23 & 0xff_0000) | ((redBlue3 >>> 16) << 24);
  }
}

const low = 0xffff;
const high = 0xffff_0000 | 0;

const evenSums = (a: number, b: number): number => (a & pair) + (b & pair);
const oddSums = (a: number, b: number): number => ((a >>> 8) & pair) + ((b >>> 8) & pair);
/** Of two sums of four bytes, rounded. */
const quarters = (sums: number): number => ((sums + 0x0002_0002) >>> 2) & pair;

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

import { fixed, fixedPlaces, type PlaceRun, type Warp } from './place-run.ts';

/** Two bytes of a word, each with room for a sum of products. */
const pair = 0x00ff_00ff;
const halfOfPair = 0x0080_0080;

/** Of a run inside the image, each pixel by the four around it. */
export function warpBilinear({ target, source, image }: Warp, start: number, run: PlaceRun): void {
  const { width } = image.window;
  const places = fixedPlaces(run, image.window);
  const { across, down } = places;
  let { x, y } = places;
  const end = start + run.length;
  if (across === fixed && down === 0 && ((x | y) & 0xff00) === 0) {
    // on the same grid, each pixel is one of the image
    let at = (Math.imul(y >> 16, width) + (x >> 16)) | 0;
    for (let i = start; i < end; i++, at++) {
      const pixel = source[at]!;
      if (pixel >>> 24 !== 0 && target[i]! >>> 24 === 0) target[i] = pixel;
    }
    return;
  }
  for (let i = start; i < end; i++, x = (x + across) | 0, y = (y + down) | 0) {
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

/**
 * Of four pixels that are all opaque, from the upper left: by weights of 1/256 whose sum is 1, so that one colour stays what it is.
 * @param shares of the right ones in 1/256, and of the lower ones in the next byte
 */
export function mixOpaque(a: number, b: number, c: number, d: number, shares: number): number {
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
export function blendShown(pixels: Int32Array, at: number, width: number, shares: number): number {
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

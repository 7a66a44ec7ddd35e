import { wordsOf } from './words.ts';

/** A square of colours of 8 bits whose alpha stands apart, as encoders of JPEG want them. */
export interface RgbSquare {
  /** Red, green and blue of each pixel. */
  readonly rgb: Uint8Array;
  /** A byte for each pixel; where it is 0, the colour means nothing. */
  readonly alpha: Uint8Array;
  /** Pixels a side, a multiple of eight. */
  readonly side: number;
}

/** A square part of a square, in pixels. */
export interface SquarePart {
  readonly left: number;
  readonly top: number;
  /** A multiple of eight. */
  readonly side: number;
}

/** How much is shown: all pixels are opaque, or hidden, or neither. */
export type Opacity = 'opaque' | 'hidden' | 'mixed';

export function opacityOf({ alpha, side: stride }: RgbSquare, { left, top, side }: SquarePart): Opacity {
  const words = wordsOf(alpha);
  let [all, any] = [-1, 0];
  for (let row = top; row < top + side; row++) {
    const start = (row * stride + left) / 4;
    for (let at = start; at < start + side / 4; at += 2) {
      const [one, other] = [words[at]!, words[at + 1]!];
      all &= one & other;
      any |= one | other;
    }
    if (all !== -1 && any !== 0) return 'mixed';
  }
  return any === 0 ? 'hidden' : 'opaque';
}

/** Puts a square of RGBA into a part of a square. */
export function splitRgba(rgba: Uint8Array, target: RgbSquare, { left, top, side }: SquarePart): void {
  const [from, colours, alphas] = [wordsOf(rgba), wordsOf(target.rgb), wordsOf(target.alpha)];
  for (let row = 0, at = 0; row < side; row++) {
    let to = ((top + row) * target.side + left) / 4;
    for (const end = at + side; at < end; at += 4, to++) {
      const a = from[at]!;
      const b = from[at + 1]!;
      const c = from[at + 2]!;
      const d = from[at + 3]!;
      colours[to * 3] = (a & 0xff_ffff) | (b << 24);
      colours[to * 3 + 1] = ((b >>> 8) & 0xffff) | (c << 16);
      colours[to * 3 + 2] = ((c >>> 16) & 0xff) | (d << 8);
      alphas[to] = (a >>> 24) | ((b >>> 24) << 8) | ((c >>> 24) << 16) | (d & 0xff00_0000);
    }
  }
}

/** Makes all colours of a part black. */
export function blacken({ rgb, side: stride }: RgbSquare, { left, top, side }: SquarePart): void {
  for (let row = top; row < top + side; row++) {
    const start = row * stride + left;
    rgb.fill(0, start * 3, (start + side) * 3);
  }
}

interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** The colours of the upper left part of a square. @param target what they are written to */
export function cutRgb(
  { rgb, side }: RgbSquare,
  { width, height }: PixelSize,
  target: Uint8Array,
): Uint8Array {
  for (let row = 0; row < height; row++)
    target.set(rgb.subarray(row * side * 3, (row * side + width) * 3), row * width * 3);
  return target.subarray(0, width * height * 3);
}

/** The pixels of the upper left part of a square as RGBA. @param rgba what they are written to */
export function joinRgba(
  { rgb, alpha, side }: RgbSquare,
  { width, height }: PixelSize,
  rgba: Uint8Array,
): Uint8Array {
  const words = wordsOf(rgba);
  for (let row = 0, to = 0; row < height; row++)
    for (let at = row * side, end = at + width; at < end; at++, to++) {
      const colour = rgb[at * 3]! | (rgb[at * 3 + 1]! << 8) | (rgb[at * 3 + 2]! << 16);
      words[to] = colour | (alpha[at]! << 24);
    }
  return rgba.subarray(0, width * height * 4);
}

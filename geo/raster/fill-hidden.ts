import { packRgb } from './pack-rgb.ts';

/** Pixels of a block of JPEG with half the resolution of colours, by which hidden pixels change shown ones. */
const reach = 16;

/**
 * Red, green and blue of a square of RGBA, in which hidden pixels near shown ones have their colours: JPEG would carry
 * black from below the mask into the picture. @param side an even number @param rgb what it is written to
 */
export function fillHidden(
  rgba: Uint8Array,
  side: number,
  rgb: Uint8Array = new Uint8Array(side * side * 3),
): Uint8Array {
  const pixels = side * side;
  const words = new Int32Array(rgba.buffer, rgba.byteOffset, pixels);
  const isOpaque = packRgb(words, new Int32Array(rgb.buffer, rgb.byteOffset, (pixels / 4) * 3));
  if (isOpaque) return rgb;
  const filled = new Uint8Array(pixels);
  let hidden = 0;
  for (let i = 0; i < pixels; i++) {
    if (words[i]! >>> 24 !== 0) filled[i] = 1;
    else {
      hidden++;
      rgb[i * 3] = rgb[i * 3 + 1] = rgb[i * 3 + 2] = 0;
    }
  }
  if (hidden === 0 || hidden === pixels) return rgb;
  const lines = { rgb, filled, side };
  spread(lines, side, 1);
  spread(lines, 1, side);
  return rgb;
}

interface Lines {
  readonly rgb: Uint8Array;
  readonly filled: Uint8Array;
  readonly side: number;
}

/** Along lines of pixels that are `step` apart, there and back. */
function spread({ rgb, filled, side }: Lines, lineStep: number, step: number): void {
  for (let line = 0; line < side; line++) {
    const start = line * lineStep;
    const end = start + (side - 1) * step;
    if (!isMixed(filled, start, end, step)) continue;
    for (const [first, by] of [
      [start, step],
      [end, -step],
    ] as const) {
      let last = first;
      let distance = reach;
      for (let i = 0, at = first; i < side; i++, at += by) {
        if (filled[at] === 1) {
          last = at;
          distance = 0;
          continue;
        }
        distance++;
        if (distance > reach || filled[at] !== 0) continue;
        rgb[at * 3] = rgb[last * 3]!;
        rgb[at * 3 + 1] = rgb[last * 3 + 1]!;
        rgb[at * 3 + 2] = rgb[last * 3 + 2]!;
        filled[at] = 2;
      }
    }
    // what this direction has filled may be spread along the other
    for (let i = 0, at = start; i < side; i++, at += step) if (filled[at] === 2) filled[at] = 1;
  }
}

/** Whether some pixels of a line are filled and some are not. */
function isMixed(filled: Uint8Array, start: number, end: number, step: number): boolean {
  for (let at = start; at <= end; at += step) if (filled[at] !== filled[start]) return true;
  return false;
}

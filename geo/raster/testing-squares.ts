import { joinRgba, type RgbSquare } from './rgb-square.ts';

/** A square as RGBA, in which hidden pixels are 0, as their colours mean nothing. */
export function shownRgba(square: RgbSquare): Uint8Array {
  const { side } = square;
  const rgba = joinRgba(square, { width: side, height: side }, new Uint8Array(side ** 2 * 4));
  for (let at = 0; at < rgba.length; at += 4) if (rgba[at + 3] === 0) rgba.fill(0, at, at + 4);
  return rgba;
}

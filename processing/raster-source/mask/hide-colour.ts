import type { HiddenColour } from './mask-settings.ts';

/** Hides the pixels of RGBA that have a colour. */
export function hideColour(rgba: Uint8Array, { red, green, blue, tolerance }: HiddenColour): void {
  for (let at = 0; at < rgba.length; at += 4) {
    const isHidden =
      Math.abs(rgba[at]! - red) <= tolerance &&
      Math.abs(rgba[at + 1]! - green) <= tolerance &&
      Math.abs(rgba[at + 2]! - blue) <= tolerance;
    if (isHidden) rgba.fill(0, at, at + 4);
  }
}

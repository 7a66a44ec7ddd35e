/** Red, green and blue, 0 to 255 each. */
export type Colour = readonly [red: number, green: number, blue: number];

/** @param text `#rrggbb` */
export function parseColour(text: string): Colour {
  const value = Number.parseInt(text.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** @returns `#rrggbb` */
export function formatColour(colour: Colour): string {
  return `#${colour.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** A darker shade, for the outline of an area in this colour. */
export function darken([red, green, blue]: Colour, share = 0.7): Colour {
  return [Math.round(red * share), Math.round(green * share), Math.round(blue * share)];
}

/** A lighter tint. @param share of white that is added, 0 to 1 */
export function lighten([red, green, blue]: Colour, share: number): Colour {
  const tint = (value: number) => Math.min(255, Math.ceil(value + (255 - value) * share));
  return [tint(red), tint(green), tint(blue)];
}

/** Relative luminance of WCAG 2.2, 0 to 1. */
export function luminanceOf([red, green, blue]: Colour): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(value: number): number {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

/** Contrast of WCAG 2.2, 1 to 21. */
export function contrastOf(one: Colour, other: Colour): number {
  const [darker, lighter] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b) as [
    number,
    number,
  ];
  return (lighter + 0.05) / (darker + 0.05);
}

/** @param share position on the ramp, from 0 (its first colour) to 1 (its last); clamped */
export function rampColour(ramp: readonly Colour[], share: number): Colour {
  const at = Math.min(1, Math.max(0, share)) * (ramp.length - 1);
  const i = Math.min(ramp.length - 2, Math.floor(at));
  const [from, to] = [ramp[i]!, ramp[i + 1]!];
  const mix = (band: 0 | 1 | 2) => from[band] + (to[band] - from[band]) * (at - i);
  return [mix(0), mix(1), mix(2)];
}

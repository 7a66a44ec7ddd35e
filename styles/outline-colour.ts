import { darken, formatColour, luminanceOf, parseColour } from '@platen/geo/canvas/colour';

/** Outlines are no lighter, so that they stand out from light base maps by 3 : 1, as WCAG 2.2 asks of graphics (1.4.11). */
const maxLuminance = 0.165;

/** The outline of points and areas of a colour, unless the style has another: a darker shade of it. */
export function outlineOf(hex: string): string {
  let shade = darken(parseColour(hex));
  while (luminanceOf(shade) > maxLuminance) shade = darken(shade, 0.95);
  return formatColour(shade);
}

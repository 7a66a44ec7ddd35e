import {
  contrastOf,
  darken,
  formatColour,
  lighten,
  luminanceOf,
  parseColour,
} from '@platen/geo/canvas/colour';

/**
 * Outlines are neither lighter nor darker, so that they stand out from the light base maps and from the dark one by 3 : 1, as
 * WCAG 2.2 asks of graphics (1.4.11).
 */
const [minLuminance, maxLuminance] = [0.156, 0.17];
/** Small enough not to step over the range. */
const step = 0.01;

/** The outline of points, lines and areas of a colour, unless the style has another: a shade of it. */
export function outlineOf(hex: string): string {
  let shade = parseColour(hex);
  while (luminanceOf(shade) > maxLuminance) shade = darken(shade, 1 - step);
  while (luminanceOf(shade) < minLuminance) shade = lighten(shade, step);
  return formatColour(shade);
}

/** What WCAG 2.2 asks of graphics (1.4.11). */
const minContrast = 3;

/** The hatch of an area of a colour, unless the style has another: a shade that stands out from it. */
export function hatchColourOf(hex: string): string {
  const area = parseColour(hex);
  const isLight = luminanceOf(area) > maxLuminance;
  let shade = area;
  for (let share = step; contrastOf(shade, area) < minContrast; share += step)
    shade = isLight ? darken(area, 1 - share) : lighten(area, share);
  return formatColour(shade);
}

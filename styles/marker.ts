import type { MapStyle, StyleIcon } from '@platen/contract/map-styles';
import { luminanceOf, parseColour } from '@platen/geo/canvas/colour';
import { defaultOutlineWidth, styleDefaults } from './style-defaults.ts';

/** Drawn larger than they are shown, so that they stay sharp on dense screens. */
export const markerPixels = 64;

interface Marker {
  readonly colour: string;
  readonly opacity: number;
  readonly outline: { readonly colour: string; readonly width: number } | undefined;
  readonly icon: StyleIcon | undefined;
}

/** Whether points are drawn as markers rather than as plain circles. */
export function hasMarkers({ icon, colour }: MapStyle): boolean {
  return icon !== undefined || (colour.type === 'categories' && colour.categories.some((one) => one.icon));
}

/**
 * A disc with an icon, as a data address of an SVG picture.
 * @param pixels its width and height
 */
export function markerImage(
  { colour, opacity, outline, icon }: Marker,
  pixels: number = markerPixels,
): string {
  // the disc fills a square of 24 units with its outline; the icon has 15 units in its middle
  const width = Math.min(outline?.width ?? 0, 6);
  const disc = attributes({
    cx: 12,
    cy: 12,
    r: 12 - width / 2,
    fill: colour,
    ...(opacity < 1 && { 'fill-opacity': opacity }),
    ...(outline && width > 0 && { stroke: outline.colour, 'stroke-width': width }),
  });
  const glyph = icon
    ? `<path ${attributes({ transform: 'translate(4.5 4.5)', fill: inkOn(colour), d: icon.path })}/>`
    : '';
  const size = attributes({ width: pixels, height: pixels, viewBox: '0 0 24 24' });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}><circle ${disc}/>${glyph}</svg>`;
  // such an address stands in single quotation marks in expressions
  return `data:image/svg+xml,${encodeURIComponent(svg).replaceAll("'", '%27')}`;
}

const attributes = (values: Readonly<Record<string, string | number>>) =>
  Object.entries(values)
    .map(([name, value]) => `${name}="${value}"`)
    .join(' ');

/** White or dark, whichever has the higher contrast (relative luminance of WCAG 2.2). */
function inkOn(hex: string): string {
  return luminanceOf(parseColour(hex)) > 0.4 ? styleDefaults.labelColour : '#ffffff';
}

/** The marker of a style in one of its colours. */
export const markerOf = (
  { opacity = 1, outline, icon }: MapStyle,
  colour: string,
  ownIcon: StyleIcon | undefined = icon,
): Marker => ({
  colour,
  opacity,
  outline:
    outline === null
      ? undefined
      : { colour: styleDefaults.markerOutlineColour, width: defaultOutlineWidth('point'), ...outline },
  icon: ownIcon,
});

import type { NamedStyle } from '@platen/contract/named-styles';
import { paletteColours } from '@platen/styles/palettes';
import { readPointStyle } from '@platen/styles/point-cloud/read-point-style';

const maxSwatches = 24;
/** Of points that have colours of their own. */
const manyColours = paletteColours('Spectral', 7)!;
/** Where only the map can show it. */
const unknown = ['#9aa7b1'];

/** Samples of the colours of a style, as a background. */
export function swatchesOf(style: NamedStyle): string {
  const rule = readPointStyle(style)?.colour;
  if (rule === undefined) return inBands(unknown);
  if (rule.type === 'single') return inBands(rule.isOwn === true ? manyColours : [rule.colour]);
  if (rule.type === 'classes') return inBands(rule.colours);
  if (rule.type === 'continuous') return gradient(rule.stops.map(({ colour }) => colour));
  const colours = rule.categories.map(({ colour }) => colour);
  return inBands(colours.length === 0 ? unknown : colours);
}

const gradient = (colours: readonly string[]) => `linear-gradient(to right, ${colours.join(', ')})`;

/** Each colour with sharp edges. */
function inBands(all: readonly string[]): string {
  const colours = all.slice(0, maxSwatches);
  const at = (i: number) => `${((100 * i) / colours.length).toFixed(2)}%`;
  return gradient(colours.map((colour, i) => `${colour} ${at(i)} ${at(i + 1)}`));
}

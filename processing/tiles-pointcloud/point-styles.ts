import { className } from '@platen/formats/las/point-format';
import { intensityAt, type PointStatistics } from './statistics.ts';
import type { TileProperty } from './tile/tile-properties.ts';

/** A style of VC Map for points. */
interface PointStyle {
  readonly type: 'DeclarativeStyleItem';
  readonly name: string;
  readonly declarativeStyle: Record<string, unknown>;
  readonly properties?: Record<string, unknown>;
}

/** Colours of ASPRS's classes. */
const classColours: Readonly<Record<number, string>> = {
  2: '#a5713c',
  3: '#a8d46f',
  4: '#5faf3c',
  5: '#2f7d2f',
  6: '#d95f4c',
  7: '#ff00ff',
  8: '#ffd24d',
  9: '#3d8bd9',
  10: '#7a5ca8',
  11: '#6b6b6b',
  12: '#c9b458',
  13: '#e8e337',
  14: '#e0a800',
  15: '#b05fc6',
  16: '#6fd0d6',
  17: '#8c8c9a',
  18: '#ff66cc',
  19: '#9c8262',
  20: '#c7a27c',
  21: '#f4f7fa',
  22: '#9aa7b1',
};
const otherColour = '#b8b8b8';
/** Low and high noise: kept in the tiles, and hidden by the style. */
const noise = [7, 18];
const maxBlackShare = 0.9;

/** Whether the points have colours of their own that are worth showing. */
export function hasOwnColours({ coloured, black }: PointStatistics): boolean {
  return coloured > 0 && black < maxBlackShare * (coloured + black);
}

/** The styles that the data allows, the most telling one first. */
export function pointStyles(statistics: PointStatistics, properties: readonly TileProperty[]): PointStyle[] {
  const has = (attribute: string): boolean => properties.some((one) => one.attribute === attribute);
  const styles: PointStyle[] = [];
  if (hasOwnColours(statistics)) styles.push(styleOf('Colour', { color: '${COLOR}' }));
  if (has('classification')) styles.push(classStyle(statistics));
  if (has('intensity')) styles.push(intensityStyle(statistics));
  return styles;
}

function styleOf(
  name: string,
  declarativeStyle: Record<string, unknown>,
  properties?: Record<string, unknown>,
): PointStyle {
  return { type: 'DeclarativeStyleItem', name, declarativeStyle, ...(properties && { properties }) };
}

function classStyle({ classes }: PointStatistics): PointStyle {
  const codes = [...classes.keys()].filter((code) => classes[code]! > 0);
  const colourOf = (code: number): string => classColours[code] ?? otherColour;
  const conditions = codes.map((code) => [`\${CLASSIFICATION} === ${code}`, `color('${colourOf(code)}')`]);
  const hidden = noise.filter((code) => classes[code]! > 0);
  const rows = codes
    .filter((code) => !hidden.includes(code))
    .map((code) => ({ type: 'FillLegendRow', title: className(code), fill: { color: colourOf(code) } }));
  return styleOf(
    'Classification',
    {
      color: { conditions: [...conditions, ['true', `color('${otherColour}')`]] },
      ...(hidden.length > 0 && { show: hidden.map((code) => `\${CLASSIFICATION} !== ${code}`).join(' && ') }),
    },
    { legend: [{ type: 'StyleLegendItem', rows }] },
  );
}

function intensityStyle(statistics: PointStatistics): PointStyle {
  const low = intensityAt(statistics, 0.02);
  const high = Math.max(low + 64, intensityAt(statistics, 0.98) + 64);
  const grey = `clamp((\${INTENSITY} - ${low}.0) / ${high - low}.0, 0.1, 1.0) * 255.0`;
  return styleOf('Intensity', { color: `rgb(${grey}, ${grey}, ${grey})` });
}

import { className } from '@platen/formats/las/point-format';
import { rampColour } from '@platen/geo/canvas/colour';
import { heightRamp } from '@platen/geo/canvas/height-ramp';
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
/** The styles that the data allows, the most telling one first. */
export function pointStyles(
  statistics: PointStatistics,
  properties: readonly TileProperty[],
  {
    heights,
    hasColours,
  }: { readonly heights: readonly [lowest: number, highest: number]; readonly hasColours: boolean },
): PointStyle[] {
  const has = (attribute: string): boolean => properties.some((one) => one.attribute === attribute);
  const styles: PointStyle[] = [];
  if (has('distance')) styles.push(changeStyle());
  if (hasColours) styles.push(styleOf('Colour', { color: '${COLOR}' }));
  if (has('classification')) styles.push(classStyle(statistics));
  if (has('intensity')) styles.push(intensityStyle(statistics));
  if (has('returnNumber')) styles.push(returnStyle(statistics));
  if (has('height')) styles.push(rampStyle({ title: 'Height', property: 'HEIGHT', unit: ' m' }, heights));
  for (const [i, extra] of properties.flatMap((one) => one.extra ?? []).entries()) {
    const [lowest, highest] = [statistics.lowest[i]!, statistics.highest[i]!];
    if (lowest <= highest) styles.push(rampStyle({ title: extra.name, ...extra }, [lowest, highest]));
  }
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
    .map((code) => legendRow(className(code), colourOf(code)));
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

const legendRow = (title: string, color: string): object => ({
  type: 'FillLegendRow',
  title,
  fill: { color },
});

/** The first return, those behind it, and none. */
const returnColours = ['#9aa7b1', '#d9774c', '#3d8bd9', '#5faf3c', '#b05fc6', '#e0a800'];

function returnStyle({ numbers }: PointStatistics): PointStyle {
  const found = [...numbers.keys()].filter((number) => numbers[number]! > 0);
  const colourOf = (number: number): string => returnColours[number] ?? otherColour;
  const conditions = found.map((number) => [
    `\${RETURN_NUMBER} === ${number}`,
    `color('${colourOf(number)}')`,
  ]);
  const rows = found.map((number) => legendRow(String(number), colourOf(number)));
  return styleOf(
    'Return number',
    { color: { conditions: [...conditions, ['true', `color('${otherColour}')`]] } },
    { legend: [{ type: 'StyleLegendItem', rows }] },
  );
}

const bands = 10;

interface Ramped {
  readonly title: string;
  readonly property: string;
  readonly unit?: string;
  readonly mayBeMissing?: boolean;
}

/** Lower than all numbers but the one of points without any. */
const veryLow = '-1e20';

function rampStyle(
  { title, property, unit = '', mayBeMissing = false }: Ramped,
  [lowest, highest]: readonly [number, number],
): PointStyle {
  const step = Math.max(highest - lowest, Math.abs(highest) * 1e-6, 1e-6) / bands;
  const digits = Math.max(0, Math.ceil(-Math.log10(step)));
  const above = (band: number): string => (lowest + band * step).toFixed(digits);
  const colours = Array.from({ length: bands }, (_, band) => {
    const [red, green, blue] = rampColour(heightRamp, band / (bands - 1)).map(Math.round);
    return `#${[red, green, blue].map((value) => value!.toString(16).padStart(2, '0')).join('')}`;
  });
  const conditions = colours.map((colour, band) =>
    band < bands - 1
      ? [`\${${property}} < ${above(band + 1)}`, `color('${colour}')`]
      : ['true', `color('${colour}')`],
  );
  const rows = colours.map((colour, band) => legendRow(`${above(band)}${unit}`, colour)).toReversed();
  const missing = [`\${${property}} < ${veryLow}`, `color('${otherColour}')`];
  const all = mayBeMissing ? [missing, ...conditions] : conditions;
  return styleOf(title, { color: { conditions: all } }, { legend: [{ type: 'StyleLegendItem', rows }] });
}

/** From what did not change to what is new. */
const changeColours = [
  [0.05, '#c9ced6'],
  [0.1, '#fee391'],
  [0.25, '#fec44f'],
  [0.5, '#fe9929'],
  [1, '#ec7014'],
  [2, '#cc4c02'],
  [Infinity, '#8c2d04'],
] as const;

/** By the distance to an older cloud. */
function changeStyle(): PointStyle {
  const conditions = changeColours.map(([limit, colour]) => [
    limit === Infinity ? 'true' : `\${DISTANCE} < ${limit}`,
    `color('${colour}')`,
  ]);
  const rows = changeColours.map(([limit, colour], i) =>
    legendRow(limit === Infinity ? `≥ ${changeColours[i - 1]![0]} m` : `< ${limit} m`, colour),
  );
  return styleOf('Change', { color: { conditions } }, { legend: [{ type: 'StyleLegendItem', rows }] });
}

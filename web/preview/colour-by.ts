import { centralRange, type Range } from '@platen/styles/central-range';
import { namesIdentifier } from '@platen/styles/identifier-names';
import type { Feature } from 'geojson';
import type { ExpressionSpecification } from 'maplibre-gl';

/** From low to high: petrol over sand to orange, distinguishable with colour blindness. */
export const ramps = {
  light: ['#2a7f92', '#55a79b', '#e0b642', '#e37b32', '#c5351f'],
  dark: ['#2b6f7c', '#4fa9a0', '#d9c46a', '#f39a4e', '#ff6b4a'],
} as const;

/** Numeric fields with varying values, without identifiers, which say nothing by their size. */
export function numericFields(features: readonly Feature[]): string[] {
  const values = new Map<string, Set<number>>();
  const others = new Set<string>();
  for (const { properties } of features) {
    for (const [name, value] of Object.entries(properties ?? {})) {
      if (typeof value === 'number' && Number.isFinite(value)) {
        const known = values.get(name) ?? new Set<number>();
        values.set(name, known.add(value));
      } else if (value !== null) others.add(name);
    }
  }
  return [...values]
    .filter(([name, known]) => known.size > 1 && !others.has(name) && !namesIdentifier(name))
    .map(([name]) => name);
}

/** The range of most values of a field. */
export function rangeOf(features: readonly Feature[], field: string): Range | undefined {
  const values = features
    .map(({ properties }) => properties?.[field] as unknown)
    .filter((value): value is number => typeof value === 'number' && Number.isFinite(value));
  return centralRange(values);
}

/** Colours each feature by a number; features without one are grey. */
export function colourBy(
  field: string,
  { from, to }: Range,
  { ramp, none }: { ramp: readonly string[]; none: string },
): ExpressionSpecification {
  if (from >= to) return ['to-color', ramp[2]!];
  const stops = ramp.flatMap((colour, i) => [
    from + ((to - from) * i) / (ramp.length - 1),
    ['to-color', colour],
  ]);
  return [
    'case',
    ['==', ['typeof', ['get', field]], 'number'],
    ['interpolate', ['linear'], ['to-number', ['get', field]], ...stops],
    ['to-color', none],
  ] as unknown as ExpressionSpecification;
}

/** Values of the range for a legend, including both ends: whole numbers between whole numbers. */
export function ticksOf({ from, to }: Range, count = 4): number[] {
  const isWhole = Number.isInteger(from) && Number.isInteger(to);
  const values = Array.from({ length: count }, (_, i) => from + ((to - from) * i) / (count - 1));
  return isWhole ? [...new Set(values.map(Math.round))] : values;
}

/** Below it, whole numbers are written without separators, since many are years. */
const minSeparated = 10_000;

/** A value of the legend, short. @param format writes numbers as the language does */
export const tickText = (value: number, format: (value: number, options: object) => string): string =>
  Number.isInteger(value) && Math.abs(value) < minSeparated
    ? format(value, { useGrouping: false })
    : format(value, { maximumSignificantDigits: 3, notation: 'compact' });

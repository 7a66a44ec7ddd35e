import { ckmeans, equalIntervalBreaks, quantileSorted } from 'simple-statistics';

export type ClassMethod = 'equal' | 'quantile' | 'natural';

/** Natural breaks need time by the square of the number of distinct values. */
const maxNaturalValues = 2000;

/**
 * Divides numbers into classes.
 * @param values in any order; quantiles of the data do as well as all values
 * @returns ascending breaks, both ends included; fewer classes than asked for if there are fewer distinct values
 */
export function classBreaks(values: readonly number[], count: number, method: ClassMethod): number[] {
  const sorted = values.filter(Number.isFinite).toSorted((one, other) => one - other);
  if (sorted.length === 0) return [];
  return strictlyAscending(breaksOf(sorted, count, method));
}

function breaksOf(sorted: readonly number[], count: number, method: ClassMethod): number[] {
  const last = sorted.at(-1)!;
  if (method === 'equal') return equalIntervalBreaks([...sorted], count);
  if (method === 'quantile')
    return Array.from({ length: count + 1 }, (_, i) => quantileSorted([...sorted], i / count));
  const thinned = evenlySpaced(sorted, maxNaturalValues);
  const clusters = ckmeans(thinned, Math.min(count, new Set(thinned).size));
  return [...clusters.map((cluster) => cluster[0]!), last];
}

/** At most so many of the values, both ends included. */
export function evenlySpaced(sorted: readonly number[], max: number): number[] {
  if (sorted.length <= max) return [...sorted];
  return Array.from({ length: max }, (_, i) => sorted[Math.round((i * (sorted.length - 1)) / (max - 1))]!);
}

/** A single value gets two equal breaks. */
function strictlyAscending(breaks: readonly number[]): number[] {
  const distinct = breaks.filter((value, i) => i === 0 || value > breaks[i - 1]!);
  return distinct.length > 1 ? distinct : [distinct[0]!, distinct[0]!];
}

/**
 * Rounds inner breaks to the fewest digits that keep them apart, as legends show them; the ends stay outside the data.
 */
export function roundBreaks(breaks: readonly number[]): number[] {
  for (let digits = 2; digits < 15; digits += 1) {
    const rounded = breaks.map((value, i) => roundTo(value, digits, i, breaks.length));
    if (rounded.every((value, i) => i === 0 || value > rounded[i - 1]!)) return rounded;
  }
  return [...breaks];
}

function roundTo(value: number, digits: number, i: number, count: number): number {
  if (value === 0) return 0;
  const step = 10 ** (Math.floor(Math.log10(Math.abs(value))) - digits + 1);
  const round = i === 0 ? Math.floor : i === count - 1 ? Math.ceil : Math.round;
  return Number((round(value / step) * step).toPrecision(12));
}

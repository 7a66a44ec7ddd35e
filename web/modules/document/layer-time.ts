import type { LayerTime, TimeStep } from '@platen/contract/layer-time';
import type { AttributeSummary } from '@platen/styles/style-attribute';
import { momentOf } from '@platen/viewer/time-axis';

/** The first and the last moment, in milliseconds since 1970. */
interface Span {
  readonly from: number;
  readonly to: number;
}

const dayMs = 86_400_000;
/** Texts that are dates now and then are none. */
const minShare = 0.8;
const knownYears = { from: -3000, to: 3000 };
/** From 1973 to 2286: smaller numbers are amounts. */
const knownMs = { from: 1e11, to: 1e13 };

/** The attributes that a time slider can show: dates, years, and milliseconds. */
export const dateAttributes = (attributes: readonly AttributeSummary[]): AttributeSummary[] =>
  attributes.filter((attribute) => spanOf(attribute) !== undefined);

function spanOf({ type, min, max, values }: AttributeSummary): Span | undefined {
  if (type === 'number') {
    if (min === undefined || max === undefined) return undefined;
    const isIn = (range: Span) => min >= range.from && max <= range.to;
    const areYears = isIn(knownYears) && max > 100 && values.every((value) => Number.isInteger(value));
    return areYears || isIn(knownMs) ? rangeOf([min, max]) : undefined;
  }
  const dates = values.filter((value) => typeof value === 'string' && momentOf(value) !== undefined);
  return values.length > 0 && dates.length >= values.length * minShare ? rangeOf(dates) : undefined;
}

function rangeOf(values: readonly unknown[]): Span | undefined {
  const moments = values.flatMap((value) => momentOf(value) ?? []);
  return moments.length === 0 ? undefined : { from: Math.min(...moments), to: Math.max(...moments) };
}

/** The time of a layer by one attribute, or from one to another, over all that is known of their values. */
export function timeBy(begin: AttributeSummary, end?: AttributeSummary): LayerTime {
  const spans = [begin, ...(end ? [end] : [])].flatMap((attribute) => spanOf(attribute) ?? []);
  const from = Math.min(...spans.map((span) => span.from));
  const to = Math.max(...spans.map((span) => span.to));
  const step = stepFor(from, to);
  return {
    attribute: begin.name,
    ...(end && { until: end.name }),
    from: momentText(from, step),
    to: momentText(to, step),
    step,
  };
}

function stepFor(from: number, to: number): TimeStep {
  const days = (to - from) / dayMs;
  if (days > 5 * 365) return 'year';
  if (days > 90) return 'month';
  return days > 3 ? 'day' : 'hour';
}

/** As short as the step allows: `1990`, `1990-05`, `1990-05-01`, `1990-05-01T12:00Z`. */
export function momentText(moment: number, step: TimeStep): string {
  const text = new Date(moment).toISOString();
  const [year = ''] = /^[+-]?\d+/.exec(text) ?? [];
  if (step === 'year') return String(Number(year));
  const lengths = { month: 3, day: 6, hour: 12 };
  return text.slice(0, year.length + lengths[step]) + (step === 'hour' ? 'Z' : '');
}

// Runs in the browser, as a part of start.ts: which features there are at which time.
import type { LayerTime, TimeStep } from '@platen/contract/layer-time';

/** A year, month, day or hour: from its first millisecond to the first of the next, both since 1970. */
export interface Period {
  readonly start: number;
  readonly end: number;
}

const maxPeriods = 2000;
const coarser: Readonly<Record<TimeStep, TimeStep | undefined>> = {
  hour: 'day',
  day: 'month',
  month: 'year',
  year: undefined,
};

/**
 * Milliseconds since 1970 of ISO 8601 and German texts, of years, and of milliseconds. A date without a time begins in
 * UTC. Undefined if it is no date.
 */
export function momentOf(value: unknown): number | undefined {
  if (value instanceof Date) return numberOf(value.getTime());
  if (typeof value === 'number') return Math.abs(value) < 10_000 ? yearStart(value) : numberOf(value);
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (/^-?\d{1,4}$/.test(text)) return yearStart(Number(text));
  const [, day, month, year] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text) ?? [];
  if (year !== undefined) return numberOf(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return /^\d{4}-\d{2}(?:-\d{2})?(?:[T ]|$)/.test(text) ? numberOf(Date.parse(text)) : undefined;
}

/** Dates reach no further (ECMA-262, 21.4.1.1). */
const maxMs = 8.64e15;
const numberOf = (ms: number) => (Math.abs(ms) <= maxMs ? ms : undefined);

/** Date.UTC takes years below 100 for those of the twentieth century. */
function yearStart(year: number): number | undefined {
  return Number.isInteger(year) ? numberOf(new Date(0).setUTCFullYear(year, 0, 1)) : undefined;
}

/** All periods from one moment to another; longer ones if there were more than 2,000. */
export function periodsOf(from: number, to: number, step: TimeStep): Period[] {
  const periods: Period[] = [];
  for (let start = floorTo(from, step); start <= to && periods.length <= maxPeriods;) {
    const end = after(start, step);
    periods.push({ start, end });
    start = end;
  }
  const larger = coarser[step];
  return periods.length > maxPeriods && larger !== undefined
    ? periodsOf(from, to, larger)
    : periods.slice(0, maxPeriods);
}

function floorTo(moment: number, step: TimeStep): number {
  const date = new Date(moment);
  if (step === 'hour') return date.setUTCMinutes(0, 0, 0);
  if (step === 'month') date.setUTCDate(1);
  if (step === 'year') date.setUTCMonth(0, 1);
  return date.setUTCHours(0, 0, 0, 0);
}

function after(start: number, step: TimeStep): number {
  const date = new Date(start);
  if (step === 'hour') return date.setUTCHours(date.getUTCHours() + 1);
  if (step === 'day') return date.setUTCDate(date.getUTCDate() + 1);
  if (step === 'month') return date.setUTCMonth(date.getUTCMonth() + 1);
  return date.setUTCFullYear(date.getUTCFullYear() + 1);
}

/** Whether a feature is there. A beginning or end that is missing, or no date, is open; such an event is never there. */
export function isThere(
  { attribute, until, shows = 'untilThen' }: LayerTime,
  valueOf: (attribute: string) => unknown,
  { start, end }: Period,
): boolean {
  const begin = momentOf(valueOf(attribute));
  if (until === undefined && shows === 'during') return begin !== undefined && begin >= start && begin < end;
  const last = until === undefined ? undefined : momentOf(valueOf(until));
  return (begin === undefined || begin < end) && (last === undefined || last >= start);
}

const formats = {
  year: { year: 'numeric' },
  month: { year: 'numeric', month: 'long' },
  day: { year: 'numeric', month: 'long', day: 'numeric' },
  hour: { year: 'numeric', month: 'long', day: 'numeric', hour: '2-digit', minute: '2-digit' },
} as const satisfies Record<TimeStep, Intl.DateTimeFormatOptions>;

/** In UTC, in which dates without a time are the same day everywhere. */
export function periodText({ start, end }: Period, locale: string): string {
  const hours = (end - start) / 3_600_000;
  const step = hours <= 1 ? 'hour' : hours <= 24 ? 'day' : hours <= 24 * 31 ? 'month' : 'year';
  return new Intl.DateTimeFormat(locale, { ...formats[step], timeZone: 'UTC' }).format(start);
}

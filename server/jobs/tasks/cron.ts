import { Cron } from 'croner';
import { LRUCache } from 'lru-cache';
import { zoneOf, type Zone } from './zone.ts';

// croner says which days and times a pattern names. What that means for local clocks that are put forward and back is
// decided here (ADR 46).

const number = String.raw`\d{1,2}`;
const months = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec';
const days = 'sun|mon|tue|wed|thu|fri|sat';

/** A list of values, ranges and steps; `more` adds forms that only this field allows. */
function field(value: string, more = ''): string {
  const item = String.raw`(?:(?:\*|${value}-${value})/${number}|${value}-${value}|${value}|\*${more})`;
  return `${item}(?:,${item})*`;
}

const time = field(number);
const dayOfMonth = String.raw`(?:LW|\?|${field(number, `|${number}W|L`)})`;
const month = field(`(?:${number}|${months})`);
const day = `(?:[0-7]|${days})`;
const dayOfWeek = String.raw`(?:\?|\+?${field(day, String.raw`|${day}(?:-${day})?(?:#[1-5L]|L)`)})`;
const nickname = '@(?:yearly|annually|monthly|weekly|daily|midnight|hourly)';
/** Stricter than croner, which accepts 1x as 1, and dates as patterns. */
const grammar = new RegExp(
  String.raw`^\s*(?:${nickname}|(?:${time}\s+)?${time}\s+${time}\s+${dayOfMonth}\s+${month}\s+${dayOfWeek})\s*$`,
  'i',
);

const known = new LRUCache<string, Cron>({ max: 1000 });

/** @throws Error for an invalid pattern */
function parse(pattern: string): Cron {
  const before = known.get(pattern);
  if (before) return before;
  if (!grammar.test(pattern)) throw new TypeError('This is not a cron pattern.');
  // UTC has the same clock readings as other zones, but no changes of the clock; as an offset it needs no Intl
  const cron = new Cron(pattern, { utcOffset: 0, mode: '5-or-6-parts', paused: true });
  known.set(pattern, cron);
  return cron;
}

export function isPattern(pattern: string): boolean {
  try {
    parse(pattern);
    return true;
  } catch {
    return false;
  }
}

/**
 * The next run of a pattern after an instant, by the clocks of a time zone; undefined for never.
 *
 * A pattern with fixed hours names clock times: each runs once on every matching day, at the first instant when the
 * clock has reached it. That is the first of two when the clock goes back, and the end of the gap when it skips the
 * time. A pattern with all hours, or with steps of hours, runs whenever the clock shows a matching time, so twice for
 * a time that the clock shows twice.
 * @throws Error for an invalid pattern or time zone
 */
export function nextRunOf(pattern: string, timezone: string, after: Date): Date | undefined {
  const cron = parse(pattern);
  const zone = zoneOf(timezone);
  const next = namesHours(pattern)
    ? nextByClock(cron, zone, after.getTime())
    : nextOfAll(cron, zone, after.getTime());
  return next === undefined ? undefined : new Date(next);
}

function namesHours(pattern: string): boolean {
  const fields = pattern.trim().split(/\s+/);
  if (fields.length === 1) return fields[0]!.toLowerCase() !== '@hourly';
  const hours = fields.at(-4)!;
  if (/[*/]/.test(hours)) return false;
  const named = new Set(hours.split(',').flatMap(rangeOf));
  return named.size < 24;
}

function rangeOf(item: string): number[] {
  const [from, to = from] = item.split('-').map(Number);
  return Array.from({ length: to! - from! + 1 }, (_, index) => from! + index);
}

/** The next clock reading after this one that matches the pattern. */
function nextReading(cron: Cron, reading: number): number | undefined {
  return cron.nextRun(new Date(reading))?.getTime();
}

const dayMs = 24 * 3_600_000;
/** No clock differs more from UTC. */
const furthestMs = 16 * 3_600_000;

function nextByClock(cron: Cron, zone: Zone, after: number): number | undefined {
  const reading = nextReading(cron, furthestReading(zone, after));
  return reading === undefined ? undefined : firstInstantOf(zone, reading);
}

/**
 * The latest reading the clock has shown up to this instant: later than the current one if the clock has just gone
 * back.
 */
function furthestReading(zone: Zone, at: number): number {
  let furthest = at + zone.offsetMs(at);
  let change = zone.changeUntil(at);
  // no clock has gone back by more than a day
  for (; at - change <= 2 * dayMs; change = zone.changeUntil(change - 1))
    furthest = Math.max(furthest, change - 1 + zone.offsetMs(change - 1));
  return furthest;
}

/** The first instant at which the clock shows this reading or a later one. */
function firstInstantOf(zone: Zone, reading: number): number {
  let from = reading - furthestMs;
  for (;;) {
    const instant = Math.max(from, reading - zone.offsetMs(from));
    const change = zone.changeAfter(from);
    if (instant < change) return instant;
    from = change;
  }
}

function nextOfAll(cron: Cron, zone: Zone, after: number): number | undefined {
  for (let last = after; ;) {
    const offset = zone.offsetMs(last + 1);
    const reading = nextReading(cron, last + offset);
    if (reading === undefined) return undefined;
    const change = zone.changeAfter(last + 1);
    if (reading - offset < change) return reading - offset;
    // unless the clock goes back to earlier readings, nothing matches before the next reading
    const isFar = change - last > 2 * dayMs;
    last = isFar ? Math.max(change - 1, reading - 2 * dayMs) : change - 1;
  }
}

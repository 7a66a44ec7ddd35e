import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPattern, nextRunOf } from './cron.ts';

// The oracle knows nothing of transitions, and takes its clocks from Intl, not from Temporal: it looks at the clock of a
// place in every minute, and at patterns field by field.

const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const formats = new Map<string, Intl.DateTimeFormat>();
const numeric = 'numeric' as const;
const shown = {
  hourCycle: 'h23',
  year: numeric,
  month: numeric,
  day: numeric,
  hour: numeric,
  minute: numeric,
} as const;

/** What a clock shows, as the milliseconds that it would be in UTC. */
function readingOf(zone: string, atMs: number): number {
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('en-US', { timeZone: zone, ...shown });
  formats.set(zone, format);
  const [month, day, year, hour, minute] = format.format(atMs).match(/\d+/g)!.map(Number);
  return Date.UTC(year!, month! - 1, day, hour, minute);
}

function valuesOf(field: string, first: number, last: number): Set<number> {
  const values = new Set<number>();
  for (const item of field.split(',')) {
    const [range, step = '1'] = item.split('/');
    const [from, to = from] = range === '*' ? [first, last] : range!.split('-').map(Number);
    for (let value = from!; value <= to!; value += Number(step)) values.add(value);
  }
  return values;
}

function memoize<T>(compute: (key: number) => T): (key: number) => T {
  const known = new Map<number, T>();
  return (key) => {
    if (!known.has(key)) known.set(key, compute(key));
    return known.get(key)!;
  };
}

function matcherOf(pattern: string): (reading: number) => boolean {
  const [minute, hour, date, month, day] = pattern.split(' ') as [string, string, string, string, string];
  const minutes = valuesOf(minute, 0, 59);
  const hours = valuesOf(hour, 0, 23);
  const dates = valuesOf(date, 1, 31);
  const months = valuesOf(month, 1, 12);
  const days = valuesOf(day, 0, 6);
  const isTime = Array.from(
    { length: 24 * 60 },
    (_, at) => hours.has(Math.floor(at / 60)) && minutes.has(at % 60),
  );
  const isNamed = memoize((dayNumber: number) => {
    const at = new Date(dayNumber * dayMs);
    const isDate = dates.has(at.getUTCDate());
    const isDay = days.has(at.getUTCDay());
    const isEither = date !== '*' && day !== '*' ? isDate || isDay : isDate && isDay;
    return isEither && months.has(at.getUTCMonth() + 1);
  });
  return (reading) => {
    const dayNumber = Math.floor(reading / dayMs);
    return isTime[(reading - dayNumber * dayMs) / minuteMs]! && isNamed(dayNumber);
  };
}

const byClock = [
  '30 2 * * *',
  '0 0 * * *',
  '59 23 * * *',
  '15 1,3 * * *',
  '*/20 2 * * *',
  '0 3 * * 0',
  '45 0-1 28-31 * 5',
  '10 0-22 * * *',
];
const ofAll = ['0 *', '*/15 *', '30 */2', '10 1-5/2', '5 0-23'].map((time) => `${time} * * *`);
ofAll.push('40 * 25 10,3 *');

const matchers = new Map([...byClock, ...ofAll].map((pattern) => [pattern, matcherOf(pattern)]));

interface Span {
  readonly zone: string;
  readonly from: number;
  readonly to: number;
}

/** All runs after `from`, up to `to`, by the words of the definition. */
function expectedRuns({ from, to }: Span, readings: readonly number[]): Map<string, number[]> {
  const runs = new Map<string, number[]>();
  for (const [pattern, matches] of matchers) {
    const isOfAll = ofAll.includes(pattern);
    const found: number[] = [];
    // as if the clock had never been ahead of what it shows at the start: spans start a day before anything happens
    let furthest = readings[0]!;
    for (let at = from + minuteMs, n = 1; at <= to; at += minuteMs, n++) {
      const reading = readings[n]!;
      if (isOfAll) {
        if (matches(reading)) found.push(at);
        continue;
      }
      let isNamed = false;
      for (let one = furthest + minuteMs; one <= reading; one += minuteMs) isNamed ||= matches(one);
      furthest = Math.max(furthest, reading);
      if (isNamed) found.push(at);
    }
    runs.set(pattern, found);
  }
  return runs;
}

/** The clock in every minute. No clock changes twice in a quarter of an hour: where its ends agree, so does all of it. */
function readingsOf({ zone, from, to }: Span): number[] {
  const readings: number[] = [];
  const quarterMs = 15 * minuteMs;
  let offset = readingOf(zone, from) - from;
  for (let start = from; start <= to; start += quarterMs) {
    const next = readingOf(zone, start + quarterMs) - (start + quarterMs);
    for (let at = start; at < start + quarterMs && at <= to; at += minuteMs)
      readings.push(next === offset ? at + offset : readingOf(zone, at));
    offset = next;
  }
  return readings;
}

function runsOf(pattern: string, { zone, from, to }: Span): number[] {
  const found: number[] = [];
  for (let at = from; ;) {
    at = nextRunOf(pattern, zone, new Date(at))!.getTime();
    if (at > to) return found;
    found.push(at);
  }
}

function check(span: Span): number {
  const { zone, from, to } = span;
  let count = 0;
  for (const [pattern, expected] of expectedRuns(span, readingsOf(span))) {
    const where = `${pattern} in ${zone} from ${new Date(from).toISOString()}`;
    assert.deepEqual(runsOf(pattern, span).map(toIso), expected.map(toIso), where);
    // whatever instant is asked for
    for (let at = from + 7 * minuteMs + 1; at < to; at += 4 * hourMs + 777_777) {
      const next = expected.find((run) => run > at);
      if (next === undefined) break;
      const run = nextRunOf(pattern, zone, new Date(at))!.getTime();
      if (run !== next) assert.equal(toIso(run), toIso(next), `${where}, ${toIso(at)}`);
    }
    count += expected.length;
  }
  return count;
}

const toIso = (ms: number) => new Date(ms).toISOString();

/** Three days around each change of the clocks, and a quiet week. */
function spansOf(zone: string, year: number): Span[] {
  const start = Date.UTC(year, 0, 1);
  const spans = [{ zone, from: start + 40 * dayMs, to: start + 47 * dayMs }];
  const offset = memoize((at) => readingOf(zone, at) - at);
  for (let day = start; day < Date.UTC(year + 1, 0, 1); day += dayMs) {
    if (offset(day) === offset(day + dayMs)) continue;
    for (let at = day; at < day + dayMs; at += 6 * hourMs) {
      if (offset(at) !== offset(at + 6 * hourMs))
        spans.push({ zone, from: at - 36 * hourMs, to: at + 42 * hourMs });
    }
  }
  return spans;
}

const places = {
  'Europe/Berlin': [1980, 1996, 2025, 2026, 2037],
  'America/New_York': [1974, 2006, 2007, 2026, 2038],
  'Australia/Lord_Howe': [1985, 2001, 2025, 2026], // by half an hour
  'Africa/Casablanca': [2012, 2018, 2025, 2026, 2030], // back for Ramadan
  'America/Sao_Paulo': [1990, 2008, 2018, 2019], // at midnight
  'Asia/Kathmandu': [1985, 1986, 2026], // by a quarter of an hour, once
  'Pacific/Apia': [2010, 2011, 2012], // a day that never was
  'Pacific/Kwajalein': [1993], // another one
  'America/St_Johns': [1987, 1988, 2010, 2026], // a minute after midnight
  'America/Caracas': [2007, 2016],
  'Asia/Pyongyang': [2015, 2018],
  'Africa/Cairo': [2010, 2014, 2024],
  'Asia/Gaza': [2011, 2024],
  'Antarctica/Troll': [2026], // by two hours
  'Antarctica/Casey': [2018, 2020],
  'Asia/Tehran': [2021, 2022],
  UTC: [2026],
};

for (const [zone, years] of Object.entries(places)) {
  test(`cron in ${zone} runs at local time, minute by minute`, () => {
    const runs = years.flatMap((year) => spansOf(zone, year)).map(check);
    assert.ok(runs.reduce((sum, count) => sum + count, 0) > 800 * years.length);
  });
}

test('cron follows the local time of every zone, around each change of three years', () => {
  const zones = Intl.supportedValuesOf('timeZone').filter((zone) => !(zone in places));
  let changes = 0;
  for (const [index, zone] of zones.entries()) {
    const [, first] = spansOf(zone, 2024 + (index % 3));
    if (!first) continue;
    changes++;
    check({ ...first, from: first.from + 12 * hourMs, to: first.to - 12 * hourMs });
  }
  assert.ok(changes > 100, `${changes} zones`);
});

test('local times occur once a day: after the gap, and at the first of two', () => {
  const runs = (pattern: string, zone: string, from: string, count: number) => {
    const found: string[] = [];
    for (let at = new Date(from); found.length < count; found.push(at.toISOString()))
      at = nextRunOf(pattern, zone, at)!;
    return found;
  };
  // 02:30 does not exist on 2026-03-29, and comes twice on 2026-10-25
  assert.deepEqual(runs('30 2 * * *', 'Europe/Berlin', '2026-03-27T12:00:00Z', 3), [
    '2026-03-28T01:30:00.000Z',
    '2026-03-29T01:00:00.000Z',
    '2026-03-30T00:30:00.000Z',
  ]);
  assert.deepEqual(runs('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 2), [
    '2026-10-25T00:30:00.000Z',
    '2026-10-26T01:30:00.000Z',
  ]);
  // all hours that pass: 00, 01, 03 and 01, 02, 02, 03
  assert.deepEqual(runs('0 * * * *', 'Europe/Berlin', '2026-10-24T22:30:00Z', 4), [
    '2026-10-24T23:00:00.000Z',
    '2026-10-25T00:00:00.000Z',
    '2026-10-25T01:00:00.000Z',
    '2026-10-25T02:00:00.000Z',
  ]);
  // of a day that a place left out, the run comes when the next one begins
  assert.deepEqual(runs('0 4 30 12 *', 'Pacific/Apia', '2011-06-01T00:00:00Z', 2), [
    '2011-12-30T10:00:00.000Z',
    '2012-12-29T14:00:00.000Z',
  ]);
  // seconds, names of days and months, the last day, the nearest weekday, the second Tuesday
  assert.deepEqual(runs('30 59 23 L feb *', 'UTC', '2027-01-01T00:00:00Z', 2), [
    '2027-02-28T23:59:30.000Z',
    '2028-02-29T23:59:30.000Z',
  ]);
  assert.deepEqual(runs('0 6 * * tue#2', 'Asia/Kathmandu', '2026-11-01T00:00:00Z', 1), [
    '2026-11-10T00:15:00.000Z',
  ]);
  assert.deepEqual(runs('0 0 29 2 +mon', 'UTC', '2026-01-01T00:00:00Z', 1), ['2044-02-29T00:00:00.000Z']);
  assert.deepEqual(runs('0 * 29 2 +mon#5', 'Africa/Casablanca', '2026-01-01T00:00:00Z', 1), [
    '2044-02-29T00:00:00.000Z',
  ]);
});

test('an invalid pattern is reported, and one that matches no date has no next run', () => {
  const good = [
    '* * * * *',
    '@daily',
    '@HOURLY',
    '*/5 * * * * *',
    '0 0 ? * MON-FRI',
    '0 0 LW * *',
    '0 0 15W * 5L',
  ];
  const bad = [
    '',
    '* * * *',
    '* * * * * * *',
    '2030-01-01T00:00:00Z',
    '60 * * * *',
    '0 24 * * *',
    '0 0 0 * *',
    '0 0 32 * *',
    '0 0 * 13 *',
    '0 0 * * 8',
    '1x * * * *',
    '1* * * * *',
    '0 0 * * 1#6',
    '*/0 * * * *',
    '*/99 * * * *',
    '5/5 * * * *',
    '5-1 * * * *',
    '-1 * * * *',
    '1,,2 * * * *',
    '@reboot',
    '@every 1s',
    '0 0 * * mon,',
    `${'1,'.repeat(99)}1 * * * *`.replace('1,', ','),
    '٣ * * * *',
    '0 0 * * *\u0000',
  ];
  for (const pattern of good) assert.ok(isPattern(pattern), pattern);
  for (const pattern of bad) assert.ok(!isPattern(pattern), pattern);
  const now = new Date('2026-11-21T00:00:00Z');
  for (const pattern of ['0 0 30 2 *', '0 0 31 2,4,6,9,11 *', '* * 31W 2 *', '0 * 30 2 *'])
    assert.equal(nextRunOf(pattern, 'Europe/Berlin', now), undefined, pattern);
});

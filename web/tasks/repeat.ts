/** A task's interval in everyday terms; `raw` is a cron expression. */
export type Repeat =
  | { readonly kind: 'hours'; readonly every: number; readonly minute: number }
  | { readonly kind: 'days'; readonly time: string }
  | { readonly kind: 'weeks'; readonly days: readonly number[]; readonly time: string }
  | { readonly kind: 'months'; readonly day: number | 'last'; readonly time: string }
  | { readonly kind: 'raw'; readonly cron: string };

/** Steps of hours that divide a day evenly. */
export const hourSteps = [1, 2, 3, 4, 6, 8, 12] as const;
export const workdays: readonly number[] = [1, 2, 3, 4, 5];

/** When most cities sleep and clocks do not change. */
export const nightly: Repeat = { kind: 'days', time: '03:30' };

/** The cron expression with five fields. */
export function cronOf(repeat: Repeat): string {
  if (repeat.kind === 'raw') return repeat.cron;
  if (repeat.kind === 'hours')
    return `${repeat.minute} ${repeat.every === 1 ? '*' : `*/${repeat.every}`} * * *`;
  const [hour = 0, minute = 0] = repeat.time.split(':').map(Number);
  const at = `${minute} ${hour}`;
  if (repeat.kind === 'days') return `${at} * * *`;
  if (repeat.kind === 'weeks') return `${at} * * ${listOf(repeat.days)}`;
  return `${at} ${repeat.day === 'last' ? 'L' : repeat.day} * *`;
}

const listOf = (days: readonly number[]) => (days.join() === workdays.join() ? '1-5' : days.join(','));

/** The interval of a cron expression, if there are everyday terms for it; else `raw`. */
export function repeatOf(cron: string): Repeat {
  const raw: Repeat = { kind: 'raw', cron };
  const fields = (nicknames[cron.trim().toLowerCase()] ?? cron).trim().split(/\s+/);
  if (fields.length === 6 && fields[0] === '0') fields.shift();
  if (fields.length !== 5 || fields[3] !== '*') return raw;
  const [minute, hour, date, , day] = fields as [string, string, string, string, string];
  if (!isWithin(minute, 0, 59)) return raw;
  if (date === '*' && day === '*') {
    const every = hour === '*' ? 1 : Number(/^\*\/(\d+)$/.exec(hour)?.[1]);
    if (hourSteps.some((step) => step === every)) return { kind: 'hours', every, minute: Number(minute) };
  }
  if (!isWithin(hour, 0, 23)) return raw;
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
  if (date === '*' && day === '*') return { kind: 'days', time };
  if (date === '*') {
    const days = daysOf(day);
    return days ? { kind: 'weeks', days, time } : raw;
  }
  if (day !== '*') return raw;
  if (/^L$/i.test(date)) return { kind: 'months', day: 'last', time };
  return isWithin(date, 1, 31) ? { kind: 'months', day: Number(date), time } : raw;
}

const nicknames: Readonly<Record<string, string>> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
};

const isWithin = (text: string, min: number, max: number) =>
  /^\d{1,2}$/.test(text) && Number(text) >= min && Number(text) <= max;

const names = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** Days of the week from Monday (1), with Sunday as 0 and last; undefined unless it is a plain list. */
function daysOf(text: string): readonly number[] | undefined {
  const days = new Set<number>();
  for (const part of text.toLowerCase().split(',')) {
    const [from, to = from, ...rest] = part.split('-').map(numberOfDay);
    if (from === undefined || to === undefined || rest.length > 0) return undefined;
    // 6-7 and fri-sun end on the Sunday that is 7
    const end = to === 0 && from !== 0 ? 7 : to;
    if (end < from) return undefined;
    for (let day = from; day <= end; day++) days.add(day % 7);
  }
  return sortDays([...days]);
}

function numberOfDay(name: string): number | undefined {
  if (/^[0-7]$/.test(name)) return Number(name) % 7;
  const index = names.indexOf(name);
  return index === -1 ? undefined : index;
}

/** Sorts days from Monday to Sunday. */
export const sortDays = (days: readonly number[]) => days.toSorted((a, b) => ((a + 6) % 7) - ((b + 6) % 7));

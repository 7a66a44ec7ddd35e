import type { Schedule } from '@platen/contract/schedules';
import { formatDateTime } from '../i18n/format.ts';
import { i18n, locale } from '../i18n/i18n.ts';
import { repeatOf, workdays } from './repeat.ts';

const { t } = i18n.global;

/** The name of a day of the week; 0 is Sunday. */
export const nameOfDay = (day: number, weekday: 'long' | 'short' = 'long') =>
  new Intl.DateTimeFormat(locale.value, { weekday, timeZone: 'UTC' }).format(Date.UTC(2024, 0, 7 + day));

function clock(time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return new Intl.DateTimeFormat(locale.value, { timeStyle: 'short', timeZone: 'UTC' }).format(
    Date.UTC(2024, 0, 7, hour, minute),
  );
}

/** “Every day at 03:30”; an expression without everyday terms is returned as it is. */
export function describeCron(cron: string): string {
  const repeat = repeatOf(cron);
  switch (repeat.kind) {
    case 'hours':
      return t('tasks.words.hours', { n: repeat.every, minute: repeat.minute }, repeat.every);
    case 'days':
      return t('tasks.words.days', { time: clock(repeat.time) });
    case 'weeks': {
      const time = clock(repeat.time);
      if (repeat.days.join() === workdays.join()) return t('tasks.words.workdays', { time });
      const days = new Intl.ListFormat(locale.value).format(repeat.days.map((day) => nameOfDay(day)));
      return t('tasks.words.weeks', { days, time });
    }
    case 'months': {
      const time = clock(repeat.time);
      return repeat.day === 'last'
        ? t('tasks.words.monthsLast', { time })
        : t('tasks.words.months', { day: repeat.day, time });
    }
    case 'raw':
      return t('tasks.words.raw', { cron });
  }
}

/** When a task runs, in words; suspension is shown separately. */
export function describeSchedule({ type, cron, scheduled }: Schedule): string {
  if (type === 'cron' && cron !== undefined) return describeCron(cron);
  if (type === 'scheduled' && scheduled !== undefined) {
    return t('tasks.words.once', { time: formatDateTime(scheduled) });
  }
  return t('tasks.words.now');
}

export const ownTimezone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Whether the schedule uses another time zone, which is then named. */
export const isForeignZone = ({ type, timezone = 'UTC' }: Schedule) =>
  type === 'cron' && timezone !== ownTimezone();

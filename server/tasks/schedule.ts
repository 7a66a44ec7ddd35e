import type { Schedule } from '@platen/contract/tasks';
import { Cron } from 'croner';
import { invalidAt } from '../failure.ts';

const lastYear = 9999;

/**
 * A schedule as it is stored: complete for its kind, instants in UTC.
 * @throws Failure `invalid` with a pointer
 */
export function checkSchedule(schedule: Schedule, now: Date): Schedule {
  const { type, timezone, scheduled } = schedule;
  if (timezone !== undefined && !isTimezone(timezone))
    throw invalidAt('/schedule/timezone', `“${timezone}” is no IANA time zone such as Europe/Berlin.`);
  const instant = scheduled === undefined ? {} : { scheduled: instantOf(scheduled) };
  if (type === 'scheduled' && scheduled === undefined) throw missing('/schedule/scheduled');
  if (type === 'cron') {
    if (schedule.cron === undefined) throw missing('/schedule/cron');
    const checked = { ...schedule, ...instant };
    if (!isPattern(schedule.cron)) {
      throw invalidAt('/schedule/cron', `“${schedule.cron}” is no cron pattern such as 0 4 * * 1-5.`);
    }
    if (!nextRun({ ...checked, suspended: false }, now))
      throw invalidAt('/schedule/cron', 'It never comes to pass.');
    return checked;
  }
  return { ...schedule, ...instant };
}

/** The next instant after `after` at which a job is due; undefined for none. Instants are found by the clocks of the time zone. */
export function nextRun(schedule: Schedule, after: Date): Date | undefined {
  if (schedule.type === 'immediate' || schedule.suspended) return undefined;
  const start = schedule.scheduled === undefined ? undefined : new Date(schedule.scheduled);
  if (schedule.type === 'scheduled') return start;
  // the instant named as the start may itself be one of the runs
  const from = start && start > after ? new Date(start.getTime() - 1) : after;
  const next = cronOf(schedule.cron!, schedule.timezone).nextRun(from);
  return next && next.getUTCFullYear() <= lastYear ? next : undefined;
}

const cronOf = (pattern: string, timezone = 'UTC') =>
  new Cron(pattern, { timezone, mode: '5-or-6-parts', paused: true });

function isPattern(pattern: string): boolean {
  try {
    cronOf(pattern);
    return true;
  } catch {
    return false;
  }
}

function isTimezone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false; // an offset is no zone
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

function instantOf(text: string): string {
  const date = new Date(text);
  const year = date.getUTCFullYear();
  if (year < 1 || year > lastYear)
    throw invalidAt('/schedule/scheduled', 'It lies outside of the years 1 to 9999.');
  return date.toISOString();
}

const missing = (pointer: string) =>
  invalidAt(pointer, 'It is required for this type of schedule.', 'required');

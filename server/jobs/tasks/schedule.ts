import type { Schedule } from '@platen/contract/schedules';
import { invalidAt } from '../../base/failure.ts';
import { isPattern, nextRunOf } from './cron.ts';
import { isZone } from './zone.ts';

const lastYear = 9999;

/**
 * Completes and validates a schedule for storage; times are in UTC.
 * @throws Failure `invalid` with a pointer
 */
export function checkSchedule(schedule: Schedule, now: Date): Schedule {
  const { type, timezone, scheduled } = schedule;
  if (timezone !== undefined && !isZone(timezone))
    throw invalidAt('/schedule/timezone', `“${timezone}” is not an IANA time zone such as Europe/Berlin.`);
  if (schedule.overlap !== undefined && type !== 'cron')
    throw invalidAt('/schedule/overlap', 'Only the runs of a cron task can overlap.');
  const instant = scheduled === undefined ? {} : { scheduled: instantOf(scheduled) };
  if (type === 'scheduled' && scheduled === undefined) throw missing('/schedule/scheduled');
  if (type === 'cron') {
    if (schedule.cron === undefined) throw missing('/schedule/cron');
    const checked = { ...schedule, ...instant };
    if (!isPattern(schedule.cron)) {
      throw invalidAt('/schedule/cron', `“${schedule.cron}” is not a cron pattern such as 0 4 * * 1-5.`);
    }
    if (!nextRun({ ...checked, suspended: false }, now))
      throw invalidAt('/schedule/cron', 'The pattern matches no date.');
    return checked;
  }
  return { ...schedule, ...instant };
}

/** The next time after `after` at which a job is due; undefined for none. Cron uses the clocks of the time zone. */
export function nextRun(schedule: Schedule, after: Date): Date | undefined {
  if (schedule.type === 'immediate' || schedule.suspended) return undefined;
  const start = schedule.scheduled === undefined ? undefined : new Date(schedule.scheduled);
  if (schedule.type === 'scheduled') return start;
  // the start itself may be a run
  const from = start && start > after ? new Date(start.getTime() - 1) : after;
  const next = nextRunOf(schedule.cron!, schedule.timezone ?? 'UTC', from);
  return next && next.getUTCFullYear() <= lastYear ? next : undefined;
}

/** Whether a job is due immediately. */
export function isDueNow(schedule: Schedule, due: Date | undefined, now: Date): boolean {
  return schedule.type === 'immediate' || (schedule.type === 'scheduled' && due !== undefined && due <= now);
}

const maxPreviewRuns = 3;

/** The next run and the runs after it, for previews. */
export function runsFrom(schedule: Schedule, first: Date | undefined): string[] {
  const runs = first ? [first] : [];
  try {
    while (schedule.type === 'cron' && runs.length > 0 && runs.length < maxPreviewRuns) {
      const next = nextRun(schedule, runs.at(-1)!);
      if (!next) break;
      runs.push(next);
    }
  } catch {
    // an older schedule that is no longer valid: its task must stay readable and editable
  }
  return runs.map((run) => run.toISOString());
}

function instantOf(text: string): string {
  const date = new Date(text);
  const year = date.getUTCFullYear();
  if (year < 1 || year > lastYear)
    throw invalidAt('/schedule/scheduled', 'It must be in the years 1 to 9999.');
  return date.toISOString();
}

const missing = (pointer: string) =>
  invalidAt(pointer, 'This field is required for this type of schedule.', 'required');

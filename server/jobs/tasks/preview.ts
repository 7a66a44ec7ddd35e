import type { SchedulePreview, ScheduleRuns } from '@platen/contract/schedules';
import type { Context } from '../../base/context.ts';
import { invalidAt } from '../../base/failure.ts';
import { checkSchedule, isDueNow, nextRun, runsFrom } from './schedule.ts';

/** @throws Failure `invalid` for a schedule that a task cannot have */
export async function previewSchedule({ now }: Context, body: SchedulePreview): Promise<ScheduleRuns> {
  const from = body.from === undefined ? now() : new Date(body.from);
  const year = from.getUTCFullYear();
  if (year < 1970 || year > 9999) throw invalidAt('/from', 'It must be in the years 1970 to 9999.');
  const schedule = checkSchedule(body.schedule, from);
  const next = nextRun(schedule, from);
  return { nextRuns: runsFrom(schedule, isDueNow(schedule, next, from) ? from : next) };
}

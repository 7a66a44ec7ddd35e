import type { Schedule } from '@platen/contract/schedules';
import type { CleanupTask } from '@platen/contract/cleanups';
import type { Context } from '../../base/context.ts';
import { invalidAt } from '../../base/failure.ts';

/** The start of the hour that follows. */
const nextHour = (now: Date) => new Date((Math.floor(now.getTime() / 3_600_000) + 1) * 3_600_000);

/** The hourly clean-up as a task, for clients that expect one. */
export function cleanupTask({ now }: Context): CleanupTask {
  const at = now();
  const next = nextHour(at).toISOString();
  return {
    _id: 'data-bucket-cleanup',
    createdAt: at.toISOString(),
    updatedAt: at.toISOString(),
    createdBy: 'internal',
    updatedBy: 'internal',
    revision: 1,
    projectId: 'internal',
    name: 'Clean-up',
    description: '',
    labels: [],
    tags: {},
    debugLevel: 0,
    priority: 0,
    jobType: 'platenCleanUp',
    jobVersion: '',
    schedule: { type: 'cron', scheduled: next, cron: '0 * * * *' },
    properties: {},
    parameters: {},
    nextRuns: [next],
  };
}

/** @throws Failure `invalid` for other types than cron */
export function requireCron({ type, cron }: Schedule): void {
  if (type !== 'cron') throw invalidAt('/type', 'The clean-up repeats: the type must be cron.');
  if (cron === undefined) throw invalidAt('/cron', 'This field is required.', 'required');
}

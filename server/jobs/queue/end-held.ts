import { randomInt } from 'node:crypto';
import type { FailureCode } from '@platen/contract/failure-codes';
import type { JobState } from '@platen/contract/jobs';
import { timedOut, type JobFailureReport } from '@platen/contract/runner';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import type { JobRow } from '../store.ts';
import { dropOutputs } from './drop-outputs.ts';
import type { Fence } from './fence.ts';
import { endWithout } from './end-without.ts';
import { lockHeld } from './lock-held.ts';
import { lost } from './lost.ts';
import { note } from './note.ts';
import { countFailure, putOff } from './put-off.ts';

/** So often a job may fail for the moment; then it has failed. */
const maxFailures = 5;
const firstPauseMs = 5_000;
export const longestPauseMs = 10 * 60_000;

/** @throws Failure `conflict` when the job is no longer held */
export async function endHeld(
  { db, now }: Context,
  fence: Fence,
  report: JobFailureReport,
): Promise<JobState> {
  return inTransaction(db, async (tx) => {
    const job = await lockHeld(tx, fence);
    if (!job) throw lost();
    const ending = { job, report, now: now() };
    if (!isForTheMoment(job, report)) return end(tx, ending);
    if (job.failures + 1 < maxFailures) return tryLater(tx, ending);
    await countFailure(tx, job.id);
    return end(tx, ending);
  });
}

interface Ending {
  readonly job: JobRow;
  readonly report: JobFailureReport;
  readonly now: Date;
}

/** What another attempt would meet again ends a job, whatever its runner takes it for. */
function isForTheMoment(job: JobRow, { code, isTransient = false }: JobFailureReport): boolean {
  return isTransient && !job.abort_requested && code !== timedOut && code !== 'outOfMemory';
}

function end(tx: Db, { job, report: { code, ...report }, now }: Ending): Promise<JobState> {
  return endWithout(tx, job, { ...report, code: code as FailureCode, now });
}

async function tryLater(tx: Db, { job, report, now }: Ending): Promise<JobState> {
  const { id: jobId, attempt } = job;
  const failures = job.failures + 1;
  const until = new Date(now.getTime() + pauseMs(failures));
  const message = `It failed for the moment (${failures} of ${maxFailures} times): ${report.message} It is tried again at ${until.toISOString()}.`;
  await dropOutputs(tx, jobId);
  await note(tx, { jobId, level: 'warning', message, now });
  await putOff(tx, { jobId, attempt }, { until, now });
  return 'queued';
}

/** Twice as long each time, and never quite the same, so that what failed together does not come back together. */
function pauseMs(failures: number): number {
  const pause = Math.min(firstPauseMs * 2 ** (failures - 1), longestPauseMs);
  return Math.round((pause * randomInt(80, 121)) / 100);
}

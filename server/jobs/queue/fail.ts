import type { FailureCode } from '@platen/contract/failure-codes';
import type { JobState, JobWarning } from '@platen/contract/jobs';
import { type JobFailureReport, timedOut } from '@platen/contract/runner';
import type { Caller } from '../../base/caller.ts';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { fenceOf } from '../runners/authorise-runner.ts';
import type { JobRow } from '../store.ts';
import { endAborted } from './abort.ts';
import { completeAttempt } from './end.ts';
import type { Fence } from './fence.ts';
import { leaseLost, lockHeld } from './lease.ts';
import { dropOutputs } from './outputs.ts';
import { appendServiceLog } from './progress.ts';
import { backoffMs, countFailure, retryLater } from './retry.ts';

export async function failJob(
  context: Context,
  caller: Caller,
  body: JobFailureReport,
): Promise<{ state: JobState }> {
  return { state: await failAttempt(context, fenceOf(caller), body) };
}

/** Number of temporary errors after which a job fails. */
const maxFailures = 5;

/**
 * Ends an attempt that failed: requeues the job after a temporary error, otherwise ends it.
 * @throws Failure `conflict` when the job is no longer held
 */
export async function failAttempt(
  { db, now }: Context,
  fence: Fence,
  report: JobFailureReport,
): Promise<JobState> {
  return inTransaction(db, async (tx) => {
    const job = await lockHeld(tx, fence);
    if (!job) throw leaseLost();
    const ending = { job, report, now: now() };
    if (!isTransientFailure(job, report)) return endFailed(tx, ending);
    if (job.failures + 1 < maxFailures) return scheduleRetry(tx, ending);
    await countFailure(tx, job.id);
    return endFailed(tx, ending);
  });
}

interface AttemptFailure {
  readonly job: JobRow;
  readonly report: JobFailureReport;
  readonly now: Date;
}

/** Errors that every attempt would meet are permanent, whatever the runner reports. */
function isTransientFailure(job: JobRow, { code, isTransient = false }: JobFailureReport): boolean {
  return isTransient && !job.abort_requested && code !== timedOut && code !== 'outOfMemory';
}

function endFailed(tx: Db, { job, report: { code, ...report }, now }: AttemptFailure): Promise<JobState> {
  return endWithoutEffects(tx, job, { ...report, code: code as FailureCode, now });
}

async function scheduleRetry(tx: Db, { job, report, now }: AttemptFailure): Promise<JobState> {
  const { id: jobId, attempt } = job;
  const failures = job.failures + 1;
  const until = new Date(now.getTime() + backoffMs(failures));
  const message = `Temporary error: ${report.message} Retrying at ${until.toISOString()} (attempt ${failures} of ${maxFailures}).`;
  await dropOutputs(tx, jobId);
  await appendServiceLog(tx, { jobId, level: 'warning', message, now });
  await retryLater(tx, { jobId, attempt }, { until, now });
  return 'queued';
}

interface FailedEnd {
  readonly code: FailureCode;
  readonly message: string;
  readonly warnings: readonly JobWarning[];
  readonly now: Date;
}

/** Ends a locked job without effects: `aborted` if it was cancelled, otherwise `timedOut` or `failed`. */
export async function endWithoutEffects(
  tx: Db,
  { id: jobId, abort_requested: isAborted }: Pick<JobRow, 'id' | 'abort_requested'>,
  { code, message, warnings, now }: FailedEnd,
): Promise<JobState> {
  await dropOutputs(tx, jobId);
  if (isAborted) {
    await endAborted(tx, { jobId, warnings, now });
    return 'aborted';
  }
  const state = code === timedOut ? 'timedOut' : 'failed';
  await appendServiceLog(tx, { jobId, level: 'error', message, now });
  await completeAttempt(tx, { jobId, state, warnings, errorCode: code, errorMessage: message, now });
  return state;
}

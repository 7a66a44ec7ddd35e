import type { FailureCode } from '@platen/contract/failure-codes';
import type { JobState, JobWarning } from '@platen/contract/jobs';
import { type JobFailureReport, timedOut } from '@platen/contract/job-end';
import type { Caller } from '../../base/caller.ts';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { fenceOf } from '../runners/authorise-runner.ts';
import type { JobRow } from '../store.ts';
import { endAborted } from './abort.ts';
import { endJob } from './end.ts';
import type { Fence } from './fence.ts';
import { leaseLost, lockHeld } from './lease.ts';
import { dropOutputs } from './outputs.ts';
import { appendServiceLog } from './progress.ts';
import { retryLater } from './retry.ts';

export async function failJob(
  context: Context,
  caller: Caller,
  body: JobFailureReport,
): Promise<{ state: JobState }> {
  return { state: await failAttempt(context, fenceOf(caller), body) };
}

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
    const failure = { job, report, now: now() };
    if (await retryLater(tx, failure)) return 'queued';
    const { code, ...end } = report;
    return endWithoutEffects(tx, job, { ...end, code: code as FailureCode, now: failure.now });
  });
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
  await endJob(tx, { jobId, state, warnings, errorCode: code, errorMessage: message, now });
  return state;
}

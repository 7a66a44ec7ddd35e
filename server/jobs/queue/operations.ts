import type { JobState } from '@platen/contract/jobs';
import type { JobFailureReport, RunnerLogEntry, RunnerProgress } from '@platen/contract/runner';
import type { Context } from '../../base/context.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import type { Caller } from '../../base/caller.ts';
import { appendLog } from './append-log.ts';
import { fenceOf } from './authorise-runner.ts';
import { endHeld } from './end-held.ts';
import { extendLease } from './extend-lease.ts';
import { giveBack } from './give-back.ts';
import { isAbortRequested } from './is-abort-requested.ts';
import { leaseClock } from './lease-clock.ts';
import { lost } from './lost.ts';
import { reportProgress } from './report-progress.ts';
import { untilNotified } from '../../base/database/until-notified.ts';

/** Extends the lease and answers at once when the job was asked to stop, else when the time is over. */
export async function heartbeat(
  context: Context,
  caller: Caller,
  { waitMs, signal }: { waitMs: number; signal: AbortSignal },
): Promise<{ abort: boolean; leaseUntil: string }> {
  const { db, notifications } = context;
  const fence = fenceOf(caller);
  const waiting = untilNotified(notifications, 'jobAborted', { ms: waitMs, signal });
  try {
    const isOurs = (jobId: string) => jobId === '' || jobId === fence.jobId;
    let notified = waiting.next(isOurs);
    const lease = await extendLease(db, fence, leaseClock(context));
    if (!lease) throw lost();
    let { abort } = lease;
    while (!abort && (await notified)) {
      notified = waiting.next(isOurs);
      abort = await isAbortRequested(db, fence);
    }
    return { abort, leaseUntil: lease.until.toISOString() };
  } finally {
    waiting.end();
  }
}

export async function takeProgress(
  { db, now }: Context,
  caller: Caller,
  body: RunnerProgress,
): Promise<void> {
  if (!(await reportProgress(db, fenceOf(caller), { ...body, now: now() }))) throw lost();
}

export async function takeLog(
  { db }: Context,
  caller: Caller,
  body: { first: number; entries: RunnerLogEntry[] },
): Promise<void> {
  if (!(await appendLog(db, fenceOf(caller), body))) throw lost();
}

export async function failJob(
  context: Context,
  caller: Caller,
  body: JobFailureReport,
): Promise<{ state: JobState }> {
  return { state: await endHeld(context, fenceOf(caller), body) };
}

/** A runner that is shut down gives its job back; that does not count as lost. */
export async function releaseJob({ db, now }: Context, caller: Caller): Promise<{ state: JobState }> {
  const fence = fenceOf(caller);
  const message = `The runner of attempt ${fence.attempt} was shut down: the job waits for another.`;
  const state = await inTransaction(db, (tx) => giveBack(tx, fence, { message, now: now() }));
  if (!state) throw lost();
  return { state };
}

import type { JobState } from '@platen/contract/jobs';
import { sql } from 'kysely';
import type { Caller } from '../../base/caller.ts';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { notify } from '../../base/database/notifications.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { fenceOf } from '../runners/authorise-runner.ts';
import type { JobRow } from '../store.ts';
import { endAborted } from './abort.ts';
import type { Fence } from './fence.ts';
import { leaseLost, lockHeld } from './lease.ts';
import { dropOutputs } from './outputs.ts';
import { appendServiceLog } from './progress.ts';

/** Returns the job of a runner that shuts down to the queue; this does not count as lost. */
export async function releaseJob({ db, now }: Context, caller: Caller): Promise<{ state: JobState }> {
  const fence = fenceOf(caller);
  const message = `The runner of attempt ${fence.attempt} was shut down. The job waits for another runner.`;
  const state = await inTransaction(db, (tx) => giveBack(tx, fence, { message, now: now() }));
  if (!state) throw leaseLost();
  return { state };
}

interface ReturnReason {
  /** Message for the log of the job. */
  readonly message?: string;
  readonly now: Date;
}

/**
 * Returns a held job to the queue, which does not count as lost. A job that was cancelled meanwhile ends instead.
 * @returns the new state; undefined when the job is no longer held
 */
export async function giveBack(
  tx: Db,
  fence: Fence,
  { message, now }: ReturnReason,
): Promise<'queued' | 'aborted' | undefined> {
  const job = await lockHeld(tx, fence);
  if (!job) return undefined;
  const { jobId } = fence;
  await dropOutputs(tx, jobId);
  if (job.abort_requested) {
    await endAborted(tx, { jobId, warnings: job.warnings, now });
    return 'aborted';
  }
  if (message !== undefined) await appendServiceLog(tx, { jobId, level: 'info', message, now });
  await release(tx, fence, now);
  return 'queued';
}

const requeueDelayMs = 5_000;

/**
 * Returns a job to the queue right after its claim, because another job is writing to its destination. This does not
 * count as a failure.
 */
export async function requeue(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { id: jobId, attempt }: Pick<JobRow, 'id' | 'attempt'>,
  message: string,
): Promise<void> {
  const at = now();
  await inTransaction(db, async (tx) => {
    if ((await giveBack(tx, { jobId, attempt }, { now: at })) !== 'queued') return;
    if (!(await isLogged(tx, jobId, message)))
      await appendServiceLog(tx, { jobId, level: 'info', message, now: at });
    await sql`update job set not_before = ${new Date(at.getTime() + requeueDelayMs)} where id = ${jobId}`.execute(
      tx,
    );
  });
}

/** The job may be requeued every few seconds for hours; one log line is enough. */
async function isLogged(tx: Db, jobId: string, message: string): Promise<boolean> {
  const { rows } = await sql`
    select from job_log where job_id = ${jobId} and message = ${message} limit 1`.execute(tx);
  return rows.length > 0;
}

/** Returns a locked job to the queue for its next attempt. */
export async function release(tx: Db, { jobId, attempt }: Fence, now: Date): Promise<void> {
  await sql`
    update job set state = 'queued', runner_id = null, token_hash = null, lease_until = null, deadline_at = null, progress = null,
      stages = '[]', warnings = '[]', revision = revision + 1, updated_at = ${now}
    where id = ${jobId} and attempt = ${attempt} and state = 'running'`.execute(tx);
  await notify(tx, 'jobQueued');
}

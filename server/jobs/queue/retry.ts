import { randomInt } from 'node:crypto';
import type { JobState } from '@platen/contract/jobs';
import { sql } from 'kysely';
import type { Caller } from '../../base/caller.ts';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { notify } from '../../base/database/notifications.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { fenceOf } from '../runners/authorise-runner.ts';
import { endAborted } from './abort.ts';
import type { ClaimedRow } from './claim.ts';
import { type Fence, leaseLost, lockHeld } from './lease.ts';
import { dropOutputs } from './outputs.ts';
import { appendServiceLog } from './progress.ts';

/** A runner that is shut down gives its job back; that does not count as lost. */
export async function releaseJob({ db, now }: Context, caller: Caller): Promise<{ state: JobState }> {
  const fence = fenceOf(caller);
  const message = `The runner of attempt ${fence.attempt} was shut down: the job waits for another.`;
  const state = await inTransaction(db, (tx) => giveBack(tx, fence, { message, now: now() }));
  if (!state) throw leaseLost();
  return { state };
}

interface ReturnReason {
  /** Why, for the log of the job. */
  readonly message?: string;
  readonly now: Date;
}

/**
 * Puts a held job back into the queue, which does not count as lost; one that was asked to stop meanwhile ends instead, as
 * nobody could ask for that again. @returns what it is by then; undefined when it is no longer held
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

/** Puts a job that was claimed just now back for a moment, as another is where it would work. That is no failure of it. */
export async function requeue(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { id: jobId, attempt }: Pick<ClaimedRow, 'id' | 'attempt'>,
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

/** It may come back every few seconds for hours. */
async function isLogged(tx: Db, jobId: string, message: string): Promise<boolean> {
  const { rows } = await sql`
    select from job_log where job_id = ${jobId} and message = ${message} limit 1`.execute(tx);
  return rows.length > 0;
}

/** Gives a held job back to the queue, where a next attempt waits for a runner. Call it for a locked job. */
export async function release(tx: Db, { jobId, attempt }: Fence, now: Date): Promise<void> {
  await sql`
    update job set state = 'queued', runner_id = null, token_hash = null, lease_until = null, deadline_at = null, progress = null,
      stages = '[]', warnings = '[]', revision = revision + 1, updated_at = ${now}
    where id = ${jobId} and attempt = ${attempt} and state = 'running'`.execute(tx);
  await notify(tx, 'jobQueued');
}

const minBackoffMs = 5_000;

export const maxBackoffMs = 10 * 60_000;

/** Twice as long each time, and never quite the same, so that what failed together does not come back together. */
export function backoffMs(failures: number): number {
  const backoff = Math.min(minBackoffMs * 2 ** (failures - 1), maxBackoffMs);
  return Math.round((backoff * randomInt(80, 121)) / 100);
}

interface RetryTime {
  readonly until: Date;
  readonly now: Date;
}

/** Puts a held job that failed for the moment back into the queue, where it waits until then. Call it for a locked job. */
export async function retryLater(
  tx: Db,
  { jobId, attempt }: Fence,
  { until, now }: RetryTime,
): Promise<void> {
  const { rows } = await sql<{ is_limited: boolean }>`
    update job set state = 'queued', not_before = ${until}, failures = failures + 1, runner_id = null, token_hash = null,
      lease_until = null, deadline_at = null, progress = null, stages = '[]', warnings = '[]',
      revision = revision + 1, updated_at = ${now}
    where id = ${jobId} and attempt = ${attempt} and state = 'running' returning is_limited`.execute(tx);
  if (rows[0]?.is_limited) await notify(tx, 'jobQueued'); // another of its project may run meanwhile
}

export async function countFailure(tx: Db, jobId: string): Promise<void> {
  await sql`update job set failures = failures + 1 where id = ${jobId}`.execute(tx);
}

/**
 * Lets the runners have the jobs whose pause is over. A pause that ends later than one can last was set by a clock that
 * has gone back since: it is over, too. @returns how many it was
 */
export async function releaseDueRetries(
  db: Db,
  { now, longestMs }: { now: Date; longestMs: number },
): Promise<number> {
  const { rows } = await sql`
    update job set not_before = null, revision = revision + 1, updated_at = ${now} where id in (
      select id from job where state = 'queued' and not_before is not null
      and (not_before <= ${now} or not_before > ${new Date(now.getTime() + longestMs)})
      order by not_before limit 1000 for no key update skip locked
    ) returning id`.execute(db);
  if (rows.length > 0) await notify(db, 'jobQueued');
  return rows.length;
}

import { leaseMs } from '@platen/contract/runner';
import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../base/caller.ts';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { untilNotified } from '../../base/database/until-notified.ts';
import { Failure } from '../../base/failure.ts';
import { fenceOf } from '../runners/authorise-runner.ts';
import type { JobRow } from '../store.ts';
import type { Fence } from './fence.ts';

/**
 * SQL for the time of leases and deadlines. It is the clock of the database, which all replicas share, because the
 * clock of a replica may be wrong.
 */
export function leaseClock({
  databaseClockOffsetMs,
}: Pick<Context, 'databaseClockOffsetMs'>): RawBuilder<Date> {
  return sql<Date>`(statement_timestamp() + make_interval(secs => ${databaseClockOffsetMs() / 1000}::double precision))`;
}

/** The job, locked until the transaction ends; undefined when the fence no longer holds. */
export async function lockHeld(tx: Db, { jobId, attempt }: Fence): Promise<JobRow | undefined> {
  const { rows } = await sql<JobRow>`
    select * from job where id = ${jobId} and attempt = ${attempt} and state = 'running' for update`.execute(
    tx,
  );
  return rows[0];
}

/** The failure for a runner that no longer holds its job. */
export function leaseLost(): Failure {
  return new Failure(
    'conflict',
    'You no longer hold this job: another attempt has started, or the job has ended.',
  );
}

/** Extends the lease and answers when the job is cancelled, or when the time is over. */
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
    if (!lease) throw leaseLost();
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

interface Lease {
  readonly abort: boolean;
  readonly until: Date;
}

/**
 * Extends the lease; undefined when the job is no longer held. A lease that has expired while still held means that
 * the clock has jumped forward, because expired leases are collected twice a second. The deadline then moves by the
 * same amount.
 */
export async function extendLease(
  db: Db,
  { jobId, attempt }: Fence,
  clock: RawBuilder<Date>,
): Promise<Lease | undefined> {
  const { rows } = await sql<Lease>`
    update job set lease_until = ${clock} + make_interval(secs => ${leaseMs / 1000}),
      deadline_at = deadline_at + greatest(${clock} - lease_until, interval '0')
    where id = ${jobId} and attempt = ${attempt} and state = 'running'
    returning abort_requested as abort, lease_until as until`.execute(db);
  return rows[0];
}

/** True as well for a job that is no longer held, because its runner should stop. */
export async function isAbortRequested(db: Db, { jobId, attempt }: Fence): Promise<boolean> {
  const row = await db
    .selectFrom('job')
    .select('abort_requested')
    .where('id', '=', jobId)
    .where('attempt', '=', attempt)
    .where('state', '=', 'running')
    .executeTakeFirst();
  return row?.abort_requested ?? true;
}

import { leaseMs, timedOut } from '@platen/contract/runner';
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { notify } from '../../base/database/notifications.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import type { JobRow } from '../store.ts';
import { endAborted } from './abort.ts';
import { completeAttempt } from './end.ts';
import { endWithoutEffects } from './fail.ts';
import { leaseClock } from './lease.ts';
import { dropOutputs } from './outputs.ts';
import { appendServiceLog } from './progress.ts';
import { maxBackoffMs, release, releaseDueRetries } from './retry.ts';

/** A pause may be a little longer than it says, so that not all end at once. */
const maxRetryMs = maxBackoffMs * 1.5;

/**
 * What nobody else does for a job: it goes on when its runner is lost, is tried again when its pause is over, and ends when
 * it takes too long. Any number of replicas may look. Jobs that another transaction holds, as while one completes, are passed
 * over.
 */
export async function runMaintenance(context: Context): Promise<void> {
  await clampLeases(context);
  await releaseLost(context); // before those that take too long: after a jump of the clock they seem to be both
  await endOverdueJobs(context);
  await releaseDueRetries(context.db, { now: context.now(), longestMs: maxRetryMs });
  await releaseOrphanedJobs(context.db);
}

/** A clock that is set by a time server goes back a little now and then. */
const slackMs = 10_000;

/**
 * Brings back leases and deadlines that lie further ahead than any can be set: the clock has gone back since, and they
 * would hold a job for as long as it went. @returns how many jobs it was
 */
export async function clampLeases(context: Context): Promise<number> {
  const { db, settings, log } = context;
  const clock = leaseClock(context);
  const leaseEnd = sql`${clock} + make_interval(secs => ${leaseMs / 1000})`;
  const seconds = settings.jobTimeoutMs / 1000;
  const deadline = sql`${clock} + make_interval(secs => coalesce(timeout_seconds, ${seconds}::int))`;
  const slack = sql`make_interval(secs => ${slackMs / 1000})`;
  const { rows } = await sql`
    update job set lease_until = least(lease_until, ${leaseEnd}), deadline_at = least(deadline_at, ${deadline})
    where id in (
      select id from job where state = 'running'
      and (lease_until > ${leaseEnd} + ${slack} or deadline_at > ${deadline} + ${slack})
      for no key update skip locked
    ) returning id`.execute(db);
  if (rows.length > 0) log.warn({ jobs: rows.length }, 'the clock has gone back: leases were brought back');
  return rows.length;
}

const maxLostLeases = 10;

/**
 * Requeues running jobs whose runner was not heard of in time, or all that one runner held. That is no failure of the
 * job, unless it happens too often: then the job itself may be what ends its runners.
 * @returns how many jobs it was
 */
export async function releaseLost(context: Context, runnerId?: string): Promise<number> {
  const { db, now, log } = context;
  const at = now();
  return inTransaction(db, async (tx) => {
    const lost = await lockLost(tx, { clock: leaseClock(context), runnerId });
    for (const job of lost) {
      await dropOutputs(tx, job.id);
      await requeueOrFail(tx, job, at);
      log.warn(
        { jobId: job.id, attempt: job.attempt, runnerId: job.runner_id },
        'the runner of a job was lost',
      );
    }
    return lost.length;
  });
}

async function requeueOrFail(tx: Db, job: JobRow, now: Date): Promise<void> {
  const { id: jobId, attempt } = job;
  if (job.abort_requested) return endAborted(tx, { jobId, warnings: job.warnings, now });
  if (job.lost_leases > maxLostLeases) {
    const errorMessage = `The runner was lost ${job.lost_leases} times while it ran this job.`;
    return completeAttempt(tx, {
      jobId,
      state: 'failed',
      warnings: job.warnings,
      errorCode: 'runnerLost',
      errorMessage,
      now,
    });
  }
  const message = `The runner of attempt ${attempt} was lost: the job waits for another.`;
  await appendServiceLog(tx, { jobId, level: 'warning', message, now });
  return release(tx, { jobId, attempt }, now);
}

/** Running jobs whose lease is over, or that the named runner held, locked and counted as lost once more. */
export async function lockLost(
  tx: Db,
  { clock, runnerId }: { readonly clock: RawBuilder<Date>; readonly runnerId?: string | undefined },
): Promise<JobRow[]> {
  const lost = runnerId === undefined ? sql`lease_until < ${clock}` : sql`runner_id = ${runnerId}`;
  const { rows } = await sql<JobRow>`
    update job set lost_leases = lost_leases + 1 where id in (
      select id from job where state = 'running' and ${lost} order by id limit 100 for update skip locked
    ) returning *`.execute(tx);
  return rows;
}

/** A runner ends a job itself when its time is over; what it says after this is void. */
const graceMs = 10_000;

const overdueMessage = 'The time that the job may take was over, and its runner did not end it.';

/** Ends running jobs whose runners let the end of their time pass. @returns how many it was */
export async function endOverdueJobs(context: Context): Promise<number> {
  const { db, now, log } = context;
  return inTransaction(db, async (tx) => {
    const overdue = await lockOverdue(tx, leaseClock(context));
    for (const job of overdue) {
      await endWithoutEffects(tx, job, {
        code: timedOut,
        message: overdueMessage,
        warnings: job.warnings,
        now: now(),
      });
      log.warn({ jobId: job.id, attempt: job.attempt, runnerId: job.runner_id }, 'a job took too long');
    }
    return overdue.length;
  });
}

/** Not those of lost runners: these jobs run anew. After a jump of the clock both may seem to be true. */
async function lockOverdue(tx: Db, clock: RawBuilder<Date>): Promise<JobRow[]> {
  const { rows } = await sql<JobRow>`
    select * from job where state = 'running' and deadline_at < ${clock} - make_interval(secs => ${graceMs / 1000})
    and lease_until >= ${clock} order by id limit 100 for no key update skip locked`.execute(tx);
  return rows;
}

/** A job of the task that still has to come to an end, and waits for no other of it. */
const isActive = sql`(
  exists (select from job o where o.task_id = j.task_id and not o.is_held and o.state = 'queued')
  or exists (select from job o where o.task_id = j.task_id and not o.is_held and o.state = 'running'))`;

/** Releases what is held although nothing of its task is under way, as when two jobs of it ended in the same moment. */
export async function releaseOrphanedJobs(db: Db): Promise<number> {
  const { rows } = await sql`
    update job set is_held = false, revision = revision + 1 where id in (
      select h.id from job h where h.is_held and h.id in (
        select distinct on (j.task_id) j.id from job j
        where j.is_held and not ${isActive}
        order by j.task_id, j.created_at, j.id
      ) for no key update skip locked
    ) returning id`.execute(db);
  if (rows.length > 0) await notify(db, 'jobQueued');
  return rows.length;
}

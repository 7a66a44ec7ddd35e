import { timedOut } from '@platen/contract/job-end';
import { leaseMs } from '@platen/contract/runner';
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { notify } from '../../base/database/notifications.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import type { JobRow } from '../store.ts';
import { endAborted } from './abort.ts';
import { endJob } from './end.ts';
import { endWithoutEffects } from './fail.ts';
import { release } from './give-back.ts';
import { leaseClock } from './lease.ts';
import { dropOutputs } from './outputs.ts';
import { appendServiceLog } from './progress.ts';
import { maxBackoffMs, releaseDueRetries } from './retry.ts';

/** Backoff is randomised by up to 20 %; the rest is tolerance. */
const maxRetryMs = maxBackoffMs * 1.5;

/**
 * Handles jobs that no request handles: requeues jobs of lost runners, releases due retries and ends overdue jobs. Any
 * number of replicas may run it. Jobs locked by another transaction, such as a completion, are skipped.
 */
export async function runMaintenance(context: Context): Promise<void> {
  await clampLeases(context);
  if (await isAnyLate(context)) {
    await releaseLost(context); // before endOverdueJobs: after a clock jump, jobs appear both lost and overdue
    await endOverdueJobs(context);
  }
  await releaseDueRetries(context.db, { now: context.now(), maxMs: maxRetryMs });
  await releaseOrphanedJobs(context.db);
}

/** Without transactions, which twice a second would cost an idle service more than the question. */
async function isAnyLate(context: Context): Promise<boolean> {
  const clock = leaseClock(context);
  const { rows } = await sql`
    select from job where state = 'running' and (lease_until < ${clock} or ${isOverdue(clock)}) limit 1`.execute(
    context.db,
  );
  return rows.length > 0;
}

/** Time servers set clocks back slightly now and then. */
const slackMs = 10_000;

/**
 * Shortens leases and deadlines that are further ahead than any can be set. The clock has gone back since, and they
 * would hold their jobs for that long. @returns the number of jobs
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
  if (rows.length > 0) log.warn({ jobs: rows.length }, 'the clock has gone back: leases were shortened');
  return rows.length;
}

const maxLostLeases = 10;

/**
 * Requeues running jobs whose lease has expired, or all jobs of one runner. This does not count as a failure of the
 * job unless it happens too often, because then the job may be what crashes its runners.
 * @returns the number of jobs
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
        'the runner of a job stopped responding',
      );
    }
    return lost.length;
  });
}

async function requeueOrFail(tx: Db, job: JobRow, now: Date): Promise<void> {
  const { id: jobId, attempt } = job;
  if (job.abort_requested) return endAborted(tx, { jobId, warnings: job.warnings, now });
  if (job.lost_leases > maxLostLeases) {
    const errorMessage = `The runner stopped responding ${job.lost_leases} times while it ran this job.`;
    return endJob(tx, {
      jobId,
      state: 'failed',
      warnings: job.warnings,
      errorCode: 'runnerLost',
      errorMessage,
      now,
    });
  }
  const message = `The runner of attempt ${attempt} stopped responding. The job waits for another runner.`;
  await appendServiceLog(tx, { jobId, level: 'warning', message, now });
  return release(tx, { jobId, attempt }, now);
}

/** Locks running jobs whose lease has expired, or that the given runner holds, and increments `lost_leases`. */
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

/** The runner ends a job at its deadline; later reports are rejected. */
const graceMs = 10_000;

const overdueMessage = 'The job exceeded its time limit, and its runner did not stop it.';

/** Ends running jobs that their runners did not end at the deadline. @returns the number of jobs */
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
      log.warn(
        { jobId: job.id, attempt: job.attempt, runnerId: job.runner_id },
        'a job exceeded its time limit',
      );
    }
    return overdue.length;
  });
}

const isOverdue = (clock: RawBuilder<Date>) =>
  sql`deadline_at < ${clock} - make_interval(secs => ${graceMs / 1000})`;

/** Excludes jobs of lost runners, which are requeued. After a clock jump, jobs may appear to be both. */
async function lockOverdue(tx: Db, clock: RawBuilder<Date>): Promise<JobRow[]> {
  const { rows } = await sql<JobRow>`
    select * from job where state = 'running' and ${isOverdue(clock)}
    and lease_until >= ${clock} order by id limit 100 for no key update skip locked`.execute(tx);
  return rows;
}

/** Whether the task has a queued or running job that is not held. */
const isActive = sql`(
  exists (select from job o where o.task_id = j.task_id and not o.is_held and o.state = 'queued')
  or exists (select from job o where o.task_id = j.task_id and not o.is_held and o.state = 'running'))`;

/** Releases held jobs whose task has no active job, for example because two of its jobs ended at the same time. */
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

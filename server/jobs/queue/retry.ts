import { randomInt } from 'node:crypto';
import { type JobFailureReport, timedOut } from '@platen/contract/job-end';
import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { notify } from '../../base/database/notifications.ts';
import type { JobRow } from '../store.ts';
import { dropOutputs } from './outputs.ts';
import { appendServiceLog } from './progress.ts';

/** Number of temporary errors after which a job fails. */
const maxFailures = 5;

const minBackoffMs = 5_000;

export const maxBackoffMs = 10 * 60_000;

interface AttemptFailure {
  readonly job: JobRow;
  readonly report: JobFailureReport;
  readonly now: Date;
}

/**
 * Returns a locked job to the queue after a temporary error; it is not claimed before its backoff is over.
 * @returns false if the error is permanent or the job has failed too often
 */
export async function retryLater(tx: Db, { job, report, now }: AttemptFailure): Promise<boolean> {
  if (!isTransientFailure(job, report)) return false;
  const { id: jobId, attempt } = job;
  const failures = job.failures + 1;
  if (failures >= maxFailures) {
    await sql`update job set failures = ${failures} where id = ${jobId}`.execute(tx);
    return false;
  }
  const until = new Date(now.getTime() + backoffMs(failures));
  const message = `Temporary error: ${report.message} Retrying at ${until.toISOString()} (attempt ${failures} of ${maxFailures}).`;
  await dropOutputs(tx, jobId);
  await appendServiceLog(tx, { jobId, level: 'warning', message, now });
  const { rows } = await sql<{ is_limited: boolean }>`
    update job set state = 'queued', not_before = ${until}, failures = ${failures}, runner_id = null, token_hash = null,
      lease_until = null, deadline_at = null, progress = null, stages = '[]', warnings = '[]',
      revision = revision + 1, updated_at = ${now}
    where id = ${jobId} and attempt = ${attempt} and state = 'running' returning is_limited`.execute(tx);
  if (rows[0]?.is_limited) await notify(tx, 'jobQueued'); // another job of the project may run meanwhile
  return true;
}

/** Errors that every attempt would meet are permanent, whatever the runner reports. */
function isTransientFailure(job: JobRow, { code, isTransient = false }: JobFailureReport): boolean {
  return isTransient && !job.abort_requested && code !== timedOut && code !== 'outOfMemory';
}

/** Doubles with each failure, randomised by 20 %, so that jobs that failed together do not return together. */
function backoffMs(failures: number): number {
  const backoff = Math.min(minBackoffMs * 2 ** (failures - 1), maxBackoffMs);
  return Math.round((backoff * randomInt(80, 121)) / 100);
}

/**
 * Makes jobs claimable whose backoff is over. A backoff longer than the maximum was set by a clock that has gone back
 * since, and is over as well. @returns the number of jobs
 */
export async function releaseDueRetries(
  db: Db,
  { now, maxMs }: { now: Date; maxMs: number },
): Promise<number> {
  const { rows } = await sql`
    update job set not_before = null, revision = revision + 1, updated_at = ${now} where id in (
      select id from job where state = 'queued' and not_before is not null
      and (not_before <= ${now} or not_before > ${new Date(now.getTime() + maxMs)})
      order by not_before limit 1000 for no key update skip locked
    ) returning id`.execute(db);
  if (rows.length > 0) await notify(db, 'jobQueued');
  return rows.length;
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, JobState, JobWarning } from '@platen/contract/jobs';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { extendStatementTimeout } from '../../base/database/extend-statement-timeout.ts';
import { notify } from '../../base/database/notifications.ts';
import { withLockTimeout } from '../../base/database/with-lock-timeout.ts';
import { Failure } from '../../base/failure.ts';
import { type JobRow, fromRow } from '../store.ts';
import { endJob, releasesHeld } from './end.ts';
import { appendServiceLog } from './progress.ts';

interface ProjectAbortRequest {
  readonly projectId: string;
  readonly by: string;
  readonly now: Date;
}

interface AbortRequest extends ProjectAbortRequest {
  readonly jobId: string;
}

/** SQL for an update of a job: ends a queued one and marks a running one. */
const abortion = ({ by, now }: ProjectAbortRequest): RawBuilder<unknown> => sql`
  abort_requested = true, is_held = false, not_before = null,
  state = case state when 'queued' then 'aborted' else state end,
  end_time = case state when 'queued' then ${now}::timestamptz end,
  revision = revision + 1, updated_at = ${now}, updated_by = ${by}`;

const isAbortable = sql`state in ('queued', 'running') and not abort_requested`;

/**
 * Ends a queued job and marks a running one. Returns undefined if it is neither, or already marked.
 * @throws Failure `unavailable` while another transaction holds the job; completing one can take minutes
 */
export async function requestAbort(tx: Db, request: AbortRequest): Promise<Job | undefined> {
  const { projectId, jobId } = request;
  const marking = sql<JobRow & { has_released: boolean }>`
    with changed as (
    update job set ${abortion(request)}
    where project_id = ${projectId} and id = ${jobId} and ${isAbortable} returning *
    ), ended as (select id, task_id from changed where state = 'aborted')
    select *, coalesce((select ${releasesHeld} from ended), false) as has_released from changed`;
  const { rows } = await withLockTimeout(tx, () => marking.execute(tx), jobIsEnding);
  if (rows[0]?.has_released) await notify(tx, 'jobQueued');
  return rows[0] && fromRow(rows[0]);
}

const maxPasses = 10;
const passIntervalMs = 100;

/**
 * Ends all queued jobs of a project and marks the running ones, in one statement. Another transaction may hold a job for
 * a moment: it is tried again for a second. Jobs that are held for longer are just ending, and are left to it.
 */
export async function abortJobsOfProject(tx: Db, request: ProjectAbortRequest): Promise<void> {
  const { projectId } = request;
  await extendStatementTimeout(tx);
  for (let pass = 1; ; pass++) {
    const { rows } = await sql<{ id: string; state: JobState }>`
      update job set ${abortion(request)} where id in (
        select id from job where project_id = ${projectId} and ${isAbortable} for no key update skip locked
      ) returning id, state`.execute(tx);
    if (rows.some(({ state }) => state === 'aborted')) await notify(tx, 'jobEnded');
    for (const { id, state } of rows) if (state === 'running') await notify(tx, 'jobAborted', id);
    if (pass === maxPasses || !(await hasAbortable(tx, projectId))) return;
    await sleep(passIntervalMs);
  }
}

async function hasAbortable(tx: Db, projectId: string): Promise<boolean> {
  const { rows } =
    await sql`select from job where project_id = ${projectId} and ${isAbortable} limit 1`.execute(tx);
  return rows.length > 0;
}

function jobIsEnding(): Failure {
  const detail = 'The job is just ending. Try again in a moment.';
  return new Failure('unavailable', detail, { retryAfterSeconds: 2 });
}

interface AbortedEnd {
  readonly jobId: string;
  readonly warnings: readonly JobWarning[];
  readonly now: Date;
}

/** Ends a locked job that was cancelled. The log already names the user. */
export async function endAborted(tx: Db, { jobId, warnings, now }: AbortedEnd): Promise<void> {
  await appendServiceLog(tx, { jobId, level: 'info', message: 'The job was cancelled.', now });
  await endJob(tx, { jobId, state: 'aborted', warnings, now });
}

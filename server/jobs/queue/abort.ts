import type { Job, JobWarning } from '@platen/contract/jobs';
import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { notify } from '../../base/database/notifications.ts';
import { withLockTimeout } from '../../base/database/with-lock-timeout.ts';
import { Failure } from '../../base/failure.ts';
import { type JobRow, fromRow } from '../store.ts';
import { endJob, releasesHeld } from './end.ts';
import { appendServiceLog } from './progress.ts';

interface AbortRequest {
  readonly projectId: string;
  readonly jobId: string;
  readonly by: string;
  readonly now: Date;
}

/**
 * Ends a queued job and marks a running one. Returns undefined if it is neither, or already marked.
 * @throws Failure `unavailable` while another transaction holds the job; completing one can take minutes
 */
export async function requestAbort(
  tx: Db,
  { projectId, jobId, by, now }: AbortRequest,
): Promise<Job | undefined> {
  const marking = sql<JobRow & { has_released: boolean }>`
    with changed as (
    update job set abort_requested = true, is_held = false, not_before = null,
      state = case state when 'queued' then 'aborted' else state end,
      end_time = case state when 'queued' then ${now}::timestamptz end,
      revision = revision + 1, updated_at = ${now}, updated_by = ${by}
    where project_id = ${projectId} and id = ${jobId} and state in ('queued', 'running')
      and not abort_requested returning *
    ), ended as (select id, task_id from changed where state = 'aborted')
    select *, coalesce((select ${releasesHeld} from ended), false) as has_released from changed`;
  const { rows } = await withLockTimeout(tx, () => marking.execute(tx), jobIsEnding);
  if (rows[0]?.has_released) await notify(tx, 'jobQueued');
  return rows[0] && fromRow(rows[0]);
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

import type { Job } from '@platen/contract/jobs';
import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { notify } from '../../base/database/notifications.ts';
import { waitBriefly } from '../../base/database/wait-briefly.ts';
import { Failure } from '../../base/failure.ts';
import { fromRow, type JobRow } from '../store.ts';
import { releasesHeld } from './release-held.ts';

interface Abort {
  readonly projectId: string;
  readonly jobId: string;
  readonly by: string;
  readonly now: Date;
}

/**
 * Ends a queued job, marks a running one; undefined when it is neither, or was marked before.
 * @throws Failure `unavailable` while another transaction holds the job, as that which completes it may do for minutes
 */
export async function requestAbort(tx: Db, { projectId, jobId, by, now }: Abort): Promise<Job | undefined> {
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
  const { rows } = await waitBriefly(tx, () => marking.execute(tx), justEnding);
  if (rows[0]?.has_released) await notify(tx, 'jobQueued');
  return rows[0] && fromRow(rows[0]);
}

function justEnding(): Failure {
  const detail = 'The job is just coming to its end: look in a moment what has become of it.';
  return new Failure('unavailable', detail, { retryAfterSeconds: 2 });
}

import type { Job } from '@platen/contract/jobs';
import { sql } from 'kysely';
import type { Db } from '../database/database.ts';
import { notify } from '../database/notifications.ts';
import { fromRow, type JobRow } from '../jobs/store.ts';
import { releasesHeld } from './release-held.ts';

interface Abort {
  readonly projectId: string;
  readonly jobId: string;
  readonly by: string;
  readonly now: Date;
}

/** Ends a queued job, marks a running one; undefined when it is neither, or was marked before. */
export async function requestAbort(db: Db, { projectId, jobId, by, now }: Abort): Promise<Job | undefined> {
  const { rows } = await sql<JobRow & { has_released: boolean }>`
    with changed as (
    update job set abort_requested = true, is_held = false, not_before = null,
      state = case state when 'queued' then 'aborted' else state end,
      end_time = case state when 'queued' then ${now}::timestamptz end,
      revision = revision + 1, updated_at = ${now}, updated_by = ${by}
    where project_id = ${projectId} and id = ${jobId} and state in ('queued', 'running')
      and not abort_requested returning *
    ), ended as (select id, task_id from changed where state = 'aborted')
    select *, coalesce((select ${releasesHeld} from ended), false) as has_released from changed`.execute(db);
  if (rows[0]?.has_released) await notify(db, 'jobQueued');
  return rows[0] && fromRow(rows[0]);
}

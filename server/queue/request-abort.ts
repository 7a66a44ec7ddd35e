import type { Job } from '@platen/contract/jobs';
import { sql } from 'kysely';
import type { Db } from '../database/database.ts';
import { fromRow, type JobRow } from '../jobs/store.ts';

interface Abort {
  readonly projectId: string;
  readonly jobId: string;
  readonly by: string;
  readonly now: Date;
}

/** Ends a queued job, marks a running one; undefined when it is neither. */
export async function requestAbort(db: Db, { projectId, jobId, by, now }: Abort): Promise<Job | undefined> {
  const { rows } = await sql<JobRow>`
    update job set abort_requested = true,
      state = case state when 'queued' then 'aborted' else state end,
      end_time = case state when 'queued' then ${now}::timestamptz end,
      revision = revision + 1, updated_at = ${now}, updated_by = ${by}
    where project_id = ${projectId} and id = ${jobId} and state in ('queued', 'running') returning *`.execute(
    db,
  );
  return rows[0] && fromRow(rows[0]);
}

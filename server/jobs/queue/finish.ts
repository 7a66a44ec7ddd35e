import type { FailureCode } from '@platen/contract/failure-codes';
import type { JobOutput, JobState, JobWarning } from '@platen/contract/jobs';
import type { FreeForm } from '@platen/contract/schema';
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { channels, passOn } from '../../base/database/notifications.ts';
import type { Fence } from './fence.ts';
import { releasesHeld } from './release-held.ts';

interface End {
  readonly jobId: string;
  readonly state: Exclude<JobState, 'queued' | 'running'>;
  readonly warnings: readonly JobWarning[];
  readonly outputs?: readonly JobOutput[];
  readonly report?: FreeForm;
  readonly errorCode?: FailureCode;
  readonly errorMessage?: string;
  readonly now: Date;
}

/** Ends a job that the transaction has locked; its token is void from here on. Tells those who wait for it. */
export async function finish(tx: Db, end: End): Promise<void> {
  await endWhere(tx, end, sql`id = ${end.jobId}`);
}

/**
 * The same in one round trip for an attempt that has left nothing behind. False: it has, or there is more to look at; then
 * nothing has happened.
 */
export async function finishWithoutOutputs(db: Db, { jobId, attempt }: Fence, end: End): Promise<boolean> {
  return endWhere(db, end, sql`id = ${jobId} and lock_job_without_outputs(${jobId}, ${attempt})`);
}

/** That a job has ended may make room for others of its project, and for the one of its task that was held. */
async function endWhere(
  db: Db,
  { jobId, state, warnings, outputs = [], report, now, ...error }: End,
  where: RawBuilder<unknown>,
): Promise<boolean> {
  const ended = JSON.stringify({ endTime: now.toISOString() });
  const { rows } = await sql<{ wakes: boolean }>`
    with ended as (
      update job set state = ${state}, warnings = ${JSON.stringify(warnings)}::json, outputs = ${JSON.stringify(outputs)}::json,
      report = ${report ? JSON.stringify(report) : null}::json,
      error_code = ${error.errorCode ?? null}, error_message = ${error.errorMessage ?? null},
      stages = case when json_array_length(stages) = 0 then stages
        else jsonb_set(stages::jsonb, '{-1}', (stages::jsonb -> -1) || ${ended}::jsonb)::json end,
      end_time = ${now}, lease_until = null, token_hash = null, is_held = false,
        revision = revision + 1, updated_at = ${now}
      where ${where} returning id, task_id, project_id, is_limited
    ), told as materialized (
      select id, ${releasesHeld} or is_limited
        or exists (select from project p where p.id = project_id and p.max_running_jobs is not null) as wakes
      from ended
    )
    select wakes, pg_notify(${channels.jobEnded}, id), case when wakes then pg_notify(${channels.jobQueued}, '') end
    from told`.execute(db);
  const [row] = rows;
  if (!row) return false;
  passOn(db, 'jobEnded', jobId);
  if (row.wakes) passOn(db, 'jobQueued');
  return true;
}

import type { FailureCode } from '@platen/contract/failure-codes';
import type { Job, JobOutput, JobOutputFiles, JobState, JobWarning } from '@platen/contract/jobs';
import type { FreeForm } from '@platen/contract/schema';
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { channels, notifyLocally } from '../../base/database/notifications.ts';
import { untilNotified } from '../../base/database/until-notified.ts';
import { findJob } from '../store.ts';
import type { Fence } from './fence.ts';

interface FinalState {
  readonly jobId: string;
  readonly state: Exclude<JobState, 'queued' | 'running'>;
  readonly warnings: readonly JobWarning[];
  readonly outputs?: readonly JobOutput[];
  readonly outputFiles?: JobOutputFiles | undefined;
  readonly report?: FreeForm;
  readonly errorCode?: FailureCode;
  readonly errorMessage?: string;
  readonly now: Date;
}

/** Sets the final state of a job that the transaction has locked. Revokes its token and notifies waiting requests. */
export async function endJob(tx: Db, end: FinalState): Promise<void> {
  await updateToFinalState(tx, end, sql`id = ${end.jobId}`);
}

/**
 * Does the same in one round trip for an attempt without outputs. Returns false, without effects, if the attempt has
 * outputs or must be locked first.
 */
export async function completeWithoutOutputs(
  db: Db,
  { jobId, attempt }: Fence,
  end: FinalState,
): Promise<boolean> {
  return updateToFinalState(db, end, sql`id = ${jobId} and lock_job_without_outputs(${jobId}, ${attempt})`);
}

/** Wakes the runners as well if the end releases a held job or frees a slot of the project's limit. */
async function updateToFinalState(
  db: Db,
  { jobId, state, warnings, outputs = [], outputFiles, report, now, ...error }: FinalState,
  where: RawBuilder<unknown>,
): Promise<boolean> {
  const ended = JSON.stringify({ endTime: now.toISOString() });
  const { rows } = await sql<{ wakes: boolean }>`
    with ended as (
      update job set state = ${state}, warnings = ${JSON.stringify(warnings)}::json, outputs = ${JSON.stringify(outputs)}::json,
      output_files = ${outputFiles ? JSON.stringify(outputFiles) : null}::json,
      report = ${report ? JSON.stringify(report) : null}::json,
      error_code = ${error.errorCode ?? null}, error_message = ${error.errorMessage ?? null},
      stages = case when json_array_length(stages) = 0 then stages
        else jsonb_set(stages::jsonb, '{-1}', (stages::jsonb -> -1) || ${ended}::jsonb)::json end,
      end_time = ${now}, lease_until = null, token_hash = null, is_held = false,
        revision = revision + 1, updated_at = ${now}
      where ${where} returning id, task_id, project_id, is_limited
    ), flagged as materialized (
      select id, ${releasesHeld} or is_limited
        or exists (select from project p where p.id = project_id and p.max_running_jobs is not null) as wakes
      from ended
    )
    select wakes, pg_notify(${channels.jobEnded}, id), case when wakes then pg_notify(${channels.jobQueued}, '') end
    from flagged`.execute(db);
  const [row] = rows;
  if (!row) return false;
  notifyLocally(db, 'jobEnded', jobId);
  if (row.wakes) notifyLocally(db, 'jobQueued');
  return true;
}

/**
 * SQL for a statement with the CTE `ended` (`id`, `task_id`) of the job that it ends: releases the oldest held job of
 * the same task. Usually none is held, and this is a single lookup.
 */
export const releasesHeld = sql`(
  exists (select from job h where h.is_held and h.task_id = ended.task_id) and release_next_held_job(ended.task_id, ended.id))`;

interface EndWait {
  readonly projectId: string;
  readonly jobId: string;
  readonly ms: number;
  readonly signal: AbortSignal;
}

/**
 * Waits for the end of the job. Returns the job in its last state when the time is over; undefined when it was
 * deleted.
 */
export async function waitForEnd(
  { db, notifications }: Context,
  { projectId, jobId, ms, signal }: EndWait,
): Promise<Job | undefined> {
  const waiting = untilNotified(notifications, 'jobEnded', { ms, signal });
  try {
    for (;;) {
      // before the query, so that no end in between is missed
      const notified = waiting.next((payload) => payload === '' || payload === jobId);
      const job = await findJob(db, projectId, jobId);
      if (!job || job.endTime !== undefined || !(await notified)) return job;
    }
  } finally {
    waiting.end();
  }
}

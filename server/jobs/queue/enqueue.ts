import type { Job, JobWarning } from '@platen/contract/jobs';
import type { FreeForm } from '@platen/contract/schema';
import type { Task } from '@platen/contract/tasks';
import { findJobSpec } from '@platen/processing/catalog';
import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { notify } from '../../base/database/notifications.ts';
import { newId } from '../../base/ids.ts';
import { typeNameOf } from '../../base/type-name.ts';
import { type JobRow, fromRow } from '../store.ts';
import { findUnfinishedJob } from '../tasks/store.ts';

interface NewJob {
  readonly task: Task;
  readonly warnings: readonly JobWarning[];
  readonly by: string;
  readonly now: Date;
  /** The job waits for the end of the active job of its task. */
  readonly isHeld?: boolean;
  /** ID of the job that this one repeats. */
  readonly repeats?: string;
}

/** Adds a job of the task to the queue and wakes the runners when the transaction commits. */
export async function enqueue(
  tx: Db,
  { task, warnings, by, now, repeats, ...options }: NewJob,
): Promise<Job> {
  const isHeld = options.isHeld === true || (await mustWait(tx, task));
  const { rows } = await sql<JobRow>`
    with queued as (
      insert into job (id, project_id, task_id, job_type, type_name, job_version, labels, priority,
        debug_level, timeout_seconds, parameters, tags, state, is_held, repeats, parameter_warnings, created_at, created_by,
        updated_at, updated_by)
      values (${newId(now)}, ${task.projectId}, ${task._id}, ${task.jobType}, ${findJobSpec(task.jobType)?.name ?? typeNameOf(task.jobType)}, ${task.jobVersion},
        ${task.labels}, ${task.priority}, ${task.debugLevel}, ${timeoutOf(task.jobType, task.timeoutSeconds)}, ${JSON.stringify(task.parameters)},
        ${JSON.stringify(task.tags)}, 'queued', ${isHeld}, ${repeats ?? null}, ${JSON.stringify(warnings)}, ${now}, ${by}, ${now}, ${by})
      returning *
    ), named as (
      update task set last_job_id = queued.id from queued where task.id = queued.task_id
    )
    select * from queued`.execute(tx);
  if (!isHeld) await notify(tx, 'jobQueued');
  return fromRow(rows[0]!);
}

async function mustWait(tx: Db, { _id: taskId, jobType }: Task): Promise<boolean> {
  if (findJobSpec(jobType)?.runsAlone !== true) return false;
  return (await findUnfinishedJob(tx, taskId)) !== undefined;
}

interface NewInspection {
  readonly id: string;
  readonly projectId: string;
  readonly jobType: string;
  readonly jobVersion: string;
  readonly parameters: FreeForm;
  /** SHA-256 of everything that the report depends on. */
  readonly reportOf: Buffer;
  /** The inspected object: bucket and key. */
  readonly about: string;
  /** A request waits for the report. */
  readonly isUrgent: boolean;
  readonly by: string;
  readonly now: Date;
}

/** Urgent inspections take seconds and run before all tasks; background inspections run after them. */
const urgentBand = 1;

const backgroundBand = -1;

/**
 * Adds a job without a task to the queue and wakes the runners. A queued inspection of the same object is updated to
 * the newer content instead. @returns the ID of the job
 */
export async function enqueueInspection(tx: Db, job: NewInspection): Promise<string> {
  const { id, projectId, jobType, jobVersion, reportOf, about, isUrgent, by, now } = job;
  const parameters = JSON.stringify(job.parameters);
  const band = isUrgent ? urgentBand : backgroundBand;
  const waiting = await sql<{ id: string }>`
    update job set parameters = ${parameters}, report_of = ${reportOf}, job_version = ${jobVersion},
      band = greatest(band, ${band}::smallint), revision = revision + 1, updated_at = ${now}, updated_by = ${by}
    where id = (select id from job where project_id = ${projectId} and about = ${about} and state = 'queued'
      limit 1 for update skip locked)
    returning id`.execute(tx);
  if (waiting.rows.length === 0)
    await sql`
      insert into job (id, project_id, task_id, job_type, type_name, job_version, labels, band, priority,
        debug_level, timeout_seconds, parameters, report_of, about, state, created_at, created_by, updated_at, updated_by)
      values (${id}, ${projectId}, null, ${jobType}, ${typeNameOf(jobType)}, ${jobVersion}, '{}', ${band}, 0, 0, ${timeoutOf(jobType)}, ${parameters},
        ${reportOf}, ${about}, 'queued', ${now}, ${by}, ${now}, ${by})`.execute(tx);
  await notify(tx, 'jobQueued');
  return waiting.rows[0]?.id ?? id;
}

/** Makes a background inspection urgent, because a request now waits for it. */
export async function raisePriority(db: Db, jobId: string, now: Date): Promise<void> {
  await sql`update job set band = ${urgentBand}, updated_at = ${now}
    where id = ${jobId} and state = 'queued' and band < ${urgentBand}`.execute(db);
}

/** The time limit of an attempt in seconds, from the task and the job type; null: the default of the service. */
export function timeoutOf(jobType: string, requested?: number): number | null {
  const max = findJobSpec(jobType)?.maxSeconds;
  if (requested === undefined || max === undefined) return requested ?? max ?? null;
  return Math.min(requested, max);
}

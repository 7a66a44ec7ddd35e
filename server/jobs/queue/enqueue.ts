import type { Job, JobWarning } from '@platen/contract/jobs';
import type { Task } from '@platen/contract/tasks';
import { findJobSpec } from '@platen/processing/catalog';
import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { notify } from '../../base/database/notifications.ts';
import { newId } from '../../base/ids.ts';
import { fromRow, type JobRow } from '../store.ts';
import { findUnfinishedJob } from '../tasks/store.ts';
import { timeoutOf } from './timeout-of.ts';
import { typeNameOf } from '../../base/type-name.ts';

interface NewJob {
  readonly task: Task;
  readonly warnings: readonly JobWarning[];
  readonly by: string;
  readonly now: Date;
  /** It waits for the end of what is under way of the task. */
  readonly isHeld?: boolean;
  /** The job that it runs again. */
  readonly repeats?: string;
}

/** Adds a job of the task to the queue and wakes the runners, all with the transaction that it is called in. */
export async function enqueue(tx: Db, { task, warnings, by, now, repeats, ...wanted }: NewJob): Promise<Job> {
  const isHeld = wanted.isHeld === true || (await mustWait(tx, task));
  const { rows } = await sql<JobRow>`
    with queued as (
      insert into job (id, project_id, task_id, job_type, type_name, job_version, labels, priority,
        debug_level, timeout_seconds, parameters, state, is_held, repeats, parameter_warnings, created_at, created_by, updated_at, updated_by)
      values (${newId(now)}, ${task.projectId}, ${task._id}, ${task.jobType}, ${typeNameOf(task.jobType)}, ${task.jobVersion},
        ${task.labels}, ${task.priority}, ${task.debugLevel}, ${timeoutOf(task.jobType, task.timeoutSeconds)}, ${JSON.stringify(task.parameters)},
        'queued', ${isHeld}, ${repeats ?? null}, ${JSON.stringify(warnings)}, ${now}, ${by}, ${now}, ${by})
      returning *
    ), named as (
      update task set last_job_id = queued.id from queued where task.id = queued.task_id
    )
    select * from queued`.execute(tx);
  if (!isHeld) await notify(tx, 'jobQueued');
  return fromRow(rows[0]!);
}

/** What carries a bundle away would meet, at its destination, the one before it. */
async function mustWait(tx: Db, { _id: taskId, jobType }: Task): Promise<boolean> {
  if (findJobSpec(jobType)?.transfers !== true) return false;
  return (await findUnfinishedJob(tx, taskId)) !== undefined;
}

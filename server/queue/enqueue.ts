import type { Job, JobWarning } from '@platen/contract/jobs';
import type { Task } from '@platen/contract/tasks';
import { sql } from 'kysely';
import type { Db } from '../database/database.ts';
import { notify } from '../database/notifications.ts';
import { newId } from '../ids.ts';
import { fromRow, type JobRow } from '../jobs/store.ts';

interface NewJob {
  readonly task: Task;
  readonly warnings: readonly JobWarning[];
  readonly by: string;
  readonly now: Date;
}

/** Adds a job of the task to the queue and wakes the runners, all with the transaction that it is called in. */
export async function enqueue(tx: Db, { task, warnings, by, now }: NewJob): Promise<Job> {
  const { rows } = await sql<JobRow>`
    with queued as (
      insert into job (id, project_id, task_id, job_type, job_version, labels, priority, debug_level, parameters,
        state, parameter_warnings, created_at, created_by, updated_at, updated_by)
      values (${newId(now)}, ${task.projectId}, ${task._id}, ${task.jobType}, ${task.jobVersion},
        ${task.labels}, ${task.priority}, ${task.debugLevel}, ${JSON.stringify(task.parameters)},
        'queued', ${JSON.stringify(warnings)}, ${now}, ${by}, ${now}, ${by})
      returning *
    ), named as (
      update task set last_job_id = queued.id from queued where task.id = queued.task_id
    )
    select * from queued`.execute(tx);
  await notify(tx, 'jobQueued');
  return fromRow(rows[0]!);
}

import type { FreeForm } from '@platen/contract/schema';
import { sql } from 'kysely';
import type { Db } from '../database/database.ts';
import { notify } from '../database/notifications.ts';

interface NewInspection {
  readonly id: string;
  readonly projectId: string;
  readonly jobType: string;
  readonly jobVersion: string;
  readonly parameters: FreeForm;
  /** SHA-256 of all that the report depends on. */
  readonly reportOf: Buffer;
  readonly by: string;
  readonly now: Date;
}

/** Above all tasks, as somebody waits for it, and it takes seconds. */
const priority = 2_000_000;

/** Adds a job without a task to the queue and wakes the runners. */
export async function enqueueInspection(tx: Db, job: NewInspection): Promise<void> {
  const { id, projectId, jobType, jobVersion, parameters, reportOf, by, now } = job;
  await sql`
    insert into job (id, project_id, task_id, job_type, job_version, labels, priority, debug_level, parameters,
      report_of, state, created_at, created_by, updated_at, updated_by)
    values (${id}, ${projectId}, null, ${jobType}, ${jobVersion}, '{}', ${priority}, 0, ${JSON.stringify(parameters)},
      ${reportOf}, 'queued', ${now}, ${by}, ${now}, ${by})`.execute(tx);
  await notify(tx, 'jobQueued');
}

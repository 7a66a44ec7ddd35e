import type { FreeForm } from '@platen/contract/schema';
import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { notify } from '../../base/database/notifications.ts';
import { timeoutOf } from './timeout-of.ts';
import { typeNameOf } from '../../base/type-name.ts';

interface NewInspection {
  readonly id: string;
  readonly projectId: string;
  readonly jobType: string;
  readonly jobVersion: string;
  readonly parameters: FreeForm;
  /** SHA-256 of all that the report depends on. */
  readonly reportOf: Buffer;
  /** The object, by its bucket and key. */
  readonly about: string;
  /** Somebody waits for it. */
  readonly isUrgent: boolean;
  readonly by: string;
  readonly now: Date;
}

/** Before all tasks, as it takes seconds; and after all of them, where nobody waits. */
const urgent = 1;
const inBackground = -1;

/**
 * Adds a job without a task to the queue and wakes the runners. One about the same object that waits already takes the
 * newer content instead. @returns the id of the job
 */
export async function enqueueInspection(tx: Db, job: NewInspection): Promise<string> {
  const { id, projectId, jobType, jobVersion, reportOf, about, isUrgent, by, now } = job;
  const parameters = JSON.stringify(job.parameters);
  const band = isUrgent ? urgent : inBackground;
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

/** Somebody waits for it by now. */
export async function hasten(db: Db, jobId: string, now: Date): Promise<void> {
  await sql`update job set band = ${urgent}, updated_at = ${now}
    where id = ${jobId} and state = 'queued' and band < ${urgent}`.execute(db);
}

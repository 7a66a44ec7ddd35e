import type { Job } from '@platen/contract/jobs';
import { sql } from 'kysely';
import type { Db } from '../database/database.ts';
import { fromRow, type JobRow } from '../jobs/store.ts';

/** The newest inspection of the same content that has a report, or will have one. */
export async function findInspection(db: Db, projectId: string, reportOf: Buffer): Promise<Job | undefined> {
  const { rows } = await sql<JobRow>`
    select * from job where project_id = ${projectId} and report_of = ${reportOf}
      and state in ('queued', 'running', 'succeeded') order by created_at desc limit 1`.execute(db);
  return rows[0] && fromRow(rows[0]);
}

/** Those that nobody will ask for again; one that runs is left to its runner. */
export async function deleteOldInspections(db: Db, projectId: string, before: Date): Promise<void> {
  await sql`
    delete from job where project_id = ${projectId} and report_of is not null and created_at < ${before}
      and state <> 'running'`.execute(db);
}

/** Whether some runner was heard of lately: it asks for jobs, or holds one. */
export async function hasRunner(db: Db, { since, now }: { since: Date; now: Date }): Promise<boolean> {
  const { rows } = await sql`
    select where exists (select from runner where seen_at > ${since})
      or exists (select from job where state = 'running' and lease_until > ${now})`.execute(db);
  return rows.length > 0;
}

import { sql } from 'kysely';
import type { Context } from '../../base/context.ts';
import { countAll, type CleanUpOptions, type RemovalCount } from '../../base/removal-count.ts';

const keptMs = 7 * 24 * 3_600_000;
const batch = 1000;

/**
 * Removes data that will not be requested again: old jobs of inspections, and old reports of contents that the project
 * has no longer. A job that runs is left to its runner.
 */
export async function removeOldInspections(context: Context, options: CleanUpOptions = {}): Promise<void> {
  const before = new Date(context.now().getTime() - keptMs);
  await removeJobs(context, before, options);
  await removeReports(context, before, options);
}

async function removeJobs({ db }: Context, before: Date, { signal, report }: CleanUpOptions): Promise<void> {
  while (!signal?.aborted) {
    const { rows } = await sql<RemovalCount>`
      with gone as (
        delete from job where id = any (array(
          select id from job where report_of is not null and task_id is null and created_at < ${before}
            and state <> 'running' limit ${batch} for update skip locked))
        returning project_id
      )
      select project_id, count(*) as count from gone group by project_id`.execute(db);
    report?.('inspection', rows);
    if (countAll(rows) < batch) break;
  }
}

async function removeReports(
  { db }: Context,
  before: Date,
  { signal, report }: CleanUpOptions,
): Promise<void> {
  while (!signal?.aborted) {
    const { rows } = await sql<RemovalCount>`
      with gone as (
        delete from inspection where (project_id, report_of) in (
          select project_id, report_of from inspection i where created_at < ${before}
            and (sha256 is null or not exists (
              select from blob b where b.project_id = i.project_id and b.sha256 = i.sha256)) limit ${batch})
        returning project_id
      )
      select project_id, count(*) as count from gone group by project_id`.execute(db);
    report?.('report', rows);
    if (countAll(rows) < batch) break;
  }
}

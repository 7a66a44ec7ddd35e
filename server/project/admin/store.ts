import type { AdminJob, AdminJobListQuery } from '@platen/contract/admin';
import type { Page } from '@platen/contract/schema';
import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { selectJobs } from '../../jobs/list.ts';
import { fromRow, type JobRow } from '../../jobs/store.ts';

interface Row extends JobRow {
  readonly project_name: string;
  readonly runner_name: string | null;
}

export async function findAllJobs(db: Db, query: AdminJobListQuery): Promise<Page<AdminJob>> {
  return selectJobs<Row, AdminJob>(db, {
    ...(await projectsOf(db, query)),
    query,
    joined: sql`join project p on p.id = j.project_id left join runner r on r.id = j.runner_id and j.state = 'running'`,
    columns: sql`j.*, p.name as project_name, r.name as runner_name`,
    fromRow: (row) => ({
      ...fromRow(row),
      projectName: row.project_name,
      ...(row.runner_name !== null && { runner: { _id: row.runner_id!, name: row.runner_name } }),
    }),
  });
}

interface ProjectChoice {
  readonly projectId?: readonly string[];
  readonly includeDeletedProjects?: boolean;
}

/** The projects of an administrator's list. Deleted ones are few, and planned better as values than as a subquery. */
export async function projectsOf(db: Db, { projectId, includeDeletedProjects }: ProjectChoice) {
  if (includeDeletedProjects === true) return { projectId };
  const { rows } = await sql<{ id: string }>`select id from project where deleted_at is not null`.execute(db);
  return { projectId, exceptProjects: rows.map(({ id }) => id) };
}

export async function findProjectNames(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from project where id = any(${[...new Set(ids)]}::text[])`.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

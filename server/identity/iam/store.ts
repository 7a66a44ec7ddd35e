import type { Role, RoleListQuery } from '@platen/contract/iam';
import type { Page } from '@platen/contract/schema';
import { sql } from 'kysely';
import { inLiveProject } from '../../base/database/live-projects.ts';
import type { Db } from '../../base/database/database.ts';
import { selectPage, textFilter, timeFilter } from '../../base/database/lists.ts';
import type { RoleTable } from '../../base/database/schema.ts';

/** Filtering by permission returns project roles only, as an app guest has no permission in the project. */
export function findRoles(db: Db, query: RoleListQuery): Promise<Page<Role>> {
  const by = (values: readonly string[] | undefined) =>
    values?.length ? sql`${values.includes('internal')}::boolean` : undefined;
  return selectPage(db, {
    from: sql`role r`,
    columns: sql`r.*`,
    where: [
      textFilter('r.name', query.name),
      timeFilter('createdAt', 'r.created_at', query.createdAt),
      timeFilter('updatedAt', 'r.updated_at', query.updatedAt),
      by(query.createdBy),
      by(query.updatedBy),
      query.permission === undefined
        ? undefined
        : sql`${query.permission} = any(r.permissions) and 'getProject' = any(r.permissions)`,
      query.permissions?.length ? sql`r.permissions && ${query.permissions}::text[]` : undefined,
    ],
    order: { name: 'r.name', createdAt: 'r.created_at', updatedAt: 'r.updated_at', _id: 'r.id' },
    tieBreak: 'r.id',
    query,
    fromRow,
  });
}

export async function findRole(db: Db, id: string): Promise<Role | undefined> {
  const row = await db.selectFrom('role').selectAll().where('id', '=', id).executeTakeFirst();
  return row && fromRow(row);
}

export type Resource = { readonly type: 'project' | 'app'; readonly id: string; readonly projectId: string };

/** Finds a project or an app by its id. */
export async function findGrantable(db: Db, id: string): Promise<Resource | undefined> {
  const { rows } = await sql<Resource>`
    select 'project' as type, id, id as "projectId" from project where id = ${id} and deleted_at is null
    union all select 'app' as type, id, project_id as "projectId" from app where id = ${id}
      and ${inLiveProject('app.project_id')}`.execute(db);
  return rows[0];
}

function fromRow(row: RoleTable): Role {
  return {
    _id: row.id,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    createdBy: 'internal',
    updatedBy: 'internal',
    revision: 1,
    name: row.name,
    permissions: row.permissions,
  };
}

import type { Grant, PrincipalListQuery, ResourceListQuery } from '@platen/contract/iam';
import type { Permission } from '@platen/contract/permission';
import type { Page } from '@platen/contract/schema';
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { inLiveProject } from '../../base/database/live-projects.ts';
import { exactFilter, selectPage } from '../../base/database/lists.ts';

type GrantListQuery = Omit<PrincipalListQuery & ResourceListQuery, 'limit' | 'page'> & {
  readonly limit: number;
  readonly page: number;
};

/** The resources on which a user has a role. */
export function findGrantsOfPrincipal(
  db: Db,
  userId: string,
  query: ResourceListQuery,
): Promise<Page<Grant>> {
  return selectGrants(db, { where: sql`g.user_id = ${userId}`, by: 'resource_id', query });
}

/** The users with a role on a project or an app. */
export function findGrantsOnResource(
  db: Db,
  resourceId: string,
  query: PrincipalListQuery,
): Promise<Page<Grant>> {
  return selectGrants(db, { where: sql`g.resource_id = ${resourceId}`, by: 'user_id', query });
}

interface Readable {
  readonly projectId: string;
  readonly permission: Permission;
  readonly createdBy: string;
  /** An app whose guests read it, too. */
  readonly appId?: string;
}

/** The members of a project who may read a resource of it: by their role, or as its creator. */
export function findReaders(
  db: Db,
  { projectId, permission, createdBy, appId }: Readable,
  query: PrincipalListQuery,
): Promise<Page<Grant>> {
  const members = sql`g.resource_id = ${projectId} and (${permission} = any (r.permissions) or g.user_id = ${createdBy})`;
  const where = appId === undefined ? members : sql`(${members} or g.resource_id = ${appId})`;
  return selectGrants(db, { where, by: 'user_id', query });
}

interface Selection {
  readonly where: RawBuilder<unknown>;
  /** What an item of the list is. */
  readonly by: 'user_id' | 'resource_id';
  readonly query: GrantListQuery;
}

/** Roles on the project come before those on an app. */
function selectGrants(db: Db, { where, by, query }: Selection): Promise<Page<Grant>> {
  const { limit, page, roleId, permissions } = query;
  const having = [
    roleId?.length ? sql`bool_or(r.id = any(${[...roleId]}))` : undefined,
    permissions?.length ? sql`bool_or(r.permissions && ${[...permissions]}::text[])` : undefined,
  ].filter((one) => one !== undefined);
  const conditions = [
    where,
    inLiveProject('g.project_id'),
    exactFilter('g.user_id', query.principalId),
    exactFilter('g.resource_id', query.resourceId),
  ].filter((one) => one !== undefined);
  const first = (value: RawBuilder<unknown>) => sql`(array_agg(${value} order by g.type desc))[1]`;
  const role = sql`json_build_object('_id', r.id, 'name', r.name, 'permissions', r.permissions)`;
  return selectPage<GrantRow, Grant>(db, {
    from: sql`(
      select ${sql.ref(`g.${by}`)} as key, ${first(sql`g.user_id`)} as "principalId", ${first(sql`u.username`)} as username,
        ${first(sql`g.resource_id`)} as "resourceId", ${first(sql`g.type`)} as "resourceType",
        json_agg(${role} order by g.type desc) as roles
      from (
        select user_id, project_id as resource_id, 'project' as type, role_id, project_id from membership
        union all select user_id, app_id, 'app', 'appGuest', project_id from app_guest
      ) g join person u on u.id = g.user_id join role r on r.id = g.role_id
      where ${sql.join(conditions, sql` and `)} group by ${sql.ref(`g.${by}`)}
      ${having.length > 0 ? sql`having ${sql.join(having, sql` and `)}` : sql``}
    ) item`,
    columns: sql`item.*, case "resourceType" when 'project' then 0 else 1 end as rank`,
    where: [],
    order: { rank: 'rank', username: 'username', key: 'key' },
    tieBreak: 'key',
    query: { limit, page, sort: 'asc', orderBy: ['rank', 'username'] },
    fromRow: grantOf,
  });
}

type GrantRow = Pick<Grant, 'principalId' | 'username' | 'resourceId' | 'resourceType' | 'roles'>;

function grantOf({ principalId, username, resourceId, resourceType, roles }: GrantRow): Grant {
  const { _id: roleId, name: roleName, permissions } = roles[0]!;
  return { principalId, username, resourceId, resourceType, roleId, roleName, permissions, roles };
}

import type { Permission } from '@platen/contract/permission';
import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { permissionsAndRole } from './authorise.ts';
import type { RoleName } from './roles.ts';

/** A token and the project it is used in. */
export interface TokenInProject {
  /** SHA-256. */
  readonly tokenHash: Buffer;
  readonly projectId: string;
}

interface PermissionRow {
  number: number;
  is_super_user: boolean;
  is_admin: boolean;
  role_id: RoleName | null;
}

const none: ReadonlySet<Permission> = new Set();

/**
 * The current permissions of each token in its project, in the given order, for messages that are sent long after the
 * request. Empty if the token has ended, the user is deactivated, or the project is gone.
 */
export async function currentPermissions(
  db: Db,
  tokens: readonly TokenInProject[],
  now: Date,
): Promise<ReadonlySet<Permission>[]> {
  const hashes = tokens.map(({ tokenHash }) => tokenHash.toString('hex'));
  const projectIds = tokens.map(({ projectId }) => projectId);
  const { rows } = await sql<PermissionRow>`
    select asked.number::int, u.is_super_user, u.is_admin, m.role_id
    from unnest(${hashes}::text[], ${projectIds}::text[]) with ordinality as asked (hash, project_id, number)
    join token t on t.hash = decode(asked.hash, 'hex') and t.expires_at > ${now}
    join user_account u on u.id = t.user_id and u.is_active
    join project p on p.id = asked.project_id and p.deleted_at is null
    left join membership m on m.project_id = p.id and m.user_id = u.id`.execute(db);
  const found = new Map(rows.map((row) => [row.number, row]));
  return tokens.map(({ projectId }, index) => {
    const row = found.get(index + 1);
    return row ? permissionsAndRole({ ...row, project_id: projectId, is_guest: false }).permissions : none;
  });
}

/**
 * Whether a user has a permission in a project now, for actions on their behalf outside of a request. Deleted and
 * deactivated users have none.
 */
export async function hasCurrentPermission(
  db: Db,
  { userId, projectId }: { readonly userId: string; readonly projectId: string },
  permission: Permission,
): Promise<boolean> {
  const row = await db
    .selectFrom('user_account as u')
    .innerJoin('project as p', (join) => join.on('p.id', '=', projectId).on('p.deleted_at', 'is', null))
    .leftJoin('membership as m', (join) =>
      join.onRef('m.user_id', '=', 'u.id').on('m.project_id', '=', projectId),
    )
    .select(['u.is_super_user', 'u.is_admin', 'm.role_id'])
    .where('u.id', '=', userId)
    .where('u.is_active', '=', true)
    .executeTakeFirst();
  if (!row) return false;
  const roleId = row.role_id as RoleName | null; // only built-in roles exist
  return permissionsAndRole({
    ...row,
    role_id: roleId,
    project_id: projectId,
    is_guest: false,
  }).permissions.has(permission);
}

import type { Permission } from '@platen/contract/permission';
import type { Db } from '../../base/database/database.ts';
import { rights } from './authorise.ts';
import type { RoleName } from './roles.ts';

/**
 * Whether a user has a permission in a project now, for actions on their behalf outside of a request. Deleted and
 * deactivated users have none.
 */
export async function mayNow(
  db: Db,
  { userId, projectId }: { readonly userId: string; readonly projectId: string },
  permission: Permission,
): Promise<boolean> {
  const row = await db
    .selectFrom('user_account as u')
    .leftJoin('membership as m', (join) =>
      join.onRef('m.user_id', '=', 'u.id').on('m.project_id', '=', projectId),
    )
    .select(['u.is_super_user', 'u.is_admin', 'm.role_id'])
    .where('u.id', '=', userId)
    .where('u.is_active', '=', true)
    .executeTakeFirst();
  if (!row) return false;
  const roleId = row.role_id as RoleName | null; // only built-in roles exist
  return rights({ ...row, role_id: roleId, project_id: projectId, is_guest: false }).permissions.has(
    permission,
  );
}

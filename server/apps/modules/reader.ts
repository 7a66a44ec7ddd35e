import type { Permission } from '@platen/contract/permission';
import type { Db } from '../../base/database/database.ts';
import { unusableAt } from '../../base/failure.ts';
import { requirePermission, type Caller } from '../../base/caller.ts';
import { permissionsOf, type RoleName } from '../../identity/iam/roles.ts';

/** The current permissions of a user in a project: none after deactivation or removal. */
export interface Reader {
  readonly userId: string;
  readonly isMember: boolean;
  readonly permissions: ReadonlySet<Permission>;
}

export async function findReader(db: Db, projectId: string, userId: string): Promise<Reader> {
  const row = await db
    .selectFrom('user_account as u')
    .leftJoin('membership as m', (join) =>
      join.onRef('m.user_id', '=', 'u.id').on('m.project_id', '=', projectId),
    )
    .select(['u.is_admin', 'u.is_super_user', 'm.role_id'])
    .where('u.id', '=', userId)
    .where('u.is_active', '=', true)
    .executeTakeFirst();
  if (!row) return { userId, isMember: false, permissions: permissionsOf.nobody };
  const isMember = row.role_id !== null;
  if (row.is_super_user) return { userId, isMember, permissions: permissionsOf.superUser };
  const ofRole = isMember ? permissionsOf[row.role_id as RoleName] : permissionsOf.nobody;
  const permissions = row.is_admin ? new Set([...permissionsOf.admin, ...ofRole]) : ofRole;
  return { userId, isMember, permissions };
}

/** Whether the user may read the content of the module. */
export function mayReadModule(
  { permissions, userId }: Pick<Reader, 'permissions' | 'userId'>,
  createdBy: string,
): boolean {
  return permissions.has('getModule') || (createdBy === userId && permissions.has('getProject'));
}

/**
 * The user with whose permissions something new reads: the caller, or a member of the project that is named.
 * @throws Failure `forbidden` for others than oneself without grantRole, `unusable_reference` for no active member
 */
export async function memberFor(
  db: Db,
  caller: Caller,
  projectId: string,
  memberId: string | undefined,
): Promise<string> {
  if (memberId === undefined) return caller.userId;
  if (memberId !== caller.userId)
    requirePermission(caller, 'grantRole', 'create something with the permissions of another user');
  const { isMember } = await findReader(db, projectId, memberId);
  if (!isMember) throw unusableAt('MemberId', 'This user is not an active member of the project.');
  return memberId;
}

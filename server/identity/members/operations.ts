import type { Member, MemberListQuery } from '@platen/contract/members';
import type { Page } from '@platen/contract/schema';
import { recordAudit } from '../../base/audit/record-audit.ts';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { notify } from '../../base/database/notifications.ts';
import { Failure, notFound, unusableAt } from '../../base/failure.ts';
import { deleteGuestOfAll } from '../guests/store.ts';
import type { Caller } from '../../base/caller.ts';
import { projectRoles } from '../iam/roles.ts';
import { findUser } from '../users/store.ts';
import { deleteMembership, findMembers, lockManagers, lockMembership, upsertMembership } from './store.ts';

interface MembershipKey {
  readonly projectId: string;
  readonly userId: string;
}

export function listMembers(
  { db }: Context,
  projectId: string,
  query: MemberListQuery,
): Promise<Page<Member>> {
  return findMembers(db, projectId, query);
}

/**
 * Sets the one role of a user in a project. Only super users may change their own role; the last manager is protected.
 */
export async function assignMember(
  { db, now }: Context,
  caller: Caller,
  { projectId, userId, roleId }: MembershipKey & { roleId: string },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const managers = await lockManagers(tx, projectId);
    const user = await findUser(tx, userId);
    if (!user) throw notFound('user');
    if (!projectRoles.includes(roleId)) {
      throw unusableAt('/roleId', `The role must be one of a project: ${projectRoles.join(' or ')}.`);
    }
    if (!user.isActive) throw new Failure('unusable_reference', 'The user is deactivated.');
    const present = await lockMembership(tx, projectId, userId);
    if (present === roleId) return;
    requireNotSelf(caller, userId);
    if (roleId !== 'projectManager') requireRemainingManager(managers, userId);
    await upsertMembership(tx, { projectId, userId, roleId, now: now(), by: caller.userId });
    const detail = { roleId, ...(present !== undefined && { before: present }) };
    await recordAudit(tx, {
      now: now(),
      caller,
      action: 'member.assign',
      projectId,
      targetId: userId,
      detail,
    });
    await notify(tx, 'accessChanged');
  });
}

/** Removes a user from the project and, with `purge`, as a guest of its apps. */
export async function removeMember(
  { db, now }: Context,
  caller: Caller,
  { projectId, userId, purge }: MembershipKey & { purge: boolean },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    requireRemainingManager(await lockManagers(tx, projectId), userId);
    const roleId = await lockMembership(tx, projectId, userId);
    if (!roleId || !(await findUser(tx, userId))) throw notFound('member of this project');
    requireNotSelf(caller, userId);
    await deleteMembership(tx, projectId, userId);
    const guestOf = purge ? await deleteGuestOfAll(tx, projectId, userId) : [];
    const detail = { before: roleId, purge, ...(guestOf.length > 0 && { guestOf }) };
    await recordAudit(tx, {
      now: now(),
      caller,
      action: 'member.remove',
      projectId,
      targetId: userId,
      detail,
    });
    await notify(tx, 'accessChanged');
  });
}

/** Adds the first member of a new project. */
export async function addFirstManager(
  db: Db,
  { projectId, userId, now, by }: MembershipKey & { now: Date; by: string },
): Promise<void> {
  await upsertMembership(db, { projectId, userId, roleId: 'projectManager', now, by });
}

function requireNotSelf(caller: Caller, userId: string): void {
  if (caller.userId !== userId || caller.isSuperUser) return;
  throw new Failure('forbidden', 'Only super users may change their own role.');
}

function requireRemainingManager(managers: readonly string[], userId: string): void {
  if (!managers.includes(userId) || managers.length > 1) return;
  throw new Failure('conflict', 'This is the last manager of the project. Assign another one first.');
}

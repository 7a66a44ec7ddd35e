import type {
  Grant,
  PrincipalListQuery,
  ResourceListQuery,
  Role,
  RoleListQuery,
  SuperUser,
  SuperUserListQuery,
} from '@platen/contract/iam';
import type { Permission } from '@platen/contract/permission';
import type { Deleted, Page } from '@platen/contract/schema';
import { recordAudit } from '../../base/audit/record-audit.ts';
import type { Context } from '../../base/context.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { notify } from '../../base/database/notifications.ts';
import { Failure, notFound, unusableAt } from '../../base/failure.ts';
import { grantGuest, revokeGuest } from '../guests/operations.ts';
import { assignMember, removeMember } from '../members/operations.ts';
import { lockMembership } from '../members/store.ts';
import { requireAnotherSuperUser } from '../users/operations.ts';
import { findSuperUsers, findUser, updateUser } from '../users/store.ts';
import { authoriseInProject } from './authorise.ts';
import type { Caller } from '../../base/caller.ts';
import { findGrantsOfPrincipal, findGrantsOnResource } from './grant-store.ts';
import { findGrantable, findRole, findRoles, type Resource } from './store.ts';

export function listRoles({ db }: Context, query: RoleListQuery): Promise<Page<Role>> {
  return findRoles(db, query);
}

export async function getRole({ db }: Context, roleId: string): Promise<Role> {
  const role = await findRole(db, roleId);
  if (!role) throw notFound('role');
  return role;
}

interface Change {
  readonly roleId: string;
  readonly resourceId: string;
  readonly principalIds: readonly string[];
}

/** Projects accept roles of members, apps the role of guests. Grants to all principals or to none. */
export async function grantRole(
  context: Context,
  caller: Caller,
  { roleId, resourceId, principalIds }: Change,
): Promise<void> {
  const { db, now } = context;
  await inTransaction(db, async (tx) => {
    const inside = { ...context, db: tx };
    const resource = await grantableFor(inside, caller, resourceId, 'grantRole');
    if (!(await findRole(tx, roleId))) throw notFound('role');
    if ((resource.type === 'app') !== (roleId === 'appGuest')) throw wrongKind(resource);
    for (const userId of principalIds) {
      if (resource.type === 'project') {
        await assignMember(inside, caller, { projectId: resource.id, userId, roleId });
        continue;
      }
      const user = await findUser(tx, userId);
      if (!user?.isActive)
        throw unusableAt('principalIds', `The user ${userId} does not exist or is deactivated.`);
      await grantGuest(tx, { caller, guest: guestOf(resource, userId), now: now() });
    }
    await notify(tx, 'accessChanged');
  });
}

export async function revokeRole(
  context: Context,
  caller: Caller,
  { roleId, resourceId, principalIds }: Change,
): Promise<Deleted> {
  const { db, now } = context;
  return inTransaction(db, async (tx) => {
    const inside = { ...context, db: tx };
    const resource = await grantableFor(inside, caller, resourceId, 'revokeRole');
    for (const userId of principalIds) {
      if (resource.type === 'project') {
        if ((await lockMembership(tx, resource.id, userId)) !== roleId) throw notFound('grant');
        await removeMember(inside, caller, { projectId: resource.id, userId, purge: false });
        continue;
      }
      const guest = guestOf(resource, userId);
      if (roleId !== 'appGuest' || !(await revokeGuest(tx, { caller, guest, now: now() })))
        throw notFound('grant');
    }
    await notify(tx, 'accessChanged');
    return { numberOfDeletedItems: principalIds.length };
  });
}

/** Administrators may view roles of all users, others only their own. */
export async function listGrantsOfPrincipal(
  { db }: Context,
  caller: Caller,
  { principalId: userId, ...query }: ResourceListQuery & { readonly principalId: string },
): Promise<Page<Grant>> {
  if (!caller.isAdmin && caller.userId !== userId) {
    throw new Failure('forbidden', 'Only administrators may view the roles of other users.');
  }
  if (!(await findUser(db, userId))) throw notFound('user');
  return findGrantsOfPrincipal(db, userId, query);
}

export async function listGrantsOnResource(
  context: Context,
  caller: Caller,
  resourceId: string,
  query: PrincipalListQuery,
): Promise<Page<Grant>> {
  await grantableFor(context, caller, resourceId, 'getACL');
  return findGrantsOnResource(context.db, resourceId, query);
}

export function listSuperUsers({ db }: Context, query: SuperUserListQuery): Promise<Page<SuperUser>> {
  return findSuperUsers(db, query);
}

export async function isSuperUser({ db }: Context, userId: string): Promise<{ isSuperUser: boolean }> {
  const user = await findUser(db, userId);
  if (!user) throw notFound('user');
  return { isSuperUser: user.isSuperUser };
}

/** Protects the last active super user. */
export async function setSuperUser(
  { db, now }: Context,
  caller: Caller,
  userId: string,
  to: boolean,
): Promise<Deleted> {
  return inTransaction(db, async (tx) => {
    const user = await findUser(tx, userId);
    if (!user) throw notFound('user');
    if (user.isSuperUser === to) return { numberOfDeletedItems: 0 };
    if (!to) await requireAnotherSuperUser(tx, userId);
    await updateUser(tx, userId, { is_super_user: to, updated_at: now(), updated_by: caller.userId });
    const action = to ? 'superUser.grant' : 'superUser.revoke';
    await recordAudit(tx, { now: now(), caller, action, targetId: userId });
    await notify(tx, 'accessChanged');
    return { numberOfDeletedItems: to ? 0 : 1 };
  });
}

/** The path does not contain the project of the resource, so the permission is checked here. */
async function grantableFor(
  context: Context,
  caller: Caller,
  id: string,
  permission: Permission,
): Promise<Resource> {
  const resource = await findGrantable(context.db, id);
  const absent = notFound('project or app');
  if (!resource) throw absent;
  try {
    await authoriseInProject(context.lookups, permission, resource.projectId, caller, context.now());
  } catch (error) {
    // hidden and missing resources get the same answer
    throw error instanceof Failure && error.code === 'not_found' ? absent : error;
  }
  return resource;
}

const guestOf = ({ projectId, id }: Resource, userId: string) => ({ projectId, appId: id, userId });

function wrongKind(resource: Resource): Failure {
  const role = resource.type === 'app' ? 'appGuest' : 'projectManager or projectMember';
  return new Failure(
    'unusable_reference',
    `The role on ${resource.type === 'app' ? 'an app' : 'a project'} must be ${role}.`,
  );
}

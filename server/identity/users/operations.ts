import type { Deleted, Page } from '@platen/contract/schema';
import type {
  NewUser,
  User,
  UserChange,
  UserListQuery,
  UserProfile,
  UserProfileListQuery,
} from '@platen/contract/users';
import { recordLimitedChange } from '../../base/audit/limit-changes.ts';
import { changesOf, recordAudit } from '../../base/audit/record-audit.ts';
import { isUnchanged } from '../../base/is-unchanged.ts';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { notify } from '../../base/database/notifications.ts';
import { changedMeanwhile, Failure, notFound } from '../../base/failure.ts';
import type { Caller } from '../../base/caller.ts';
import { hashPassword } from '../../base/secrets/passwords.ts';
import { revokeTokensOf } from '../iam/tokens.ts';
import { newId } from '../../base/ids.ts';
import { findProjectsWithoutOtherManager, lockManagersOfProjects } from '../members/store.ts';
import { hasFreshToken, preparePassword, provePassword } from './change-password.ts';
import { requireStrongPassword } from './password-policy.ts';
import { requireRank, requireSuperUser } from './rank.ts';
import {
  deleteUser,
  findAccount,
  findActor,
  findUser,
  findUserProfiles,
  findUsers,
  insertUser,
  lockSuperUsers,
  lockUser,
  updateUser,
} from './store.ts';

export function listUserProfiles({ db }: Context, query: UserProfileListQuery): Promise<Page<UserProfile>> {
  return findUserProfiles(db, query);
}

/** Administrators see all users, others only themselves. */
export function listUsers({ db }: Context, caller: Caller, query: UserListQuery): Promise<Page<User>> {
  return findUsers(db, query, caller.isAdmin ? undefined : caller.userId);
}

export async function getCaller({ db }: Context, { userId }: Caller): Promise<User> {
  const user = await findActor(db, userId);
  if (!user) throw notFound('user');
  return user;
}

export async function getUser({ db }: Context, userId: string): Promise<User> {
  const user = await findUser(db, userId);
  if (!user) throw notFound('user');
  return user;
}

export async function createUser(context: Context, caller: Caller, body: NewUser): Promise<User> {
  if (body.isAdmin) requireSuperUser(caller, 'make someone an administrator');
  const { username, email = '', isAdmin = false } = body;
  requireStrongPassword(body, { username, email, isAdmin }, context.settings);
  const now = context.now();
  const passwordHash = await hashPassword(body, context.settings.passwordCost);
  return inTransaction(context.db, async (tx) => {
    if ((await findAccount(tx, username)).user) throw nameTaken(username);
    const user = await insertUser(tx, {
      id: newId(now),
      username,
      email,
      password_hash: passwordHash,
      is_active: true,
      is_admin: isAdmin,
      is_super_user: false,
      revision: 1,
      created_at: now,
      created_by: caller.userId,
      updated_at: now,
      updated_by: caller.userId,
    });
    const detail = { username, isAdmin };
    await recordAudit(tx, { now, caller, action: 'user.create', targetId: user._id, detail });
    return user;
  });
}

/**
 * Changing your own email address requires the present password, unless the token was issued for it within the hour;
 * the session of a browser is never enough.
 * @throws Failure `forbidden` if the caller may not change all of these fields
 */
export async function changeUser(
  context: Context,
  caller: Caller,
  { userId, body, ifMatch }: { userId: string; body: UserChange; ifMatch: number | undefined },
): Promise<User> {
  const { db, now } = context;
  if (userId === caller.userId && body.email !== undefined) {
    const own = await findUser(db, userId);
    const needsProof =
      body.email !== own?.email && (!hasFreshToken(caller, now()) || body.oldPassword !== undefined);
    if (needsProof && body.password === undefined) await provePassword(context, caller, body);
  }
  const { password, oldPassword, algorithm } = body;
  const given =
    password === undefined
      ? undefined
      : { password, ...(oldPassword !== undefined && { oldPassword }), ...(algorithm && { algorithm }) };
  const storePassword = given && (await preparePassword(context, caller, { userId, body: given }));
  return inTransaction(db, async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user) throw notFound('user');
    const { username = user.username, email = user.email, isAdmin = user.isAdmin } = body;
    if (username !== user.username && !caller.isAdmin)
      throw new Failure('forbidden', 'Only administrators may rename users.');
    if (isAdmin !== user.isAdmin) requireSuperUser(caller, 'change who is an administrator');
    requireRank(caller, user);
    const { user: taken } = await findAccount(tx, username);
    if (taken && taken.id !== userId) throw nameTaken(username);
    if (ifMatch !== undefined && ifMatch !== user.revision) throw changedMeanwhile();
    const fields = { username, email, isAdmin };
    const changed = isUnchanged(user, fields)
      ? user
      : await storeChange(tx, caller, { user, fields, ifMatch, now: now() });
    if (!storePassword) return changed;
    await storePassword(tx);
    return getUser({ ...context, db: tx }, userId);
  });
}

interface StoredChange {
  readonly user: User;
  readonly fields: Pick<User, 'username' | 'email' | 'isAdmin'>;
  readonly ifMatch: number | undefined;
  readonly now: Date;
}

async function storeChange(
  tx: Db,
  caller: Caller,
  { user, fields: { username, email, isAdmin }, ifMatch, now }: StoredChange,
): Promise<User> {
  const { _id: userId } = user;
  const stamps = { updated_at: now, updated_by: caller.userId };
  const changed = await updateUser(tx, userId, { username, email, is_admin: isAdmin, ...stamps }, ifMatch);
  if (!changed) throw changedMeanwhile();
  const detail = changesOf(user, changed, ['username', 'email', 'isAdmin']);
  const record = userId === caller.userId ? recordLimitedChange : recordAudit;
  await record(tx, { now, caller, action: 'user.change', targetId: userId, detail });
  if (isAdmin !== user.isAdmin) await notify(tx, 'accessChanged');
  return changed;
}

/** Resources of the user stay. The last manager of a project cannot be removed. */
export async function removeUser({ db, now }: Context, caller: Caller, userId: string): Promise<Deleted> {
  return inTransaction(db, async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user) throw notFound('user');
    requireRank(caller, user);
    if (user.isSuperUser) await requireAnotherSuperUser(tx, userId);
    await lockManagersOfProjects(tx, userId);
    const orphans = await findProjectsWithoutOtherManager(tx, userId);
    if (orphans.length > 0) {
      throw new Failure(
        'conflict',
        `The user is the last manager of: ${orphans.join(', ')}. Assign another one first.`,
      );
    }
    const detail = { username: user.username };
    await recordAudit(tx, { now: now(), caller, action: 'user.delete', targetId: userId, detail });
    await notify(tx, 'accessChanged');
    return { numberOfDeletedItems: await deleteUser(tx, userId) };
  });
}

export async function setActive(
  { db, now }: Context,
  caller: Caller,
  { userId, isActive }: { userId: string; isActive: boolean },
): Promise<User> {
  return inTransaction(db, async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user) throw notFound('user');
    requireRank(caller, user);
    if (!isActive && user.isSuperUser) await requireAnotherSuperUser(tx, userId);
    const changed = await updateUser(tx, userId, {
      is_active: isActive,
      updated_at: now(),
      updated_by: caller.userId,
    });
    if (!isActive) await revokeTokensOf(tx, userId);
    const action = isActive ? 'user.activate' : 'user.deactivate';
    await recordAudit(tx, { now: now(), caller, action, targetId: userId });
    await notify(tx, 'accessChanged');
    return changed!;
  });
}

/** @throws Failure `conflict` if no other active super user exists */
export async function requireAnotherSuperUser(db: Db, userId: string): Promise<void> {
  const superUsers = await lockSuperUsers(db);
  if (superUsers.some((user) => user._id !== userId)) return;
  throw new Failure('conflict', 'This is the last active super user. Appoint another one first.');
}

const nameTaken = (username: string) => new Failure('conflict', `A user named “${username}” already exists.`);

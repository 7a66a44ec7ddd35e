import { limitChanges } from '../../base/audit/limit-changes.ts';
import { recordAudit } from '../../base/audit/record-audit.ts';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { notify } from '../../base/database/notifications.ts';
import { Failure, invalidAt, notFound } from '../../base/failure.ts';
import type { Caller } from '../../base/caller.ts';
import {
  hashPassword,
  verifyPassword,
  type Algorithm,
  type GivenPassword,
} from '../../base/secrets/passwords.ts';
import { revokeTokensOf } from '../iam/tokens.ts';
import { forgetFailures, knownAttempt, tryPassword } from '../login/throttle.ts';
import { managesAnyProject } from '../members/store.ts';
import { requireStrongPassword } from './password-policy.ts';
import { deletePasswordResets } from './password-reset-store.ts';
import { requireRank } from './rank.ts';
import { findCredentials, findUser, updateUser } from './store.ts';

interface NewPassword extends GivenPassword {
  readonly oldPassword?: string;
}

/**
 * Ends all tokens and sessions of the user. Changing your own password requires the present one. Only super users set
 * the password of someone who manages projects, as it opens what administrators may not do; others use a link.
 */
export async function changePassword(
  context: Context,
  caller: Caller,
  { userId, body }: { userId: string; body: NewPassword },
): Promise<void> {
  const store = await preparePassword(context, caller, { userId, body });
  await inTransaction(context.db, store);
}

/**
 * Checks and hashes a new password, which takes long, before the transaction that stores it.
 * @returns stores the password in a transaction
 */
export async function preparePassword(
  context: Context,
  caller: Caller,
  { userId, body }: { userId: string; body: NewPassword },
): Promise<(tx: Db) => Promise<void>> {
  const { db, now, settings } = context;
  const user = await findUser(db, userId);
  if (!user) throw notFound('user');
  requireRank(caller, user);
  if (userId === caller.userId) {
    await limitChanges(db, { userId, action: 'user.password', now: now() });
    await provePassword(context, caller, body);
  } else if (!caller.isSuperUser && (await managesAnyProject(db, userId))) {
    throw new Failure(
      'forbidden',
      'Only super users may set the password of someone who manages projects. Create a link to reset it instead.',
    );
  }
  requireStrongPassword(body, { ...user, isAdmin: user.isAdmin || user.isSuperUser }, settings);
  const passwordHash = await hashPassword(body, settings.passwordCost);
  return async (tx) => {
    await storePassword(tx, { userId, passwordHash, by: caller.userId, now: now() });
    await recordAudit(tx, { now: now(), caller, action: 'user.password', targetId: userId });
  };
}

interface StoredPassword {
  readonly userId: string;
  readonly passwordHash: string;
  readonly by: string;
  readonly now: Date;
}

/** Ends everything that the earlier password has opened, and open links to reset it. */
export async function storePassword(
  tx: Db,
  { userId, passwordHash, by, now }: StoredPassword,
): Promise<void> {
  await updateUser(tx, userId, { password_hash: passwordHash, updated_at: now, updated_by: by });
  await revokeTokensOf(tx, userId);
  await deletePasswordResets(tx, userId);
  await notify(tx, 'accessChanged');
}

const freshMs = 3_600_000;

/** Scripts that have just signed in need not send the password again; the session of a browser always does. */
export function hasFreshToken({ tokenKind, tokenSince }: Caller, now: Date): boolean {
  return tokenKind === 'bearer' && now.getTime() - tokenSince.getTime() < freshMs;
}

export interface PresentPassword {
  readonly oldPassword?: string | undefined;
  readonly algorithm?: Algorithm;
}

/**
 * Checks the present password of the caller, so that an unlocked browser is not enough. Failures are limited by user,
 * apart from those of strangers, who cannot make them.
 * @throws Failure `invalid` if it is missing, `forbidden` if it is wrong, `too_many_requests`
 */
export async function provePassword(
  context: Context,
  caller: Caller,
  { oldPassword: password, algorithm }: PresentPassword,
): Promise<void> {
  if (password === undefined) throw invalidAt('/oldPassword', 'Send your current password too.', 'required');
  const { db, now, settings } = context;
  const attempt = knownAttempt(`user ${caller.userId}`, now());
  const stored = await findCredentials(db, caller.userId);
  const check = () =>
    verifyPassword(stored?.passwordHash, { password, algorithm }, settings.passwordCost, 'known');
  if (!(await tryPassword(context, attempt, check)))
    throw new Failure('forbidden', 'The current password is wrong.');
  await forgetFailures(db, attempt);
}

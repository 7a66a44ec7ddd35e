import type { PasswordReset } from '@platen/contract/users';
import { recordAudit } from '../../base/audit/record-audit.ts';
import type { Context } from '../../base/context.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { Failure, notFound } from '../../base/failure.ts';
import type { Caller, RequestOrigin } from '../../base/caller.ts';
import { hashSecret, newSecret } from '../../base/secrets/bearer-secrets.ts';
import { hashPassword, type GivenPassword } from '../../base/secrets/passwords.ts';
import { storePassword } from './change-password.ts';
import { insertPasswordReset, lockPasswordReset, type ResetUser } from './password-reset-store.ts';
import { requireStrongPassword } from './password-policy.ts';
import { requireRank } from './rank.ts';
import { findUser } from './store.ts';

const lifetimeMs = 24 * 3_600_000;

/**
 * Makes a link by which a user chooses a new password once. Nothing changes until it is used; an earlier link ends.
 * @throws Failure `forbidden` for yourself, as the link would replace the present password
 */
export async function createPasswordReset(
  { db, now, settings }: Context,
  caller: Caller,
  userId: string,
): Promise<PasswordReset> {
  const at = now();
  const user = await findUser(db, userId);
  if (!user) throw notFound('user');
  requireRank(caller, user);
  if (userId === caller.userId) {
    const message = 'Change your own password with the current one; the link is for other users.';
    throw new Failure('forbidden', message);
  }
  const secret = newSecret();
  const expires = new Date(at.getTime() + lifetimeMs);
  await inTransaction(db, async (tx) => {
    await insertPasswordReset(tx, { hash: hashSecret(secret), userId, by: caller.userId, now: at, expires });
    const detail = { username: user.username, expires: expires.toISOString() };
    await recordAudit(tx, { now: at, caller, action: 'user.createPasswordReset', targetId: userId, detail });
  });
  const link = `${settings.baseUrl ?? ''}/reset-password#${secret}`;
  return { token: secret, link, expires: expires.toISOString() };
}

/**
 * Sets the password that the holder of a link has chosen, and ends the link and all logins of the user.
 * @throws Failure `not_found` if the link has expired, was used or never existed
 */
export async function resetPassword(
  context: Context,
  { token, ...given }: GivenPassword & { readonly token: string },
  origin: RequestOrigin,
): Promise<{ username: string }> {
  const { db, settings } = context;
  const hash = hashSecret(token);
  const now = context.now();
  // checked first, so that strangers cause no hashing
  const user = existing(await lockPasswordReset(db, hash, now));
  requireStrongPassword(given, user, settings);
  const passwordHash = await hashPassword(given, settings.passwordCost);
  await inTransaction(db, async (tx) => {
    const { id: userId, createdBy } = existing(await lockPasswordReset(tx, hash, now));
    await storePassword(tx, { userId, passwordHash, by: userId, now });
    const entry = { now, caller: { userId, ...origin }, targetId: userId, detail: { linkBy: createdBy } };
    await recordAudit(tx, { ...entry, action: 'user.resetPassword' });
  });
  return { username: user.username };
}

function existing(user: ResetUser | undefined): ResetUser {
  if (user) return user;
  throw new Failure(
    'not_found',
    'This link has expired, or was used already. Ask an administrator for a new one.',
  );
}

import type { Credentials, LoginResult, Session } from '@platen/contract/login';
import { recordAudit } from '../audit/store.ts';
import type { Context } from '../../base/context.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { notify } from '../../base/database/notifications.ts';
import { Failure } from '../../base/failure.ts';
import type { Caller } from '../../base/caller.ts';
import { verifyPassword } from '../../base/secrets/passwords.ts';
import { issueToken, revokeToken, revokeTokensOf } from '../iam/tokens.ts';
import { findCredentials, type StoredCredentials } from '../users/store.ts';
import { countAttempt, forgetFailures, loginAttempt } from './throttle.ts';

/** @throws Failure `unauthenticated`, the same for an unknown user and a wrong password; `too_many_requests` */
export async function logIn(
  context: Context,
  credentials: Credentials,
  address: string,
): Promise<LoginResult> {
  const { user, token } = await signIn(context, credentials, {
    address,
    kind: 'bearer',
    lifetimeMs: context.settings.tokenLifetimeMs,
  });
  return { _id: user.id, token: token.secret, tokenExpires: token.expires.toISOString() };
}

/** Logs in to the web interface; the secret is only for the cookie. */
export async function startSession(
  context: Context,
  credentials: Credentials,
  address: string,
): Promise<{ session: Session; secret: string; expires: Date }> {
  const { user, token } = await signIn(context, credentials, {
    address,
    kind: 'session',
    lifetimeMs: context.settings.sessionLifetimeMs,
  });
  const { secret, expires } = token;
  return {
    session: { _id: user.id, username: user.username, expires: expires.toISOString() },
    secret,
    expires,
  };
}

export function sessionOf(caller: Caller): Session {
  return { _id: caller.userId, username: caller.username, expires: caller.tokenExpires.toISOString() };
}

export async function logOut({ db }: Context, caller: Caller): Promise<void> {
  await inTransaction(db, async (tx) => {
    await revokeToken(tx, caller.tokenHash);
    await notify(tx, 'accessChanged');
  });
}

export async function logOutEverywhere({ db }: Context, caller: Caller): Promise<void> {
  await inTransaction(db, async (tx) => {
    await revokeTokensOf(tx, caller.userId);
    await notify(tx, 'accessChanged');
  });
}

interface SignIn {
  readonly address: string;
  readonly kind: 'bearer' | 'session';
  readonly lifetimeMs: number;
}

async function signIn(
  { db, now, settings }: Context,
  { username, password, algorithm }: Credentials,
  { address, ...token }: SignIn,
): Promise<{ user: StoredCredentials; token: { secret: string; expires: Date } }> {
  const attempt = { username, address, now: now() };
  await countAttempt(db, loginAttempt(attempt));
  const user = await findCredentials(db, username);
  const matches = await verifyPassword(user?.passwordHash, password, settings.passwordCost, algorithm);
  if (user?.isActive && matches) {
    const issued = await issueToken(db, { ...user, ...token, userId: user.id, now: now() });
    if (issued) {
      await forgetFailures(db, attempt);
      return { user, token: issued };
    }
  }
  const caller = { userId: user?.id ?? '', address };
  await recordAudit(db, { now: attempt.now, caller, action: 'login.failed', targetId: user?.id ?? '' });
  throw new Failure('unauthenticated', 'The username or the password is wrong.');
}

import type { Credentials, LoginResult, Session } from '@platen/contract/login';
import type { Context } from '../../base/context.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { notify } from '../../base/database/notifications.ts';
import type { Caller } from '../../base/caller.ts';
import { revokeToken, revokeTokensOf } from '../iam/tokens.ts';
import { makeKnown, type DeviceCookie } from './known-device.ts';
import { recordEnd } from './sessions.ts';
import { signIn, type LoginClient } from './sign-in.ts';

/** @throws Failure as `signIn` */
export async function logIn(
  context: Context,
  credentials: Credentials,
  client: LoginClient,
): Promise<LoginResult> {
  const { user, token } = await signIn(context, credentials, client, 'bearer');
  return { _id: user.id, token: token.secret, tokenExpires: token.ends.toISOString() };
}

interface StartedSession {
  readonly session: Session;
  /** Only for the cookie. */
  readonly secret: string;
  readonly ends: Date;
  readonly device: DeviceCookie;
}

/** Logs in to the web interface. @throws Failure as `signIn` */
export async function startSession(
  context: Context,
  credentials: Credentials,
  client: LoginClient,
): Promise<StartedSession> {
  const { user, token } = await signIn(context, credentials, client, 'session');
  const { secret, ends } = token;
  const session = { _id: user.id, username: user.username, expires: ends.toISOString() };
  const login = { userId: user.id, cookie: client.deviceCookie, now: context.now() };
  return { session, secret, ends, device: makeKnown(context.secrets, login) };
}

export function sessionOf(caller: Caller): Session {
  return { _id: caller.userId, username: caller.username, expires: caller.tokenEnds.toISOString() };
}

export async function logOut({ db }: Context, caller: Caller): Promise<void> {
  await inTransaction(db, async (tx) => {
    await revokeToken(tx, caller.tokenHash);
    await notify(tx, 'accessChanged');
  });
}

export async function logOutEverywhere(context: Context, caller: Caller): Promise<void> {
  const count = await inTransaction(context.db, async (tx) => {
    const revoked = await revokeTokensOf(tx, caller.userId);
    await notify(tx, 'accessChanged');
    return revoked;
  });
  await recordEnd(context, caller, count);
}

import type { Credentials } from '@platen/contract/login';
import type { FreeForm } from '@platen/contract/schema';
import type { Context } from '../../base/context.ts';
import { Failure } from '../../base/failure.ts';
import type { RequestOrigin } from '../../base/caller.ts';
import { verifyPassword } from '../../base/secrets/passwords.ts';
import { issueToken, type IssuedToken } from '../iam/tokens.ts';
import { findAccount, type StoredCredentials } from '../users/store.ts';
import { knownDeviceOf } from './known-device.ts';
import { forgetFailures, knownAttempt, strangerAttempt, tryPassword } from './throttle.ts';

/** The client of a login. */
export interface LoginClient extends RequestOrigin {
  /** The cookie of a browser in which someone has signed in before. */
  readonly deviceCookie: string | undefined;
}

export interface SignedIn {
  readonly user: StoredCredentials;
  readonly token: IssuedToken;
}

/** Strangers may type longer names, or a password by mistake. */
const maxRecordedName = 64;

const originOf = ({ address, userAgent }: RequestOrigin): RequestOrigin => ({ address, userAgent });

/**
 * Checks a password and issues a token.
 * @throws Failure `unauthenticated`, the same for an unknown user and a wrong password; `too_many_requests`;
 *   `unavailable`
 */
export async function signIn(
  context: Context,
  { username, ...given }: Credentials,
  client: LoginClient,
  kind: 'bearer' | 'session',
): Promise<SignedIn> {
  const { db, secrets, settings } = context;
  const now = context.now();
  const { key, user } = await findAccount(db, username);
  const device = user && knownDeviceOf(secrets, { userId: user.id, cookie: client.deviceCookie, now });
  const targetId = user?.id ?? '';
  const stranger = { userId: '', ...originOf(client) };
  // by the key, so that names that exist take as long as others
  const record = (action: string, detail: FreeForm) =>
    context.repeatedAudit.record({ now, caller: stranger, action, targetId, detail }, key);
  const tried = { username: (user?.username ?? username).slice(0, maxRecordedName) };
  const attempt =
    device === undefined ? strangerAttempt(key, client.address, now) : knownAttempt(`device ${device}`, now);
  const lane = device === undefined ? 'stranger' : 'known';
  const check = () => verifyPassword(user?.passwordHash, given, settings.passwordCost, lane);
  const matches = await tryPassword(context, attempt, check).catch(async (error: unknown) => {
    if (error instanceof Failure && error.code === 'too_many_requests') await record('login.throttle', tried);
    throw error;
  });
  if (user?.isActive && matches) {
    const token = await issueToken(db, { user, kind, origin: client, now: context.now() }, settings);
    if (token) {
      await forgetFailures(db, attempt);
      const caller = { userId: user.id, ...originOf(client) };
      await context.repeatedAudit.record({ now, caller, action: 'login', targetId, detail: { kind } });
      return { user, token };
    }
  }
  await record('login.failed', { kind, ...tried });
  throw new Failure('unauthenticated', 'The username or the password is wrong.');
}

import { randomBytes } from 'node:crypto';
import type { Secrets } from '../../base/secrets/secrets.ts';

const lifetimeMs = 365 * 24 * 3_600_000;
/** Accounts that one browser is known to. */
const maxAccounts = 5;
const separator = '~';

/** The value of the cookie of a known browser, and when it ends. */
export interface DeviceCookie {
  readonly value: string;
  readonly expires: Date;
}

interface Login {
  readonly userId: string;
  /** The cookie of the request. */
  readonly cookie: string | undefined;
  readonly now: Date;
}

/**
 * The ID of a browser in which the user has signed in before. It gives no access: failures of others do not refuse or
 * delay its logins. Signed instead of stored, so that strangers cannot fill a table.
 */
export function knownDeviceOf(secrets: Secrets, login: Login): string | undefined {
  return entriesOf(login.cookie)
    .map((entry) => deviceIn(entry, secrets, login))
    .find(Boolean);
}

/** Makes the browser of a successful login known; it keeps its ID, and stays known to other accounts. */
export function makeKnown(secrets: Secrets, login: Login): DeviceCookie {
  const { userId, cookie, now } = login;
  const id = knownDeviceOf(secrets, login) ?? randomBytes(16).toString('base64url');
  const others = entriesOf(cookie).filter((entry) => deviceIn(entry, secrets, login) === undefined);
  const expires = new Date(now.getTime() + lifetimeMs);
  const claim = `${id}.${Math.floor(expires.getTime() / 1000)}`;
  const entry = `${claim}.${secrets.sign(signed(userId, claim)).toString('base64url')}`;
  return { value: [entry, ...others].slice(0, maxAccounts).join(separator), expires };
}

function deviceIn(entry: string, secrets: Secrets, { userId, now }: Login): string | undefined {
  const [id = '', seconds = '', signature = ''] = entry.split('.');
  const isSigned = secrets.isSigned(signed(userId, `${id}.${seconds}`), Buffer.from(signature, 'base64url'));
  return isSigned && Number(seconds) * 1000 > now.getTime() ? id : undefined;
}

const entriesOf = (cookie: string | undefined): string[] =>
  cookie ? cookie.split(separator, maxAccounts) : [];

const signed = (userId: string, claim: string) => `known device ${userId} ${claim}`;

import { sql } from 'kysely';
import type { RequestOrigin } from '../../base/caller.ts';
import type { Settings } from '../../base/config.ts';
import type { Db } from '../../base/database/database.ts';
import { newId } from '../../base/ids.ts';
import { hashSecret, newSecret } from '../../base/secrets/bearer-secrets.ts';

interface NewToken {
  /** The user, with the stored hash that the password was checked against. */
  readonly user: { readonly id: string; readonly passwordHash: string };
  readonly kind: 'bearer' | 'session';
  readonly origin: RequestOrigin;
  readonly now: Date;
}

type Lifetimes = Pick<Settings, 'tokenLifetimeMs' | 'sessionLifetimeMs' | 'sessionIdleMs'>;

/** Logins of a user at a time; a new one beyond ends the one that was used least recently. */
const maxTokens = 1000;

export interface IssuedToken {
  readonly secret: string;
  /** When it ends, however much it is used. */
  readonly ends: Date;
}

/**
 * Issues a token, and deletes expired ones and those beyond the maximum of a user. undefined if the password has changed
 * or the user was deactivated since the check, as that ended all tokens.
 */
export async function issueToken(
  db: Db,
  { user, kind, origin, now }: NewToken,
  settings: Lifetimes,
): Promise<IssuedToken | undefined> {
  const secret = newSecret();
  const isSession = kind === 'session';
  const ends = later(now, isSession ? settings.sessionLifetimeMs : settings.tokenLifetimeMs);
  const expires = isSession ? earlier(ends, later(now, settings.sessionIdleMs)) : ends;
  await db.deleteFrom('token').where('user_id', '=', user.id).where('expires_at', '<=', now).execute();
  const { numAffectedRows } = await sql`
    insert into token
      (hash, id, user_id, kind, created_at, last_seen_at, expires_at, ends_at, address, user_agent)
    select ${hashSecret(secret)}::bytea, ${newId(now)}::text, id, ${kind}::text, ${now}::timestamptz, ${now}::timestamptz,
      ${expires}::timestamptz, ${ends}::timestamptz, ${origin.address}::text, ${origin.userAgent}::text
    from user_account where id = ${user.id} and is_active and password_hash = ${user.passwordHash} for share`.execute(
    db,
  );
  if (numAffectedRows !== 1n) return undefined;
  await endOldest(db, user.id);
  return { secret, ends };
}

async function endOldest(db: Db, userId: string): Promise<void> {
  await sql`delete from token where hash in (
    select hash from token where user_id = ${userId} and kind <> 'access' order by last_seen_at desc, created_at desc offset ${maxTokens})`.execute(
    db,
  );
}

const later = (at: Date, ms: number) => new Date(at.getTime() + ms);
const earlier = (one: Date, other: Date) => (one < other ? one : other);

export async function revokeToken(db: Db, hash: Buffer): Promise<void> {
  await db.deleteFrom('token').where('hash', '=', hash).execute();
}

/** @returns how many */
export async function revokeTokensOf(db: Db, userId: string): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('token').where('user_id', '=', userId).executeTakeFirst();
  return Number(numDeletedRows);
}

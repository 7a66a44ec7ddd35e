import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { hashSecret, newSecret } from '../../base/secrets/bearer-secrets.ts';

interface NewToken {
  readonly userId: string;
  /** The stored hash that the password was checked against. */
  readonly passwordHash: string;
  readonly kind: 'bearer' | 'session';
  readonly now: Date;
  readonly lifetimeMs: number;
}

/**
 * Issues a token that is valid until `expires`, and deletes expired ones. undefined if the password has changed or the
 * user was deactivated since the check, as that ended all tokens.
 */
export async function issueToken(
  db: Db,
  { userId, passwordHash, kind, now, lifetimeMs }: NewToken,
): Promise<{ secret: string; expires: Date } | undefined> {
  const secret = newSecret();
  const expires = new Date(now.getTime() + lifetimeMs);
  await db.deleteFrom('token').where('user_id', '=', userId).where('expires_at', '<=', now).execute();
  const { numAffectedRows } = await sql`
    insert into token (hash, user_id, kind, created_at, expires_at)
    select ${hashSecret(secret)}::bytea, id, ${kind}::text, ${now}::timestamptz, ${expires}::timestamptz
    from user_account where id = ${userId} and is_active and password_hash = ${passwordHash} for share`.execute(
    db,
  );
  return numAffectedRows === 1n ? { secret, expires } : undefined;
}

export async function revokeToken(db: Db, hash: Buffer): Promise<void> {
  await db.deleteFrom('token').where('hash', '=', hash).execute();
}

export async function revokeTokensOf(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('token').where('user_id', '=', userId).execute();
}

import { createHash, randomBytes } from 'node:crypto';
import type { Db } from '../database/database.ts';

/** A new secret of 256 bits, as it travels in a header or a cookie. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** What of a secret is stored: whoever reads the database cannot sign in with it. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

interface NewToken {
  readonly userId: string;
  readonly kind: 'bearer' | 'session';
  readonly now: Date;
  readonly lifetimeMs: number;
}

/** Gives the user a token that stops working at `expires`, and forgets tokens that did. */
export async function issueToken(db: Db, { userId, kind, now, lifetimeMs }: NewToken) {
  const secret = newSecret();
  const expires = new Date(now.getTime() + lifetimeMs);
  await db.deleteFrom('token').where('user_id', '=', userId).where('expires_at', '<=', now).execute();
  await db
    .insertInto('token')
    .values({ hash: hashSecret(secret), user_id: userId, kind, created_at: now, expires_at: expires })
    .execute();
  return { secret, expires };
}

export async function revokeToken(db: Db, hash: Buffer): Promise<void> {
  await db.deleteFrom('token').where('hash', '=', hash).execute();
}

export async function revokeTokensOf(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('token').where('user_id', '=', userId).execute();
}

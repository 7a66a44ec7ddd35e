import { createHmac, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { hashSecret } from '../../base/secrets/bearer-secrets.ts';
import { touchToken, type TokenUse } from '../iam/last-seen.ts';

/** Lifetime of a capability after its last use. */
export const capabilityLifetimeMs = 3_600_000;

interface Grant {
  readonly projectId: string;
  readonly appId: string;
  /** The login secret of the request. */
  readonly loginSecret: string;
  readonly now: Date;
}

/**
 * Returns the secret that opens the data of an app. It stays the same for a login until revoked, so that URLs with it
 * remain cacheable. undefined if the login has ended.
 */
export async function grantCapability(
  db: Db,
  { projectId, appId, loginSecret, now }: Grant,
): Promise<{ secret: string; expires: Date } | undefined> {
  const nonce = randomBytes(16);
  const expires = new Date(now.getTime() + capabilityLifetimeMs);
  await db.deleteFrom('capability').where('app_id', '=', appId).where('expires_at', '<=', now).execute();
  const { rows } = await sql<{ nonce: Buffer }>`
    insert into capability (hash, nonce, login_hash, user_id, project_id, app_id, created_at, expires_at)
    select ${hashSecret(secretFor(loginSecret, appId, nonce))}::bytea, ${nonce}::bytea, t.hash, t.user_id,
      ${projectId}::text, ${appId}::text, ${now}::timestamptz, ${expires}::timestamptz
    from token t where t.hash = ${hashSecret(loginSecret)} and t.expires_at > ${now}
    on conflict (login_hash, app_id) do update set expires_at = excluded.expires_at
    returning nonce`.execute(db);
  const [row] = rows;
  return row && { secret: secretFor(loginSecret, appId, row.nonce), expires };
}

function secretFor(loginSecret: string, appId: string, nonce: Buffer): string {
  return createHmac('sha256', loginSecret)
    .update(`capability ${appId} ${nonce.toString('hex')}`)
    .digest('base64url');
}

/** Extends the capability if it is used in the second half of its life, which also keeps its login from being idle. */
export async function extendCapability(db: Db, hash: Buffer, use: TokenUse): Promise<void> {
  const row = await db
    .updateTable('capability')
    .set({ expires_at: new Date(use.now.getTime() + capabilityLifetimeMs) })
    .where('hash', '=', hash)
    .where('expires_at', '>', use.now)
    .returning('login_hash')
    .executeTakeFirst();
  if (row) await touchToken(db, row.login_hash, use);
}

/** Deletes all capabilities of an app, or those of one user. */
export async function deleteCapabilities(
  db: Db,
  { appId, userId }: { appId: string; userId?: string },
): Promise<number> {
  const all = db.deleteFrom('capability').where('app_id', '=', appId);
  const { numDeletedRows } = await (
    userId === undefined ? all : all.where('user_id', '=', userId)
  ).executeTakeFirst();
  return Number(numDeletedRows);
}

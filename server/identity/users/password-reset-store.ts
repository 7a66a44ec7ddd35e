import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';

interface PasswordReset {
  /** SHA-256 of the secret in the link. */
  readonly hash: Buffer;
  readonly userId: string;
  readonly by: string;
  readonly now: Date;
  readonly expires: Date;
}

/** Replaces an earlier link for the user. */
export async function insertPasswordReset(
  db: Db,
  { hash, userId, by, now, expires }: PasswordReset,
): Promise<void> {
  const row = { hash, created_at: now, created_by: by, expires_at: expires };
  await db
    .insertInto('password_reset')
    .values({ user_id: userId, ...row })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute();
}

/** The user whom a link is for. */
export interface ResetUser {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly isAdmin: boolean;
  readonly createdBy: string;
}

/**
 * Finds the user of a link and locks it. undefined if the link has expired or was used, and if the one who made it may
 * no longer change the user, who may have become an administrator since.
 */
export async function lockPasswordReset(db: Db, hash: Buffer, now: Date): Promise<ResetUser | undefined> {
  const { rows } = await sql<ResetUser>`
    select u.id, u.username, u.email, (u.is_admin or u.is_super_user) as "isAdmin", r.created_by as "createdBy"
    from password_reset r
    join user_account u on u.id = r.user_id
    join user_account maker on maker.id = r.created_by and maker.is_active
    where r.hash = ${hash} and r.expires_at > ${now}
      and (maker.is_super_user or (maker.is_admin and not u.is_admin and not u.is_super_user))
    for update of r`.execute(db);
  return rows[0];
}

export async function deletePasswordResets(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('password_reset').where('user_id', '=', userId).execute();
}

import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../base/database/database.ts';
import { inTransaction } from '../base/database/transaction.ts';
import { hashPassword, type PasswordCost } from '../base/secrets/passwords.ts';
import { newId } from '../base/ids.ts';
import { insertUser } from './users/store.ts';

interface FirstAdmin {
  readonly username: string;
  /** undefined: generated. */
  readonly password: string | undefined;
  readonly passwordCost: PasswordCost;
  readonly now: Date;
}

/**
 * Creates the first super user if there are no users.
 * @returns its password, to be displayed once; undefined if there are users
 */
export async function ensureFirstAdmin(
  db: Db,
  { username, password, passwordCost, now }: FirstAdmin,
): Promise<string | undefined> {
  return inTransaction(db, async (tx) => {
    await sql`lock table user_account in share row exclusive mode`.execute(tx); // several replicas may start at once
    const existing = await tx.selectFrom('user_account').select('id').limit(1).executeTakeFirst();
    if (existing) return undefined;
    const chosen = password ?? randomBytes(15).toString('base64url');
    await insertUser(tx, {
      id: newId(now),
      username,
      email: '',
      password_hash: await hashPassword(chosen, passwordCost),
      is_active: true,
      is_admin: true,
      is_super_user: true,
      revision: 1,
      created_at: now,
      created_by: 'internal',
      updated_at: now,
      updated_by: 'internal',
    });
    return chosen;
  });
}

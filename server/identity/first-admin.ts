import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../base/database/database.ts';
import { inTransaction } from '../base/database/transaction.ts';
import type { Settings } from '../base/config.ts';
import { hashPassword } from '../base/secrets/passwords.ts';
import { newId } from '../base/ids.ts';
import { weaknessOf } from './users/password-policy.ts';
import { insertUser } from './users/store.ts';

interface FirstAdmin {
  readonly username: string;
  /** undefined: generated. */
  readonly password: string | undefined;
  readonly now: Date;
}

type PasswordSettings = Pick<Settings, 'passwordCost' | 'minPasswordLength' | 'minAdminPasswordLength'>;

/**
 * Creates the first super user if there are no users. A weak password stops the start of a new installation; later,
 * the setting has no effect, so that installations with an older one start.
 * @returns its password, to be displayed once; undefined if there are users
 * @throws Error if the password is weak
 */
export async function ensureFirstAdmin(
  db: Db,
  { username, password, now }: FirstAdmin,
  settings: PasswordSettings,
): Promise<string | undefined> {
  return inTransaction(db, async (tx) => {
    await sql`lock table user_account in share row exclusive mode`.execute(tx); // several replicas may start at once
    const existing = await tx.selectFrom('user_account').select('id').limit(1).executeTakeFirst();
    if (existing) return undefined;
    if (password !== undefined) requireStrong(username, password, settings);
    const chosen = password ?? randomBytes(15).toString('base64url');
    await insertUser(tx, {
      id: newId(now),
      username,
      email: '',
      password_hash: await hashPassword({ password: chosen }, settings.passwordCost),
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

function requireStrong(username: string, password: string, settings: PasswordSettings): void {
  const problem = weaknessOf({ password }, { username, email: '', isAdmin: true }, settings);
  if (problem !== undefined)
    throw new Error(`PLATEN_ADMIN_PASSWORD cannot be used for the first user “${username}”. ${problem}`);
}

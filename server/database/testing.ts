import { sql } from 'kysely';
import type { Caller } from '../iam/caller.ts';
import { permissionsOf } from '../iam/roles.ts';
import type { Db } from './database.ts';

/** Resolves once another connection waits for a lock, such as one that the caller's transaction holds. */
export async function untilSomeoneWaits(db: Db): Promise<void> {
  for (;;) {
    await sql`select pg_stat_clear_snapshot()`.execute(db); // or the transaction would see the same for ever
    const { rows } = await sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
    if (rows.length > 0) return;
  }
}

/** A super user who calls an operation itself, inside a transaction of the test. */
export function superUser(userId: string): Caller {
  return {
    userId,
    username: 'admin',
    isAdmin: true,
    isSuperUser: true,
    tokenHash: Buffer.alloc(32),
    tokenExpires: new Date(),
    address: '',
    permissions: permissionsOf.superUser,
    role: 'global',
  };
}

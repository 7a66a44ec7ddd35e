import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Caller } from '../caller.ts';
import { permissionsOf } from '../../identity/iam/roles.ts';
import type { Context } from '../context.ts';
import type { Db } from './database.ts';
import { notify } from './notifications.ts';

/** Resolves once another connection waits for a lock, such as one held by the transaction of the caller. */
export async function untilSomeoneWaits(db: Db): Promise<void> {
  for (;;) {
    await sql`select pg_stat_clear_snapshot()`.execute(db); // otherwise the transaction would keep seeing the same snapshot
    const { rows } = await sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
    if (rows.length > 0) return;
  }
}

/** A super user who calls operations directly, in a transaction of the test. */
export function superUser(userId: string): Caller {
  return {
    userId,
    username: 'admin',
    isAdmin: true,
    isSuperUser: true,
    tokenHash: Buffer.alloc(32),
    tokenKind: 'bearer',
    tokenSince: new Date(),
    tokenSeen: new Date(),
    tokenEnds: new Date(),
    address: '',
    userAgent: '',
    permissions: permissionsOf.superUser,
    role: 'global',
  };
}

/**
 * Waits until all notifications of access changes have arrived, including those that PostgreSQL returns to their
 * sender.
 */
export async function untilAccessNotified({
  db,
  notifications,
}: Pick<Context, 'db' | 'notifications'>): Promise<void> {
  const mark = randomUUID();
  let times = 0;
  const off = notifications.on('accessChanged', (payload) => {
    if (payload === mark) times++;
  });
  await notify(db, 'accessChanged', mark);
  while (times < 2) await sleep(5);
  off();
}

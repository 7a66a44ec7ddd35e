import { sql } from 'kysely';
import type { Db } from './database.ts';

/** Keys of advisory locks. They share one namespace per database, so each must be unique. */
export const lockKeys = {
  migration: 7_528_362,
  tally: 7_528_363,
  events: 7_528_364,
  cleanUp: 7_528_365,
  publishing: 7_528_366,
} as const;

/** Takes the lock until the transaction ends, unless another session holds it. */
export async function tryLock(tx: Db, key: number | bigint): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`select pg_try_advisory_xact_lock(${key}) as free`.execute(tx);
  return rows[0]!.free;
}

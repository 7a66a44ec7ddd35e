import { sql } from 'kysely';
import type { Db } from './database.ts';

/**
 * Runs `work` with a lock timeout of two seconds, which also applies to the rest of the transaction.
 * @throws the error of `tooLong` at the timeout
 */
export async function withLockTimeout<T>(
  tx: Db,
  work: () => Promise<T>,
  timeoutError: () => Error,
): Promise<T> {
  await sql`set local lock_timeout = '2s'`.execute(tx);
  try {
    return await work();
  } catch (error) {
    throw (error as { code?: string }).code === '55P03' ? timeoutError() : error;
  }
}

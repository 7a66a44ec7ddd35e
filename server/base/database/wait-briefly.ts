import { sql } from 'kysely';
import type { Db } from './database.ts';

/**
 * Does something that waits for the locks of others for two seconds at the most, as the rest of the transaction does.
 * @throws what `tooLong` makes, when that was not enough
 */
export async function waitBriefly<T>(tx: Db, work: () => Promise<T>, tooLong: () => Error): Promise<T> {
  await sql`set local lock_timeout = '2s'`.execute(tx);
  try {
    return await work();
  } catch (error) {
    throw (error as { code?: string }).code === '55P03' ? tooLong() : error;
  }
}

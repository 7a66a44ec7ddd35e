import { sql } from 'kysely';
import type { Db } from './database.ts';

/** Statements over all files of a folder, which may be millions, take longer than any other may: until the transaction ends. */
export async function allowMinutes(tx: Db): Promise<void> {
  await sql`set local statement_timeout = '15min'`.execute(tx);
}

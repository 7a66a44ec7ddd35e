import { sql } from 'kysely';
import type { Db } from './database.ts';

/**
 * Raises the statement timeout for the rest of the transaction, for statements over the millions of files that a
 * folder may contain.
 */
export async function extendStatementTimeout(tx: Db): Promise<void> {
  await sql`set local statement_timeout = '15min'`.execute(tx);
}

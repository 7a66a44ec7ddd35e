import type { Transaction } from 'kysely';
import type { Db } from './database.ts';
import type { Tables } from './schema.ts';
import { collectNotifications } from './notifications.ts';

/** Runs `work` in a transaction, or in the one that is already open. Retries deadlocks and serialisation failures. */
export async function inTransaction<T>(db: Db, work: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work(db as Transaction<Tables>);
  for (let attempt = 1; ; attempt++) {
    try {
      let deliver = () => {};
      const result = await db.transaction().execute((tx) => {
        deliver = collectNotifications(db, tx);
        return work(tx);
      });
      deliver();
      return result;
    } catch (error) {
      if (attempt === 3 || !isRetryable(error)) throw error;
    }
  }
}

function isRetryable(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === '40001' || code === '40P01';
}

import type { Transaction } from 'kysely';
import type { Db } from './database.ts';
import type { Tables } from './schema.ts';
import { collectNotifications } from './notifications.ts';

type Follower = (db: Db) => Promise<void>;

/** What open transactions are followed by. */
const followersByTransaction = new WeakMap<Db, Follower[]>();

/** Runs `work` in a transaction, or in the one that is already open. Retries deadlocks and serialisation failures. */
export async function inTransaction<T>(db: Db, work: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work(db as Transaction<Tables>);
  for (let attempt = 1; ; attempt++) {
    let deliver = () => {};
    let followers: Follower[] = [];
    let result: T;
    try {
      result = await db.transaction().execute((tx) => {
        deliver = collectNotifications(db, tx);
        followersByTransaction.set(tx, (followers = []));
        return work(tx);
      });
    } catch (error) {
      if (attempt === 3 || !isRetryable(error)) throw error;
      continue;
    }
    deliver();
    for (const follower of followers) await follower(db);
    return result;
  }
}

/**
 * Runs `work` with the database as soon as the transaction has committed, or at once if `db` is none. A transaction
 * that fails is followed by nothing.
 */
export async function afterCommit(db: Db, work: Follower): Promise<void> {
  const followers = followersByTransaction.get(db);
  if (followers) followers.push(work);
  else await work(db);
}

function isRetryable(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === '40001' || code === '40P01';
}

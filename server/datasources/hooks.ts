import type { Datasource } from '@platen/contract/datasources';
import type { Context } from '../base/context.ts';
import type { Db } from '../base/database/database.ts';
import { afterCommit } from '../base/database/transaction.ts';
import { Hook } from '../base/hook.ts';

/** Data was read by a visit in the second half of its lifetime; the listener extends it. */
export const visitUsed = new Hook<[db: Db, secretHash: Buffer, now: Date]>();

/** A datasource has new data, and its row is committed. Listeners never throw. */
export const dataRegistered = new Hook<[context: Context, datasource: Datasource, by: string]>();

/** Announces new data once the request's transaction has committed, if it has one. */
export function announceData(context: Context, datasource: Datasource, by: string): Promise<void> {
  return afterCommit(context.db, (db) => dataRegistered.announce({ ...context, db }, datasource, by));
}

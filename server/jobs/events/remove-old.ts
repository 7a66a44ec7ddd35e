import { sql } from 'kysely';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { runPeriodically } from '../../base/run-periodically.ts';
import { lockMoving } from './store.ts';

const keptMs = 24 * 3_600_000;
/** Maximum number of rows kept in each of the two tables, however many changes a day has. */
const maxKept = 500_000;
const batch = 10_000;

/** Removes old events every minute, until the returned function is called. */
export function startRemoval(context: Pick<Context, 'db' | 'log' | 'now'>): () => Promise<void> {
  const { log } = context;
  return runPeriodically({ everyMs: 60_000, log, failure: 'old events were not removed' }, (signal) =>
    removeOldEvents(context, { signal }),
  );
}

interface Options {
  readonly signal?: AbortSignal;
  readonly maxRows?: number;
}

/**
 * Removes old events. Clients that have not received them get `reset` when they reconnect. Returns the number of
 * removed rows.
 */
export async function removeOldEvents(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { signal, maxRows = maxKept }: Options = {},
): Promise<number> {
  const before = new Date(now().getTime() - keptMs);
  let removed = 0;
  for (const remove of [removeChanges, removeEvents]) {
    for (let count = batch; count === batch && !signal?.aborted;) {
      count = await inTransaction(db, (tx) => remove(tx, before, maxRows));
      removed += count;
    }
  }
  return removed;
}

/** Removes changes that have no position yet. They get positions first, so that the horizon covers them. */
async function removeChanges(tx: Db, before: Date, maxRows: number): Promise<number> {
  await lockMoving(tx);
  const { numAffectedRows = 0n } = await sql`
    delete from project_change where id in (select id from project_change order by id limit ${batch})
      and (at < ${before} or id <= (select max(id) from project_change) - ${maxRows}::bigint)`.execute(tx);
  if (numAffectedRows > 0n)
    await sql`update event_horizon
      set position = nextval(pg_get_serial_sequence('project_event', 'position'))`.execute(tx);
  return Number(numAffectedRows);
}

async function removeEvents(tx: Db, before: Date, maxRows: number): Promise<number> {
  await lockMoving(tx);
  const { rows } = await sql<{ count: number }>`
    with removed as (
      delete from project_event where position in (select position from project_event order by position limit ${batch})
        and (at < ${before} or position <= (select max(position) from project_event) - ${maxRows}::bigint)
      returning position
    ), noted as (
      update event_horizon h set position = greatest(h.position, r.position)
      from (select max(position) as position from removed) r where r.position is not null
    )
    select count(*) as count from removed`.execute(tx);
  return rows[0]!.count;
}

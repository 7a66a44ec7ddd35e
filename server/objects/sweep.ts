import { sql } from 'kysely';
import type { Context } from '../context.ts';
import type { Db } from '../database/database.ts';

/** Readers that began before a blob lost its row can finish within it, and uploads write their row. */
const graceMs = 3_600_000;
const intervalMs = 3_600_000;
const batch = 500;

/** Removes what no row needs once an hour; the returned function ends that, after a sweep under way. */
export function startSweeper(context: Context): () => Promise<void> {
  let running: Promise<void> | undefined;
  const stopping = new AbortController();
  const run = () => {
    running ??= sweep(context, stopping.signal)
      .then(({ garbage, orphans }) => {
        if (garbage + orphans > 0) context.log.info({ garbage, orphans }, 'removed blobs that no row needs');
      })
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) context.log.error({ err: error }, 'the sweep of blobs failed');
      })
      .finally(() => {
        running = undefined;
      });
  };
  const timer = setInterval(run, intervalMs).unref();
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await running;
  };
}

/** One pass over all blobs: how many were garbage, and how many never had a row. */
export async function sweep(
  context: Context,
  signal?: AbortSignal,
): Promise<{ garbage: number; orphans: number }> {
  const limit = new Date(context.now().getTime() - graceMs);
  const garbage = await sweepGarbage(context, limit, signal);
  return { garbage, orphans: await sweepOrphans(context, limit, signal) };
}

async function sweepGarbage(
  { db, store }: Context,
  limit: Date,
  signal: AbortSignal | undefined,
): Promise<number> {
  let removed = 0;
  while (!signal?.aborted) {
    const rows = await db
      .selectFrom('blob_garbage')
      .select('blob_id')
      .where('since', '<', limit)
      .limit(batch)
      .execute();
    if (rows.length === 0) break;
    const ids = rows.map((row) => row.blob_id);
    const needed = await idsWithRow(db, ids);
    for (const id of ids) {
      if (!needed.has(id)) await store.remove(id);
    }
    // only now: were the process killed in between, the blob would be swept again
    await db.deleteFrom('blob_garbage').where('blob_id', 'in', ids).execute();
    removed += ids.length - needed.size;
  }
  return removed;
}

async function sweepOrphans(
  { db, store }: Context,
  limit: Date,
  signal: AbortSignal | undefined,
): Promise<number> {
  let removed = 0;
  const sweepBatch = async (ids: readonly string[]) => {
    const needed = await idsWithRow(db, ids);
    const { rows } = await sql<{ blob_id: string }>`
      select blob_id from blob_garbage where blob_id = any(${[...ids]}::text[])`.execute(db);
    for (const { blob_id } of rows) needed.add(blob_id); // its own grace time is not over yet
    for (const id of ids) {
      if (needed.has(id)) continue;
      await store.remove(id);
      removed++;
    }
  };
  let old: string[] = [];
  for await (const { id, modifiedAt } of store.list()) {
    if (signal?.aborted) return removed;
    if (modifiedAt >= limit) continue;
    old.push(id);
    if (old.length < batch) continue;
    await sweepBatch(old);
    old = [];
  }
  if (old.length > 0) await sweepBatch(old);
  return removed;
}

/** Those of the blobs that a file of a bucket, or an output of a job, needs. */
async function idsWithRow(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ blob_id: string }>`
    select blob_id from object where blob_id = any(${[...ids]}::text[])
    union all
    select blob_id from job_output where blob_id = any(${[...ids]}::text[])`.execute(db);
  return new Set(rows.map((row) => row.blob_id));
}

import type { Context } from '../../base/context.ts';
import { oldIds } from '../objects/old-ids.ts';
import type { CleanUpOptions } from '../../base/removal-count.ts';
import { dropExpiredReservations } from '../usage/reserve.ts';
import { deleteExpired, findDrafts } from './store.ts';

/** A draft is created after its row, so a draft of this age without a row is orphaned. */
const graceMs = 3_600_000;
const batch = 500;

/** Removes expired uploads, and drafts without an upload. */
export async function sweepUploads(
  context: Context,
  options: CleanUpOptions = {},
): Promise<{ expired: number; drafts: number }> {
  options.report?.('reservation', await dropExpiredReservations(context));
  return { expired: await sweepExpired(context, options), drafts: await sweepDrafts(context, options) };
}

/** The row goes first: were the process killed in between, its draft is one without a row. */
async function sweepExpired(
  { db, store, now }: Context,
  { signal, report }: CleanUpOptions,
): Promise<number> {
  let removed = 0;
  while (!signal?.aborted) {
    const rows = await deleteExpired(db, now(), batch);
    const unfinished = rows.filter((row) => row.finished_at === null);
    for (const { draft_id: draftId } of unfinished) await store.drafts.drop(draftId);
    report?.(
      'upload',
      unfinished.map(({ project_id, bucket_id, received: bytes }) => ({
        project_id,
        bucket_id,
        count: 1,
        bytes,
      })),
    );
    removed += rows.length;
    if (rows.length < batch) break;
  }
  return removed;
}

async function sweepDrafts({ db, store, now }: Context, { signal, report }: CleanUpOptions): Promise<number> {
  const limit = new Date(now().getTime() - graceMs);
  let removed = 0;
  for await (const ids of oldIds(store.drafts.list(), limit, signal)) {
    const known = await findDrafts(db, ids);
    for (const id of ids) {
      if (known.has(id)) continue;
      await store.drafts.drop(id);
      report?.('draft', [{ count: 1 }]);
      removed++;
    }
  }
  return removed;
}

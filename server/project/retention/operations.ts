import type {
  Cleanup,
  CleanupListQuery,
  DataBucketCleanup,
  DataBucketCleanupListQuery,
} from '@platen/contract/cleanups';
import type { Page } from '@platen/contract/schema';
import type { Context } from '../../base/context.ts';
import { Failure } from '../../base/failure.ts';
import { cleanUp } from './clean-up.ts';
import { findDataBucketCleanups } from './bucket-cleanups.ts';
import { findCleanups } from './store.ts';

export function listCleanups({ db }: Context, query: CleanupListQuery): Promise<Page<Cleanup>> {
  return findCleanups(db, query);
}

export function listDataBucketCleanups(
  context: Context,
  query: DataBucketCleanupListQuery,
): Promise<Page<DataBucketCleanup>> {
  return findDataBucketCleanups(context, query);
}

/**
 * Continues if the client disconnects. Bytes without a row are only noted, because there was no clean-up before this
 * one.
 * @throws Failure `conflict` while another clean-up runs
 */
export async function cleanUpNow(context: Context): Promise<{ items: Cleanup[] }> {
  const items = await cleanUp(context, { suspects: new Set() });
  if (!items)
    throw new Failure('conflict', 'A clean-up is already running. Its results are listed when it ends.');
  return { items };
}

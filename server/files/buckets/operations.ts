import type {
  DataBucket,
  DataBucketChange,
  DataBucketListQuery,
  NewDataBucket,
} from '@platen/contract/buckets';
import type { Deleted, Page } from '@platen/contract/schema';
import type { Context } from '../../base/context.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { notify } from '../../base/database/notifications.ts';
import { changedMeanwhile, Failure, notFound } from '../../base/failure.ts';
import { maySee, type Caller } from '../../base/caller.ts';
import { isUnchanged } from '../../base/is-unchanged.ts';
import { newId } from '../../base/ids.ts';
import { moveToTrash } from '../../base/trash/move-to-trash.ts';
import { requireUnusedBucket } from '../used-by/in-use.ts';
import {
  deleteBucket,
  findBucket,
  findBuckets,
  insertBucket,
  isDefaultBucket,
  lockBucket,
  updateBucket,
} from './store.ts';

/** The ids in the path of a bucket. */
export interface BucketPath {
  readonly projectId: string;
  readonly dataBucketId: string;
}

/** Everybody in the project sees the names; the free-form part is content. */
export async function listBuckets(
  { db }: Context,
  caller: Caller,
  { projectId, query }: { projectId: string; query: DataBucketListQuery },
): Promise<Page<DataBucket>> {
  const page = await findBuckets(db, projectId, query);
  const shown = (bucket: DataBucket) =>
    maySee(caller, 'getDataBucket', bucket.createdBy) ? bucket : { ...bucket, properties: {} };
  return { ...page, items: page.items.map(shown) };
}

export function createBucket(
  { db, now }: Context,
  caller: Caller,
  { projectId, body }: { projectId: string; body: NewDataBucket },
): Promise<DataBucket> {
  const at = now();
  const { name, description = '', properties = {} } = body;
  const fields = { projectId, name, description, properties };
  return insertBucket(db, { _id: newId(at), ...fields, createdBy: caller.userId, now: at });
}

export async function getBucket(
  { db }: Context,
  { projectId, dataBucketId }: BucketPath,
): Promise<DataBucket> {
  const bucket = await findBucket(db, projectId, dataBucketId);
  if (!bucket) throw notFound('data bucket');
  return bucket;
}

export async function changeBucket(
  { db, now }: Context,
  caller: Caller,
  {
    projectId,
    dataBucketId,
    body,
    ifMatch,
  }: BucketPath & { body: DataBucketChange; ifMatch: number | undefined },
): Promise<DataBucket> {
  const { name, description, properties } = body;
  const fields = {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(properties && { properties }),
  };
  return inTransaction(db, async (tx) => {
    const stored = await lockBucket(tx, projectId, dataBucketId);
    if (!stored) throw notFound('data bucket');
    if (ifMatch !== undefined && ifMatch !== stored.revision) throw changedMeanwhile();
    if (isUnchanged(stored, fields)) return stored;
    return updateBucket(tx, dataBucketId, { fields, now: now(), by: caller.userId });
  });
}

/**
 * The files go with it, into the trash; datasources that point to it by force have no data then, until it is restored.
 * @throws Failure `conflict` for a default bucket, and for one that something uses, unless forced
 */
export async function removeBucket(
  { db, now }: Context,
  caller: Caller,
  { projectId, dataBucketId: bucketId, force }: BucketPath & { force: boolean },
): Promise<Deleted> {
  const numberOfDeletedItems = await inTransaction(db, async (tx) => {
    const bucket = await lockBucket(tx, projectId, bucketId);
    if (!bucket) throw notFound('data bucket');
    if (await isDefaultBucket(tx, bucketId)) {
      throw new Failure('conflict', 'The default data bucket of a project cannot be deleted.');
    }
    if (!force) await requireUnusedBucket(tx, { projectId, bucketId });
    const what = { type: 'data-bucket', projectId, resourceId: bucketId, bucketId } as const;
    const owned = { ...what, name: bucket.name, ownerId: bucket.createdBy };
    const entry = { ...owned, by: caller.userId, from: caller, now: now() };
    const deleted = await moveToTrash(tx, entry, () => deleteBucket(tx, bucketId));
    await notify(tx, 'accessChanged');
    return deleted;
  });
  return { numberOfDeletedItems };
}

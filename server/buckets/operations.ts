import type {
  DataBucket,
  DataBucketChange,
  DataBucketListQuery,
  NewDataBucket,
} from '@platen/contract/buckets';
import type { Deleted, Page } from '@platen/contract/schema';
import type { Context } from '../context.ts';
import { inTransaction } from '../database/database.ts';
import { notify } from '../database/notifications.ts';
import { findDatasourcesOfBucket } from '../datasources/uses.ts';
import { changedMeanwhile, Failure, notFound } from '../failure.ts';
import { maySee, type Caller } from '../iam/caller.ts';
import { newId } from '../ids.ts';
import {
  deleteBucket,
  findBucket,
  findBuckets,
  insertBucket,
  isDefaultBucket,
  updateBucket,
} from './store.ts';

/** What a bucket's path names. */
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
  { dataBucketId, body, ifMatch }: BucketPath & { body: DataBucketChange; ifMatch: number | undefined },
): Promise<DataBucket> {
  const { name, description, properties } = body;
  const fields = {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(properties && { properties }),
  };
  const changed = await updateBucket(db, dataBucketId, { fields, now: now(), by: caller.userId, ifMatch });
  if (changed) return changed;
  throw ifMatch === undefined ? notFound('data bucket') : changedMeanwhile();
}

/** The files go with it. @throws Failure `conflict` for a default bucket and for one that datasources point to */
export async function removeBucket(
  { db }: Context,
  { projectId, dataBucketId }: BucketPath,
): Promise<Deleted> {
  return inTransaction(db, async (tx) => {
    if (await isDefaultBucket(tx, dataBucketId)) {
      throw new Failure('conflict', 'The default data bucket of a project stays as long as the project.');
    }
    const users = await findDatasourcesOfBucket(tx, projectId, dataBucketId);
    if (users.length > 0) throw usedByDatasources('data bucket', users);
    const numberOfDeletedItems = await deleteBucket(tx, dataBucketId);
    if (numberOfDeletedItems === 0) throw notFound('data bucket');
    await notify(tx, 'accessChanged');
    return { numberOfDeletedItems };
  });
}

/** Names the first few datasources that are in the way. */
export function usedByDatasources(
  what: string,
  users: readonly { readonly _id: string; readonly name: string }[],
): Failure {
  const names = users.slice(0, 5).map(({ _id, name }) => `“${name}” (${_id})`);
  const more = users.length > 5 ? ` and ${users.length - 5} more` : '';
  const detail = `The ${what} is used by ${users.length === 1 ? 'the datasource' : 'datasources'} ${names.join(', ')}${more}.`;
  const errors = users.slice(0, 20).map(({ _id, name }) => ({
    pointer: `datasource/${_id}`,
    code: 'in_use',
    detail: name,
  }));
  return new Failure('conflict', detail, { errors });
}

import type { ListedObject, ObjectListQuery } from '@platen/contract/object-info';
import type { StoredObject } from '@platen/contract/objects';
import type { Page } from '@platen/contract/schema';
import type { BucketPath } from '../buckets/operations.ts';
import { findBucket } from '../buckets/store.ts';
import type { Context } from '../../base/context.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { notify } from '../../base/database/notifications.ts';
import { notFound } from '../../base/failure.ts';
import type { Caller } from '../../base/caller.ts';
import { moveToTrash } from '../../base/trash/move-to-trash.ts';
import { requireUnusedObject } from '../used-by/in-use.ts';
import { folderKeyOf, keyOf } from './key.ts';
import { withDetails } from './list-details.ts';
import { findObjects } from './list.ts';
import { deleteFolder, deleteObject, findFolder, findObject, type ObjectFile } from './store.ts';

export async function listObjects(
  { db }: Context,
  path: BucketPath,
  query: ObjectListQuery,
): Promise<Page<ListedObject>> {
  const page = await findObjects(db, path.dataBucketId, query);
  return query.details ? { ...page, items: await withDetails(db, path, page.items) } : page;
}

/** A file, or the folder of that name if there is no such file. */
export async function getObject(
  { db }: Context,
  { dataBucketId }: BucketPath,
  rawKey: string,
): Promise<StoredObject> {
  const file = rawKey.endsWith('/') ? undefined : await findObject(db, dataBucketId, keyOf(rawKey));
  if (file) return publicFields(file);
  const folder = await findFolder(db, dataBucketId, folderKeyOf(rawKey));
  if (!folder) throw notFound('file');
  return folder;
}

/** @throws Failure `not_found` */
export async function getFile({ db }: Context, bucketId: string, rawKey: string): Promise<ObjectFile> {
  const file = await findObject(db, bucketId, keyOf(rawKey));
  if (!file) throw notFound('file');
  return file;
}

/**
 * Removes a file, or a folder where the key ends in `/`: it goes to the trash as one, with its revisions.
 * @throws Failure `conflict` that names what uses it, unless forced
 */
export async function removeObject(
  { db, now }: Context,
  caller: Caller,
  { projectId, dataBucketId: bucketId, key: rawKey, force }: BucketPath & { key: string; force: boolean },
): Promise<void> {
  const isFolder = rawKey.endsWith('/');
  const key = isFolder ? folderKeyOf(rawKey) : keyOf(rawKey);
  const remove = isFolder ? deleteFolder : deleteObject;
  await inTransaction(db, async (tx) => {
    const bucket = await findBucket(tx, projectId, bucketId);
    if (!bucket) throw notFound('data bucket');
    const what = { type: isFolder ? 'folder' : 'object', projectId, bucketId, name: key } as const;
    const entry = { ...what, ownerId: bucket.createdBy, by: caller.userId, from: caller, now: now() };
    const deleted = await moveToTrash(tx, entry, () => remove(tx, bucketId, key));
    if (deleted === 0) throw notFound(isFolder ? 'folder' : 'file');
    if (!force) await requireUnusedObject(tx, { projectId, bucketId, key });
    await notify(tx, 'accessChanged', `bucket:${bucketId}`);
  });
}

/** Removes the internal fields that say where the bytes are. */
export function publicFields(file: ObjectFile): StoredObject {
  const { blobId: _blobId, ...rest } = file;
  return rest;
}

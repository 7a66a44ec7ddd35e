import type { ObjectListQuery, StoredObject } from '@platen/contract/objects';
import type { Page } from '@platen/contract/schema';
import { usedByDatasources, type BucketPath } from '../buckets/operations.ts';
import type { Context } from '../context.ts';
import { inTransaction } from '../database/database.ts';
import { notify } from '../database/notifications.ts';
import { findDatasourcesOfKey } from '../datasources/uses.ts';
import { notFound } from '../failure.ts';
import type { Caller } from '../iam/caller.ts';
import { forgetServed } from '../serving/forget.ts';
import { folderKeyOf, keyOf } from './key.ts';
import { deleteFolder, deleteObject, findFolder, findObject, findObjects, type ObjectFile } from './store.ts';
import { storeObject } from './upload.ts';

export function listObjects(
  { db }: Context,
  { dataBucketId }: BucketPath,
  query: ObjectListQuery,
): Promise<Page<StoredObject>> {
  const prefix = query.prefix?.replace(/^\//, '').normalize('NFC');
  return findObjects(db, dataBucketId, { ...query, ...(prefix !== undefined && { prefix }) });
}

/** A file, or the folder of that name where there is no such file. */
export async function getObject(
  { db }: Context,
  { dataBucketId }: BucketPath,
  rawKey: string,
): Promise<StoredObject> {
  const file = rawKey.endsWith('/') ? undefined : await findObject(db, dataBucketId, keyOf(rawKey));
  if (file) return shown(file);
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

export async function createEmptyFile(
  context: Context,
  caller: Caller,
  { projectId, dataBucketId: bucketId, key }: BucketPath & { key: string },
): Promise<StoredObject> {
  const file = { projectId, bucketId, key: keyOf(key), by: caller.userId, overwrite: false };
  return shown(await storeObject(context, { ...file, body: nothing() }));
}

/**
 * Removes a file, or a folder where the key ends in `/`. The bytes stay until the grace time of blobs is over.
 * @throws Failure `conflict` that names the datasources which serve it, unless forced
 */
export async function removeObject(
  { db, notifications }: Context,
  { dataBucketId: bucketId, key: rawKey, force }: BucketPath & { key: string; force: boolean },
): Promise<void> {
  const isFolder = rawKey.endsWith('/');
  const key = isFolder ? folderKeyOf(rawKey) : keyOf(rawKey);
  await inTransaction(db, async (tx) => {
    const users = force ? [] : await findDatasourcesOfKey(tx, bucketId, key, isFolder);
    const deleted = isFolder ? await deleteFolder(tx, bucketId, key) : await deleteObject(tx, bucketId, key);
    if (deleted === 0) throw notFound(isFolder ? 'folder' : 'file');
    if (users.length > 0) throw usedByDatasources(isFolder ? 'folder' : 'file', users);
    await notify(tx, 'accessChanged', `bucket:${bucketId}`);
  });
  forgetServed(notifications, bucketId);
}

/** Without what is ours alone: where the bytes lie. */
function shown(file: ObjectFile): StoredObject {
  const { blobId, ...rest } = file;
  void blobId;
  return rest;
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

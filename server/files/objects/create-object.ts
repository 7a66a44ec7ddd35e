import type { NewObject, StoredObject } from '@platen/contract/objects';
import type { BucketPath } from '../buckets/operations.ts';
import type { Context } from '../../base/context.ts';
import { Failure, invalidAt } from '../../base/failure.ts';
import type { Caller } from '../../base/caller.ts';
import { existsAlready, ingest } from './ingest.ts';
import { folderKeyOf, keyOf } from './key.ts';
import { publicFields } from './operations.ts';
import { findFolder, findObject } from './store.ts';

interface RequestedObject {
  readonly key: string;
  readonly type: 'file' | 'directory';
  readonly overwrite: boolean;
}

interface ObjectQuery {
  readonly key?: string;
  readonly overwrite?: boolean;
}

/** The object that a request names in its body or its query. @throws Failure `invalid` without a key, or with two */
export function requestedObject(
  { key: inQuery, overwrite = false }: ObjectQuery,
  { key = inQuery, type = 'file' }: NewObject,
): RequestedObject {
  if (key === undefined) throw invalidAt('/key', 'This field is required.', 'required');
  if (inQuery !== undefined && inQuery !== key)
    throw invalidAt('/key', 'The keys in the body and in the query differ. Send one of them.');
  return { key, type, overwrite };
}

/** Creates an empty file, or describes a directory, which exists as soon as it contains a file. */
export async function createObject(
  context: Context,
  caller: Caller,
  { projectId, dataBucketId: bucketId, ...object }: BucketPath & RequestedObject,
): Promise<StoredObject> {
  if (object.type === 'directory') return describeDirectory(context, bucketId, object);
  const key = keyOf(object.key);
  const file = { projectId, bucketId, key, by: caller.userId, overwrite: object.overwrite };
  return publicFields(await ingest(context, { ...file, body: nothing() }));
}

/** @throws Failure `conflict` if a file has the name of the directory */
async function describeDirectory(
  { db, now }: Context,
  bucketId: string,
  { key: rawKey, overwrite }: RequestedObject,
): Promise<StoredObject> {
  const key = folderKeyOf(rawKey);
  if (await findObject(db, bucketId, key.slice(0, -1)))
    throw new Failure('conflict', `“${key.slice(0, -1)}” is a file.`);
  const existing = await findFolder(db, bucketId, key);
  if (existing && !overwrite) throw existsAlready(key);
  if (existing) return existing;
  const at = now().toISOString();
  return {
    key,
    type: 'directory',
    size: 0,
    numberOfFiles: 0,
    dataBucketId: bucketId,
    createdAt: at,
    updatedAt: at,
  };
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

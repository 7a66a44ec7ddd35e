import type { StoredObject } from '@platen/contract/objects';
import type { ObjectRevision, ObjectRevisionListQuery } from '@platen/contract/revisions';
import type { Page } from '@platen/contract/schema';
import type { Caller } from '../../base/caller.ts';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { notify } from '../../base/database/notifications.ts';
import { notFound } from '../../base/failure.ts';
import type { BucketPath } from '../buckets/operations.ts';
import { keyOf } from '../objects/key.ts';
import { getFile, getObject } from '../objects/operations.ts';
import { findObject, type ObjectFile } from '../objects/store.ts';
import { requireQuota } from '../usage/reserve.ts';
import { lockServing } from './restore-files.ts';
import { revisionNumber } from './revision-number.ts';
import { restoreContent, findObjectRevisions, measureContent } from './store.ts';

export async function listObjectRevisions(
  { db }: Context,
  { dataBucketId }: BucketPath,
  query: ObjectRevisionListQuery,
): Promise<Page<ObjectRevision>> {
  const file = await findObject(db, dataBucketId, keyOf(query.key));
  if (!file) throw notFound('file');
  return findObjectRevisions(db, file._id, query);
}

/**
 * The content of an older revision becomes the newest; equal content changes nothing.
 * @throws Failure `storage_full`, because the replaced content is kept
 */
export async function restoreObjectRevision(
  context: Context,
  caller: Caller,
  { key: rawKey, revision: rawRevision, ...path }: BucketPath & { key: string; revision: string },
): Promise<StoredObject> {
  const { db, now } = context;
  const { projectId, dataBucketId: bucketId } = path;
  const key = keyOf(rawKey);
  const revision = revisionNumber(rawRevision);
  return inTransaction(db, async (tx) => {
    await lockServing(tx, { bucketId, key, now: now() });
    await requireQuota(context, tx, projectId, await measureContent(tx, { bucketId, key, revision }));
    const file = await lockFile(tx, bucketId, key);
    if (file.revision !== revision) {
      const row = { objectId: file.id, revision, by: caller.userId, now: now() };
      if (!(await restoreContent(tx, row))) throw notFound('revision of this file');
      await notify(tx, 'accessChanged', `bucket:${bucketId}`);
    }
    return getObject({ ...context, db: tx }, path, key);
  });
}

async function lockFile(tx: Db, bucketId: string, key: string): Promise<{ id: string; revision: number }> {
  const row = await tx
    .selectFrom('object')
    .select(['id', 'revision'])
    .where('bucket_id', '=', bucketId)
    .where('key', '=', key)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound('file');
  return row;
}

/** A file, or one of its kept revisions. @throws Failure `not_found` */
export async function getFileAtRevision(
  context: Context,
  bucketId: string,
  { key, revision }: { readonly key: string; readonly revision?: number },
): Promise<ObjectFile> {
  const { db } = context;
  const file = await getFile(context, bucketId, key);
  if (revision === undefined) return file;
  const current = await db
    .selectFrom('object')
    .select('revision')
    .where('id', '=', file._id)
    .executeTakeFirst();
  if (current?.revision === revision) return file;
  const row = await db
    .selectFrom('object_revision')
    .selectAll()
    .where('object_id', '=', file._id)
    .where('revision', '=', revision)
    .executeTakeFirst();
  if (!row) throw notFound('revision of this file');
  return {
    ...file,
    blobId: row.blob_id,
    size: row.size,
    sha256: row.sha256.toString('hex'),
    contentType: row.content_type,
    updatedAt: row.created_at.toISOString(),
    updatedBy: row.created_by,
  };
}

import type { Datasource, SourceProperties } from '@platen/contract/datasources';
import type { StoredObject } from '@platen/contract/objects';
import type {
  DatasourceRevision,
  ObjectRevision,
  ObjectRevisionListQuery,
  RevisionListQuery,
} from '@platen/contract/revisions';
import type { Page } from '@platen/contract/schema';
import type { BucketPath } from '../buckets/operations.ts';
import { findBucket } from '../buckets/store.ts';
import type { Context } from '../../base/context.ts';
import { inTransaction, type Db } from '../../base/database/database.ts';
import { notify } from '../../base/database/notifications.ts';
import { getDatasource, type DatasourcePath } from '../../datasources/operations.ts';
import { updateDatasource } from '../../datasources/store.ts';
import { changedMeanwhile, Failure, notFound } from '../../base/failure.ts';
import { maySee, type Caller } from '../../base/caller.ts';
import { keyOf } from '../objects/key.ts';
import { getFile, getObject } from '../objects/operations.ts';
import { findObject, type ObjectFile } from '../objects/store.ts';
import { intoTrash } from '../../base/trash/move-to-trash.ts';
import { requireRoom } from '../usage/reserve.ts';
import { findDatasourceRevision, type PinnedRevision } from './as-of.ts';
import { bringBackFiles, countChanged, deleteAdded, lockServing, measureFiles } from './in-place.ts';
import { bringBackContent, findDatasourceRevisions, findObjectRevisions, measureContent } from './store.ts';

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
 * @throws Failure `storage_full`, as what it replaces is kept
 */
export async function restoreObjectRevision(
  context: Context,
  caller: Caller,
  { key: rawKey, revision: rawRevision, ...path }: BucketPath & { key: string; revision: string },
): Promise<StoredObject> {
  const { db, now } = context;
  const { projectId, dataBucketId: bucketId } = path;
  const key = keyOf(rawKey);
  const revision = numberOf(rawRevision);
  return inTransaction(db, async (tx) => {
    await lockServing(tx, { bucketId, key, now: now() });
    await requireRoom(context, tx, projectId, await measureContent(tx, { bucketId, key, revision }));
    const file = await lockFile(tx, bucketId, key);
    if (file.revision !== revision) {
      const row = { objectId: file.id, revision, by: caller.userId, now: now() };
      if (!(await bringBackContent(tx, row))) throw notFound('revision of this file');
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

/** A file, or what it held in one of its revisions while that is kept. @throws Failure `not_found` */
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

export function listDatasourceRevisions(
  { db }: Context,
  { datasourceId }: DatasourcePath,
  query: RevisionListQuery,
): Promise<Page<DatasourceRevision>> {
  return findDatasourceRevisions(db, datasourceId, query);
}

interface Restoration extends DatasourcePath {
  readonly revision: string;
  readonly ifMatch: number | undefined;
}

/** Place, type and description as they were, and the files where they were overwritten in place: all of it or nothing. */
export async function restoreDatasourceRevision(
  context: Context,
  caller: Caller,
  { revision: rawRevision, ifMatch, ...path }: Restoration,
): Promise<Datasource> {
  const { db, now } = context;
  const { projectId, datasourceId } = path;
  const number = numberOf(rawRevision);
  await inTransaction(db, async (tx) => {
    await tx.selectFrom('datasource').select('id').where('id', '=', datasourceId).forUpdate().execute();
    const before = await getDatasource({ ...context, db: tx }, path);
    if (ifMatch !== undefined && ifMatch !== before.revision) throw changedMeanwhile();
    const revision = await findDatasourceRevision(tx, datasourceId, number);
    if (!revision) throw notFound('revision of this datasource');
    const { until } = revision;
    if (until === undefined) return;
    const change = { by: caller.userId, now: now() };
    if (revision.sourceProperties.type === 'internal')
      await restoreFiles({ ...context, db: tx }, caller, {
        projectId,
        datasourceId,
        revision: { ...revision, until },
        ...change,
      });
    const { type, typeProperties, properties, bbox } = revision;
    const fields = { type, typeProperties, properties, bbox };
    await updateDatasource(tx, datasourceId, { fields, location: revision, cause: 'restored', ...change });
    await notify(tx, 'accessChanged');
  });
  return getDatasource(context, path);
}

interface FilesOf {
  readonly projectId: string;
  readonly datasourceId: string;
  readonly revision: PinnedRevision & { readonly until: number };
  readonly by: string;
  readonly now: Date;
}

/**
 * Call it in a transaction.
 * @throws Failure `conflict` where not all of the data can come back, `forbidden` where files would change and the caller may
 * not, `storage_full`
 */
async function restoreFiles(
  context: Context,
  caller: Caller,
  { projectId, datasourceId, revision, ...change }: FilesOf,
) {
  const { db: tx } = context;
  const { dataBucketId } = revision.sourceProperties as SourceProperties & { type: 'internal' };
  const bucket = await findBucket(tx, projectId, dataBucketId);
  if (!bucket)
    throw new Failure(
      'conflict',
      'The data bucket with the data of this revision was deleted: restore it first.',
    );
  const { present, lost, overwritten, added } = await countChanged(tx, datasourceId, revision);
  if (present === 0)
    throw new Failure('conflict', 'The files of this revision were deleted: look for them in the trash.');
  if (lost > 0) {
    const files = lost === 1 ? 'A file' : `${lost} files`;
    throw new Failure('conflict', `${files} of this revision had a content that has been cleaned up since.`);
  }
  if (overwritten + added === 0) return;
  if (!maySee(caller, 'editDataBucket', bucket.createdBy))
    throw new Failure(
      'forbidden',
      'You need the permission editDataBucket, as files of the data bucket change.',
    );
  await requireRoom(context, tx, projectId, await measureFiles(tx, revision));
  await bringBackFiles(tx, revision, change);
  if (added === 0) return;
  const name = revision.servedFolder ?? revision.bucketKey!;
  const entry = { type: 'folder', name, bucketId: bucket._id, ownerId: bucket.createdBy } as const;
  await intoTrash(tx, { ...entry, projectId, ...change }, () => deleteAdded(tx, datasourceId, revision));
}

/** @throws Failure `not_found` for what cannot be the number of a revision */
function numberOf(raw: string): number {
  if (!/^[1-9]\d{0,8}$/.test(raw)) throw notFound('revision');
  return Number(raw);
}

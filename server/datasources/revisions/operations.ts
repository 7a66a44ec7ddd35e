import type { Datasource, SourceProperties } from '@platen/contract/datasources';
import type { DatasourceRevision, RevisionListQuery } from '@platen/contract/revisions';
import type { Page } from '@platen/contract/schema';
import { maySee, type Caller } from '../../base/caller.ts';
import type { Context } from '../../base/context.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { notify } from '../../base/database/notifications.ts';
import { changedMeanwhile, Failure, notFound } from '../../base/failure.ts';
import { moveToTrash } from '../../base/trash/move-to-trash.ts';
import { findBucket } from '../../files/buckets/store.ts';
import { findDatasourceRevision, type PinnedRevision } from '../../files/revisions/pinned-revision.ts';
import {
  restoreFileContents,
  countChanged,
  deleteAdded,
  measureFiles,
} from '../../files/revisions/restore-files.ts';
import { revisionNumber } from '../../files/revisions/revision-number.ts';
import { copyLineage, findDatasourceRevisions } from '../../files/revisions/store.ts';
import { requireQuota } from '../../files/usage/reserve.ts';
import { getDatasource, type DatasourcePath } from '../operations.ts';
import { updateDatasource } from '../store.ts';

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
  const number = revisionNumber(rawRevision);
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
    await copyLineage(tx, datasourceId, number);
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
    const files = lost === 1 ? 'one file' : `${lost} files`;
    throw new Failure('conflict', `The content of ${files} of this revision has been removed by a clean-up.`);
  }
  if (overwritten + added === 0) return;
  if (!maySee(caller, 'editDataBucket', bucket.createdBy))
    throw new Failure(
      'forbidden',
      'You need the permission editDataBucket, as files of the data bucket change.',
    );
  await requireQuota(context, tx, projectId, await measureFiles(tx, revision));
  await restoreFileContents(tx, revision, change);
  if (added === 0) return;
  const name = revision.servedFolder ?? revision.bucketKey!;
  const entry = { type: 'folder', name, bucketId: bucket._id, ownerId: bucket.createdBy } as const;
  await moveToTrash(tx, { ...entry, projectId, ...change }, () => deleteAdded(tx, datasourceId, revision));
}

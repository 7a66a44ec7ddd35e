import { Type, type Static } from 'typebox';
import { Datasource } from './datasources.ts';
import { endpoints } from './endpoint.ts';
import { ObjectKey, StoredObject } from './objects.ts';
import { Bbox, FreeForm, Id, listQuery, oneOf, page, strict, Timestamp } from './schema.ts';

const number = Type.Integer({
  minimum: 1,
  description: 'Counted from 1; unchanged when older revisions are cleaned up',
});
const replacedAt = Type.Optional(Timestamp);
const isCurrent = Type.Boolean();

/** A current or former content of a file. */
export const ObjectRevision = Type.Object({
  revision: number,
  isCurrent,
  size: Type.Integer({ description: 'In bytes' }),
  sha256: Type.String({ description: 'Hexadecimal' }),
  contentType: Type.String(),
  createdAt: Timestamp,
  createdBy: Type.String(),
  replacedAt,
  replacedBy: Type.Optional(Type.String()),
});
export type ObjectRevision = Static<typeof ObjectRevision>;

/** A current or former state of the data of a datasource. */
export const DatasourceRevision = Type.Object({
  revision: number,
  isCurrent,
  cause: oneOf(
    ['created', 'changed', 'job', 'files', 'restored'],
    'files: served files were overwritten in place',
  ),
  type: Type.String(),
  typeProperties: FreeForm,
  sourceProperties: FreeForm,
  bbox: Type.Optional(Bbox),
  properties: FreeForm,
  jobId: Type.Optional(Id),
  createdAt: Timestamp,
  createdBy: Type.String(),
  replacedAt,
});
export type DatasourceRevision = Static<typeof DatasourceRevision>;

export const RevisionListQuery = listQuery(['revision', 'createdAt'], {});
export type RevisionListQuery = Static<typeof RevisionListQuery>;

export const ObjectRevisionListQuery = listQuery(['revision', 'createdAt'], { key: ObjectKey });
export type ObjectRevisionListQuery = Static<typeof ObjectRevisionListQuery>;

const bucketPath = '/project/:projectId/data-bucket/:dataBucketId';
const datasourcePath = '/project/:projectId/datasource/:datasourceId';
const tag = 'revisions';

export const objectRevisionEndpoints = endpoints({
  getProjectDataBucketObjectRevisions: {
    method: 'GET',
    path: `${bucketPath}/object/revisions`,
    tag,
    summary: 'List the revisions of a file, newest first',
    description:
      'Overwritten content is kept for PLATEN_KEEP_REVISIONS_DAYS, at most PLATEN_KEEP_REVISIONS revisions per file. Equal content creates no revision.',
    access: { permission: 'getDataBucket', orCreator: true },
    query: ObjectRevisionListQuery,
    reply: page(ObjectRevision),
  },
  postProjectDataBucketObjectRevisionRestore: {
    method: 'POST',
    path: `${bucketPath}/object/revision/:revision/restore`,
    tag,
    summary: 'Restore an earlier revision of a file as a new revision',
    access: { permission: 'editDataBucket', orCreator: true },
    query: strict({ key: ObjectKey }),
    reply: StoredObject,
    errors: ['conflict', 'storage_full'],
  },
});

export const datasourceRevisionEndpoints = endpoints({
  getProjectDatasourceRevisions: {
    method: 'GET',
    path: `${datasourcePath}/revisions`,
    tag,
    summary: 'List the revisions of a datasource, newest first',
    access: { permission: 'getDatasource', orCreator: true },
    query: RevisionListQuery,
    reply: page(DatasourceRevision),
    errors: ['too_large'],
  },
  postProjectDatasourceRevisionRestore: {
    method: 'POST',
    path: `${datasourcePath}/revision/:revision/restore`,
    tag,
    summary: 'Restore an earlier revision of a datasource as a new revision',
    description:
      'Files that were overwritten in place get their earlier content back; files added to its folder since then move to the trash. Both require editDataBucket.',
    access: { permission: 'editDatasource', orCreator: true },
    reply: Datasource,
    errors: ['conflict', 'precondition_failed', 'storage_full'],
  },
});

import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { inspectedKind, InspectionSummary } from './inspect.ts';
import { ObjectKey, StoredObject } from './objects.ts';
import { filter, listQuery, oneOf, page, someOf, strict } from './schema.ts';
import { Use } from './used-by.ts';

export const ObjectListQuery = listQuery(
  ['alpha', 'type', 'key', 'size', 'createdAt', 'createdBy', 'updatedAt', 'updatedBy'],
  {
    prefix: Type.Optional(Type.String({ maxLength: 1100, description: 'Prefix of the keys' })),
    ending: Type.Optional(
      Type.String({ maxLength: 255, description: 'Suffix of the keys; case-insensitive' }),
    ),
    delimiter: Type.Optional(oneOf(['/'], 'Groups deeper levels below the prefix into folders')),
    type: someOf(oneOf(['file', 'directory']), 2, 'Only these of the level below the prefix'),
    contains: filter.text(),
    kind: someOf(inspectedKind, 10, 'Kind of data, as found by inspection'),
    includeJobs: Type.Optional(
      Type.Boolean({ description: 'Also lists the files of jobs, which are below `.jobs/`' }),
    ),
    details: Type.Optional(
      Type.Boolean({ description: 'Also returns the inspection result and the uses of each file' }),
    ),
  },
);
export type ObjectListQuery = Static<typeof ObjectListQuery>;

/** The number of resources that use a file or folder, by kind. */
export const UsedIn = Type.Object({
  datasources: Type.Integer(),
  tasks: Type.Integer(),
  apps: Type.Integer({ description: 'Number of apps that show one of the datasources' }),
});
export type UsedIn = Static<typeof UsedIn>;

/** A file or folder in a list. */
export const ListedObject = Type.Object({
  ...StoredObject.properties,
  inspection: Type.Optional(InspectionSummary),
  usedIn: Type.Optional(UsedIn),
});
export type ListedObject = Static<typeof ListedObject>;

/** Everything known about a file or folder without reading its content. */
export const ObjectInfo = Type.Object({
  ...StoredObject.properties,
  numberOfRevisions: Type.Optional(
    Type.Integer({ description: 'Number of revisions of the file, including the current one; files only' }),
  ),
  usedBy: Type.Array(Use, {
    description:
      'The first 20 resources that refer to the file or to anything in the folder. All: object/used-by',
  }),
  numberOfUses: Type.Integer(),
  inspection: Type.Optional(InspectionSummary),
});
export type ObjectInfo = Static<typeof ObjectInfo>;

const bucketPath = '/project/:projectId/data-bucket/:dataBucketId';

/** A separate table, since it combines schemas of several other resources. */
export const objectInfoEndpoints = endpoints({
  getProjectDataBucketObjects: {
    method: 'GET',
    path: `${bucketPath}/objects`,
    tag: 'files',
    summary: 'List the files of a data bucket',
    description:
      'With `delimiter`, `type` or an order by type, one level is listed: its files and folders; otherwise all files below the prefix. `contains` and `kind` find files at any depth, so they cannot be combined with `delimiter` or `type`. Files of jobs are listed if the prefix begins with `.jobs/`, or with `includeJobs`.',
    access: { permission: 'getDataBucket', orCreator: true },
    query: ObjectListQuery,
    reply: page(ListedObject),
  },
  getProjectDataBucketObject: {
    method: 'GET',
    path: `${bucketPath}/object`,
    tag: 'files',
    summary: 'Get the metadata of a file or a folder',
    access: { permission: 'getDataBucket', orCreator: true },
    query: strict({ key: ObjectKey }),
    reply: ObjectInfo,
  },
});

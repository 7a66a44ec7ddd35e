import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { inspectedKind, InspectionSummary } from './inspect.ts';
import { ObjectKey, StoredObject } from './objects.ts';
import { filter, listQuery, oneOf, page, strict } from './schema.ts';
import { Use } from './used-by.ts';

export const ObjectListQuery = listQuery(
  ['alpha', 'type', 'key', 'size', 'createdAt', 'createdBy', 'updatedAt', 'updatedBy'],
  {
    prefix: Type.Optional(Type.String({ maxLength: 1100, description: 'What keys start with' })),
    ending: Type.Optional(Type.String({ maxLength: 255, description: 'What keys end with, in any case' })),
    delimiter: Type.Optional(
      oneOf(['/'], 'Shows what lies deeper than one level below the prefix as folders'),
    ),
    contains: filter.text(),
    kind: Type.Optional(
      Type.Array(inspectedKind, { maxItems: 10, description: 'What files are, by their inspections' }),
    ),
    details: Type.Optional(
      Type.Boolean({ description: 'Tells of each also what it is, if it was inspected, and what uses it' }),
    ),
  },
);
export type ObjectListQuery = Static<typeof ObjectListQuery>;

/** How much of each kind uses a file, or something in a folder. */
export const UsedIn = Type.Object({
  datasources: Type.Integer(),
  tasks: Type.Integer(),
  apps: Type.Integer({ description: 'That show one of the datasources' }),
});
export type UsedIn = Static<typeof UsedIn>;

/** A file or a folder of a list. */
export const ListedObject = Type.Object({
  ...StoredObject.properties,
  inspection: Type.Optional(InspectionSummary),
  usedIn: Type.Optional(UsedIn),
});
export type ListedObject = Static<typeof ListedObject>;

/** All that is known of a file or folder without looking into it. */
export const ObjectInfo = Type.Object({
  ...StoredObject.properties,
  numberOfRevisions: Type.Optional(
    Type.Integer({ description: 'How many contents the file has had, with the present one; files only' }),
  ),
  usedBy: Type.Array(Use, {
    description: 'What refers to it, or of a folder to something in it: the first 20. All: object/used-by',
  }),
  numberOfUses: Type.Integer(),
  inspection: Type.Optional(InspectionSummary),
});
export type ObjectInfo = Static<typeof ObjectInfo>;

const bucketPath = '/project/:projectId/data-bucket/:dataBucketId';

/** In a file of its own, as it brings together what others tell of files. */
export const objectInfoEndpoints = endpoints({
  getProjectDataBucketObjects: {
    method: 'GET',
    path: `${bucketPath}/objects`,
    tag: 'files',
    summary: 'List the files of a data bucket',
    description:
      '`contains` and `kind` find files at any depth below the prefix, so they go without a delimiter.',
    access: { permission: 'getDataBucket', orCreator: true },
    query: ObjectListQuery,
    reply: page(ListedObject),
  },
  getProjectDataBucketObject: {
    method: 'GET',
    path: `${bucketPath}/object`,
    tag: 'files',
    summary: 'Get what is known of a file or a folder',
    access: { permission: 'getDataBucket', orCreator: true },
    query: strict({ key: ObjectKey }),
    reply: ObjectInfo,
  },
});

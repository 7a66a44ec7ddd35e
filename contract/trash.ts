import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { ObjectKey } from './objects.ts';
import { Deleted, filter, Id, listQuery, oneOf, page, strict, Timestamp } from './schema.ts';

const trashTypes = [
  'object',
  'folder',
  'data-bucket',
  'datasource',
  'module',
  'app',
  'scenario',
  'credential',
  'task',
  'job',
] as const;

/** One thing that was deleted, with all that went with it. */
export const TrashItem = Type.Object({
  _id: Type.String({ description: 'Of the item in the trash' }),
  type: oneOf(trashTypes),
  name: Type.String({ description: 'Of a file or folder its key' }),
  resourceId: Type.Optional(Type.String({ description: 'The id it had, and gets again' })),
  dataBucketId: Type.Optional(Type.String({ description: 'Of files: where they lay' })),
  numberOfFiles: Type.Integer(),
  size: Type.Integer({ description: 'Of the files, in bytes' }),
  deletedAt: Timestamp,
  deletedBy: Type.String(),
  expiresAt: Type.String({ format: 'date-time', description: 'From then on it may be gone for good' }),
});
export type TrashItem = Static<typeof TrashItem>;

/** What came back. */
export const Restored = Type.Object({
  type: oneOf(trashTypes),
  resourceId: Type.Optional(Id),
  dataBucketId: Type.Optional(Id),
  key: Type.Optional(Type.String({ description: 'Of the file or folder' })),
  numberOfFiles: Type.Integer(),
});
export type Restored = Static<typeof Restored>;

export const TrashListQuery = listQuery(['createdAt', 'name', 'type', 'size'], {
  name: filter.text(),
  type: Type.Optional(Type.Array(oneOf(trashTypes), { maxItems: 10 })),
});
export type TrashListQuery = Static<typeof TrashListQuery>;

const tag = 'trash';
const path = '/project/:projectId/trash';
// a path of its own: as `${path}/:trashId` its DELETE would have the same name as emptying the whole
const itemPath = '/project/:projectId/trash-item/:trashId';

export const trashEndpoints = endpoints({
  getProjectTrash: {
    method: 'GET',
    path,
    tag,
    summary: 'List what was deleted and can be restored, the latest first',
    description:
      'Names are for everybody in the project, but the keys of files only for those who may read their data bucket.',
    access: { permission: 'getProject' },
    query: TrashListQuery,
    reply: page(TrashItem),
  },
  postProjectTrashItemRestore: {
    method: 'POST',
    path: `${itemPath}/restore`,
    tag,
    summary: 'Restore what was deleted, with the ids it had',
    description:
      'It takes the permission that deleting it took. Where there is a file of that key meanwhile, it is refused; `overwrite` puts that one into the trash, `key` restores to another place. An app is not public when it comes back, modules do not go back into apps, and tasks do not catch up.',
    access: { permission: 'getProject' },
    query: strict({
      overwrite: Type.Optional(Type.Boolean({ description: 'Files that are in the way go to the trash' })),
      key: Type.Optional(ObjectKey),
      force: Type.Optional(
        Type.Boolean({
          description:
            'Restore a datasource although its data is not there, and put files into the trash that are served or released',
        }),
      ),
    }),
    reply: Restored,
    errors: ['conflict', 'unusable_reference'],
  },
  deleteProjectTrashItem: {
    method: 'DELETE',
    path: itemPath,
    tag,
    summary: 'Delete for good what is in the trash',
    access: { permission: 'getProject' },
    reply: Deleted,
  },
  deleteProjectTrash: {
    method: 'DELETE',
    path,
    tag,
    summary: 'Empty the trash: all that the caller may delete goes for good',
    access: { permission: 'getProject' },
    reply: Deleted,
  },
});

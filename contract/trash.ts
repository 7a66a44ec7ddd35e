import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { ObjectKey } from './objects.ts';
import { Deleted, filter, Id, listQuery, oneOf, page, strict, Timestamp, someOf } from './schema.ts';

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

/** A deleted resource with everything deleted along with it. */
export const TrashItem = Type.Object({
  _id: Type.String({ description: 'ID of the item in the trash' }),
  type: oneOf(trashTypes),
  name: Type.String({ description: 'For a file or folder, its key' }),
  resourceId: Type.Optional(Type.String({ description: 'Original ID, which it gets back when restored' })),
  dataBucketId: Type.Optional(Type.String({ description: 'Data bucket of files' })),
  numberOfFiles: Type.Integer(),
  size: Type.Integer({ description: 'Size of the files in bytes' }),
  deletedAt: Timestamp,
  deletedBy: Type.String(),
  expiresAt: Type.String({
    format: 'date-time',
    description: 'Time after which it may be deleted permanently',
  }),
});
export type TrashItem = Static<typeof TrashItem>;

/** The restored resources. */
export const Restored = Type.Object({
  type: oneOf(trashTypes),
  resourceId: Type.Optional(Id),
  dataBucketId: Type.Optional(Id),
  key: Type.Optional(Type.String({ description: 'Key of the file or folder' })),
  numberOfFiles: Type.Integer(),
});
export type Restored = Static<typeof Restored>;

export const TrashListQuery = listQuery(['createdAt', 'name', 'type', 'size'], {
  name: filter.text(),
  type: someOf(oneOf(trashTypes), 10),
});
export type TrashListQuery = Static<typeof TrashListQuery>;

const tag = 'trash';
const path = '/project/:projectId/trash';
// A separate path: the DELETE of `${path}/:trashId` would get the same operation name as emptying the trash.
const itemPath = '/project/:projectId/trash-item/:trashId';

export const trashEndpoints = endpoints({
  getProjectTrash: {
    method: 'GET',
    path,
    tag,
    summary: 'List the items in the trash, newest first',
    description:
      'Names are visible to all project members, keys of files only to those who may read their data bucket.',
    access: { permission: 'getProject' },
    query: TrashListQuery,
    reply: page(TrashItem),
  },
  postProjectTrashItemRestore: {
    method: 'POST',
    path: `${itemPath}/restore`,
    tag,
    summary: 'Restore an item from the trash with its original ID',
    description:
      'Requires the same permission as deleting. If a file of that key exists, the request is refused; `overwrite` moves that file to the trash, `key` restores to another location. Restored apps are not public, modules are not added back to apps, and tasks do not catch up on missed runs.',
    access: { permission: 'getProject' },
    query: strict({
      overwrite: Type.Optional(Type.Boolean({ description: 'Move conflicting files to the trash' })),
      key: Type.Optional(ObjectKey),
      force: Type.Optional(
        Type.Boolean({
          description:
            'Restore a datasource even if its data is missing, and move served or released files to the trash',
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
    summary: 'Permanently delete an item in the trash',
    access: { permission: 'getProject' },
    reply: Deleted,
  },
  deleteProjectTrash: {
    method: 'DELETE',
    path,
    tag,
    summary: 'Empty the trash: permanently delete everything the caller may delete',
    access: { permission: 'getProject' },
    reply: Deleted,
  },
});

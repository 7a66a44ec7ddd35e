import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { Problem } from './error.ts';
import { Id, oneOf, strict, Timestamp } from './schema.ts';

/** The path of a file inside its bucket. A leading `/` is tolerated. */
export const ObjectKey = Type.String({
  minLength: 1,
  maxLength: 1100,
  description:
    'Path of a file in the data bucket: at most 1,024 bytes of UTF-8, 255 per segment, without empty, `.` or `..` segments, backslashes and control characters',
});

/** A file of a bucket, or a folder: the common prefix of keys up to a `/`. */
export const StoredObject = Type.Object({
  _id: Type.Optional(
    Type.String({ description: 'Stays the same when the file is moved or gets new content; files only' }),
  ),
  key: Type.String({ description: 'Ends in / for a folder' }),
  type: oneOf(['file', 'directory']),
  size: Type.Integer({ description: 'Size in bytes; for a folder, of all files in it' }),
  sha256: Type.Optional(Type.String({ description: 'Hexadecimal; files only' })),
  contentType: Type.Optional(Type.String({ description: 'Guessed from the extension; files only' })),
  numberOfFiles: Type.Optional(
    Type.Integer({ description: 'Number of files in it, at any depth; folders only' }),
  ),
  dataBucketId: Id,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  createdBy: Type.Optional(Type.String()),
  updatedBy: Type.Optional(Type.String()),
});
export type StoredObject = Static<typeof StoredObject>;

/** The result of one uploaded file. */
export const UploadedFile = Type.Object({
  name: Type.String({ description: 'As sent in the request' }),
  status: Type.Integer({ description: 'The HTTP status that this file alone would have had' }),
  dataBucketKey: Type.Optional(Type.String({ description: 'Key under which the file was stored' })),
  problem: Type.Optional(Problem),
});
export type UploadedFile = Static<typeof UploadedFile>;

/** The files of an upload in the order of the request. */
export const UploadReport = Type.Object({ files: Type.Array(UploadedFile) });
export type UploadReport = Static<typeof UploadReport>;

export const NewObject = strict({
  key: Type.Optional(ObjectKey),
  type: Type.Optional(
    oneOf(
      ['file', 'directory'],
      'Default: file. A directory needs not be created, and is listed once it contains a file',
    ),
  ),
});
export type NewObject = Static<typeof NewObject>;

const transfer = {
  key: Type.String({
    minLength: 1,
    maxLength: 1100,
    description: 'Key of a file, or with a trailing / of a folder with all files in it',
  }),
  to: Type.String({
    minLength: 1,
    maxLength: 1100,
    description: 'The full new key of the file, or of the folder, which ends in /',
  }),
  dataBucketId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Target data bucket in the same project; default: the same data bucket',
    }),
  ),
};

export const ObjectCopy = strict({
  ...transfer,
  overwrite: Type.Optional(
    Type.Boolean({ description: 'Add the content to existing files of the same keys as a new revision' }),
  ),
});
export type ObjectCopy = Static<typeof ObjectCopy>;

export const ObjectMove = strict({
  ...transfer,
  overwrite: Type.Optional(
    Type.Boolean({ description: 'Move existing files of the same keys to the trash' }),
  ),
  force: Type.Optional(
    Type.Boolean({
      description:
        'Also move files that a datasource serves together with other files, and replace files that a datasource serves or a release shows',
    }),
  ),
});
export type ObjectMove = Static<typeof ObjectMove>;
const bucketPath = '/project/:projectId/data-bucket/:dataBucketId';
const tag = 'files';

/** A separate table, since only this scope of the server parses form data with files. */
export const uploadEndpoints = endpoints({
  postProjectDataBucketUpload: {
    method: 'POST',
    path: '/project/:projectId/data-bucket/:dataBucketId/upload',
    tag,
    summary: 'Upload one or several files',
    description:
      'A part named `file` is stored under its file name, including relative folders; any other file part is stored under its field name. A file is acknowledged once it would survive a power cut.',
    access: { permission: 'uploadToDataBucket' },
    query: strict({
      overwrite: Type.Optional(Type.Boolean({ description: 'Replace files of the same key' })),
    }),
    bodyKind: 'multipart',
    alsoStatus: { status: 207, reply: UploadReport },
    errors: ['conflict', 'unsupported_media_type', 'storage_full'],
  },
});

export const objectEndpoints = endpoints({
  postProjectDataBucketObject: {
    method: 'POST',
    path: `${bucketPath}/object`,
    tag,
    summary: 'Create an empty file',
    description: 'The key is in the body or in the query.',
    access: { permission: 'uploadToDataBucket' },
    query: strict({
      key: Type.Optional(ObjectKey),
      overwrite: Type.Optional(Type.Boolean({ description: 'Replace the file of the same key' })),
    }),
    body: NewObject,
    optionalBody: true,
    reply: StoredObject,
    status: 201,
    errors: ['conflict', 'storage_full'],
  },
  postProjectDataBucketObjectCopy: {
    method: 'POST',
    path: `${bucketPath}/object/copy`,
    tag,
    summary: 'Copy a file or a folder, without copying bytes',
    description:
      'Also requires uploadToDataBucket. Either everything is copied or nothing. A copy counts towards the quota like any file.',
    access: { permission: 'getDataBucket', orCreator: true },
    body: ObjectCopy,
    reply: StoredObject,
    status: 201,
    errors: ['conflict', 'unusable_reference', 'unprocessable', 'storage_full'],
  },
  postProjectDataBucketObjectMove: {
    method: 'POST',
    path: `${bucketPath}/object/move`,
    tag,
    summary: 'Move or rename a file or a folder',
    description:
      'Files keep their IDs and revisions. Datasources, tasks and queued jobs that refer to moved files refer to the new location from then on. Moving to another data bucket also requires uploadToDataBucket. Either everything is moved or nothing.',
    access: { permission: 'editDataBucket', orCreator: true },
    body: ObjectMove,
    reply: StoredObject,
    status: 200,
    errors: ['conflict', 'unusable_reference', 'unprocessable'],
  },
  deleteProjectDataBucketObject: {
    method: 'DELETE',
    path: `${bucketPath}/object`,
    tag,
    summary: 'Delete a file, or with a trailing / a folder with all files in it',
    description: 'Files used by a datasource are deleted only with `force`.',
    access: { permission: 'editDataBucket', orCreator: true },
    query: strict({ key: ObjectKey, force: Type.Optional(Type.Boolean()) }),
    errors: ['conflict'],
  },
  getProjectDataBucketDownloadFile: {
    method: 'GET',
    path: `${bucketPath}/download-file`,
    tag,
    summary: 'Download a file, or a range of it',
    access: { permission: 'getDataBucket', orCreator: true },
    query: strict({
      key: ObjectKey,
      revision: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 2_147_483_647,
          description: 'An earlier revision of the content, while it is kept',
        }),
      ),
    }),
    download: true,
    isExport: true,
    errors: ['range_not_satisfiable'],
  },
  getProjectDataBucketDownload: {
    method: 'GET',
    path: `${bucketPath}/download`,
    tag,
    summary: 'Download a file, or all files of a folder, as tar.gz',
    access: { permission: 'getDataBucket', orCreator: true },
    query: strict({ key: Type.Optional(ObjectKey) }),
    download: true,
    isExport: true,
  },
});

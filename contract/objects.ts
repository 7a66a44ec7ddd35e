import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { Problem } from './error.ts';
import { Id, oneOf, strict, Timestamp } from './schema.ts';

/** The path of a file inside its bucket. A leading `/` is tolerated. */
export const ObjectKey = Type.String({
  minLength: 1,
  maxLength: 1100,
  description:
    'Path of a file inside the bucket: at most 1,024 bytes of UTF-8 and 255 a segment, without empty, `.` or `..` segments, backslashes and control characters',
});

/** A file of a bucket, or a folder: what keys have in common up to a `/`. */
export const StoredObject = Type.Object({
  _id: Type.Optional(
    Type.String({ description: 'Stays when the file is moved or gets new content; files only' }),
  ),
  key: Type.String({ description: 'That of a folder ends in /' }),
  type: oneOf(['file', 'directory']),
  size: Type.Integer({ description: 'In bytes; of a folder, of all files in it' }),
  sha256: Type.Optional(Type.String({ description: 'In hexadecimal digits; files only' })),
  contentType: Type.Optional(Type.String({ description: 'Guessed from the extension; files only' })),
  numberOfFiles: Type.Optional(
    Type.Integer({ description: 'How many files are in it, at any depth; folders only' }),
  ),
  dataBucketId: Id,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  createdBy: Type.Optional(Type.String()),
  updatedBy: Type.Optional(Type.String()),
});
export type StoredObject = Static<typeof StoredObject>;

/** What became of one file of an upload. */
export const UploadedFile = Type.Object({
  name: Type.String({ description: 'As it was sent' }),
  status: Type.Integer({ description: 'The HTTP status this file alone would have had' }),
  dataBucketKey: Type.Optional(Type.String({ description: 'Under which it was stored' })),
  problem: Type.Optional(Problem),
});
export type UploadedFile = Static<typeof UploadedFile>;

/** The files of an upload in the order of the request. */
export const UploadReport = Type.Object({ files: Type.Array(UploadedFile) });
export type UploadReport = Static<typeof UploadReport>;

const KeyQuery = strict({ key: ObjectKey });

const transfer = {
  key: Type.String({
    minLength: 1,
    maxLength: 1100,
    description: 'Of a file, or with a trailing / of a folder with all files in it',
  }),
  to: Type.String({
    minLength: 1,
    maxLength: 1100,
    description: 'The new key in full: that of a file, or that of a folder, which ends in /',
  }),
  dataBucketId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Where to, within the project; the same data bucket when absent',
    }),
  ),
};

export const ObjectCopy = strict({
  ...transfer,
  overwrite: Type.Optional(
    Type.Boolean({ description: 'Files of the same keys get the new content as a revision' }),
  ),
});
export type ObjectCopy = Static<typeof ObjectCopy>;

export const ObjectMove = strict({
  ...transfer,
  overwrite: Type.Optional(Type.Boolean({ description: 'Files of the same keys go to the trash' })),
  force: Type.Optional(
    Type.Boolean({
      description:
        'Move also what a datasource serves together with other files, and replace what one serves or a release shows',
    }),
  ),
});
export type ObjectMove = Static<typeof ObjectMove>;
const bucketPath = '/project/:projectId/data-bucket/:dataBucketId';
const tag = 'files';

/** Apart from the others because only here form data with files is understood. */
export const uploadEndpoints = endpoints({
  postProjectDataBucketUpload: {
    method: 'POST',
    path: '/project/:projectId/data-bucket/:dataBucketId/upload',
    tag,
    summary: 'Store one or several files',
    description:
      'A part named `file` is stored under its file name, relative folders included; any other part with a file is stored under the name of its field. A file is acknowledged when it would survive a power cut.',
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
    access: { permission: 'uploadToDataBucket' },
    query: KeyQuery,
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
      'It needs uploadToDataBucket, too. All is copied or nothing. A quota counts a copy like any file.',
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
      'Files keep their ids and revisions. Datasources, tasks and waiting jobs that point to what is moved point to its new place from then on. To another data bucket it needs uploadToDataBucket, too. All is moved or nothing.',
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
    description: 'What a datasource points to goes only with `force`.',
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
          description: 'What it held then, while that is kept',
        }),
      ),
    }),
    download: true,
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
  },
});

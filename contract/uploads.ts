import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { Id, listQuery, page, Timestamp } from './schema.ts';

/** The version of the tus protocol that is spoken, and what it calls the extensions that are understood. */
export const tusVersion = '1.0.0';
export const tusExtensions = [
  'creation',
  'creation-defer-length',
  'creation-with-upload',
  'expiration',
  'termination',
] as const;
/** What the bytes of a resumable upload are sent as. */
export const tusMediaType = 'application/offset+octet-stream';

/** A resumable upload that somebody has begun. It becomes a file when its last byte is there. */
export const UnfinishedUpload = Type.Object({
  _id: Id,
  dataBucketId: Id,
  key: Type.String({ description: 'Of the file that it is to become' }),
  length: Type.Optional(Type.Integer({ description: 'In bytes; absent as long as the client has not told' })),
  offset: Type.Integer({
    description: 'How many bytes had arrived when its last request ended; HEAD tells exactly',
  }),
  overwrite: Type.Boolean(),
  createdAt: Timestamp,
  expiresAt: Timestamp,
});
export type UnfinishedUpload = Static<typeof UnfinishedUpload>;

export const UnfinishedUploadListQuery = listQuery(['createdAt', 'key', '_id'], {});
export type UnfinishedUploadListQuery = Static<typeof UnfinishedUploadListQuery>;

const bucketPath = '/project/:projectId/data-bucket/:dataBucketId';
const tag = 'resumable uploads';
const access = { permission: 'uploadToDataBucket' } as const;

/** Apart from the others because only here the media type of tus is understood. */
export const tusEndpoints = endpoints({
  optionsProjectDataBucketTus: {
    method: 'OPTIONS',
    path: `${bucketPath}/tus`,
    tag,
    summary: 'Tell which version and extensions of tus are spoken, and how large a file may be',
    access: 'public',
  },
  postProjectDataBucketTus: {
    method: 'POST',
    path: `${bucketPath}/tus`,
    tag,
    summary: 'Begin a resumable upload (tus 1.0)',
    description:
      '`Upload-Length` tells the size in bytes, or `Upload-Defer-Length: 1` that it comes with a later PATCH. `Upload-Metadata` names the file by `key`, else `relativePath`, else `filename`, and takes `overwrite` (`true` or `false`). The first bytes may come along as `application/offset+octet-stream`. `Location` is the address of the upload, which only the user who began it can use.',
    access,
    status: 201,
    errors: ['conflict', 'precondition_failed', 'too_large', 'unsupported_media_type', 'storage_full'],
  },
  headProjectDataBucketTus: {
    method: 'HEAD',
    path: `${bucketPath}/tus/:uploadId`,
    tag,
    summary: 'Ask where a resumable upload goes on: Upload-Offset',
    description: 'Ends a request that still writes to this upload, as after a broken connection.',
    access,
    status: 200,
  },
  patchProjectDataBucketTus: {
    method: 'PATCH',
    path: `${bucketPath}/tus/:uploadId`,
    tag,
    summary: 'Send the next bytes of a resumable upload',
    description:
      '`Upload-Offset` tells where they go on. With the last byte the file is stored, as durable as by any other way. A request that still writes to this upload is ended.',
    access,
    bodyKind: 'bytes',
    mediaType: tusMediaType,
    errors: ['conflict', 'precondition_failed', 'too_large', 'unsupported_media_type', 'storage_full'],
  },
  deleteProjectDataBucketTus: {
    method: 'DELETE',
    path: `${bucketPath}/tus/:uploadId`,
    tag,
    summary: 'Give up a resumable upload; what has arrived is dropped',
    access,
    errors: ['precondition_failed'],
  },
  getProjectDataBucketUploads: {
    method: 'GET',
    path: `${bucketPath}/uploads`,
    tag,
    summary: "List the caller's own unfinished resumable uploads",
    access,
    query: UnfinishedUploadListQuery,
    reply: page(UnfinishedUpload),
  },
});

import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { Id, listQuery, page, Timestamp } from './schema.ts';

/** The supported version of the tus protocol, and the names of its supported extensions. */
export const tusVersion = '1.0.0';
export const tusExtensions = [
  'creation',
  'creation-defer-length',
  'creation-with-upload',
  'expiration',
  'termination',
] as const;
/** Media type of the bytes of a resumable upload. */
export const tusMediaType = 'application/offset+octet-stream';

/** A resumable upload in progress. It becomes a file with its last byte. */
export const UnfinishedUpload = Type.Object({
  _id: Id,
  dataBucketId: Id,
  key: Type.String({ description: 'Key of the file to create' }),
  length: Type.Optional(Type.Integer({ description: 'Size in bytes; absent until the client declares it' })),
  offset: Type.Integer({
    description: 'Number of bytes received when its last request ended; HEAD returns the exact number',
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

/** A separate table, since only this scope of the server parses the media type of tus. */
export const tusEndpoints = endpoints({
  optionsProjectDataBucketTus: {
    method: 'OPTIONS',
    path: `${bucketPath}/tus`,
    tag,
    summary: 'Get the supported tus version and extensions and the maximum file size',
    access: 'public',
  },
  postProjectDataBucketTus: {
    method: 'POST',
    path: `${bucketPath}/tus`,
    tag,
    summary: 'Create a resumable upload (tus 1.0)',
    description:
      '`Upload-Length` is the size in bytes; `Upload-Defer-Length: 1` declares it with a later PATCH. `Upload-Metadata` names the file by `key`, else `relativePath`, else `filename`, and may set `overwrite` (`true` or `false`). The request may contain the first bytes as `application/offset+octet-stream`. `Location` is the URL of the upload, which only its creator can use.',
    access,
    status: 201,
    errors: ['conflict', 'precondition_failed', 'too_large', 'unsupported_media_type', 'storage_full'],
  },
  headProjectDataBucketTus: {
    method: 'HEAD',
    path: `${bucketPath}/tus/:uploadId`,
    tag,
    summary: 'Get the Upload-Offset at which a resumable upload continues',
    description:
      'Aborts any request that is still writing to this upload, for example after a broken connection.',
    access,
    status: 200,
  },
  patchProjectDataBucketTus: {
    method: 'PATCH',
    path: `${bucketPath}/tus/:uploadId`,
    tag,
    summary: 'Send the next bytes of a resumable upload',
    description:
      '`Upload-Offset` is the position of the first byte. After the last byte the file is stored durably. Any request that is still writing to this upload is aborted.',
    access,
    bodyKind: 'bytes',
    mediaType: tusMediaType,
    errors: ['conflict', 'precondition_failed', 'too_large', 'unsupported_media_type', 'storage_full'],
  },
  deleteProjectDataBucketTus: {
    method: 'DELETE',
    path: `${bucketPath}/tus/:uploadId`,
    tag,
    summary: 'Discard a resumable upload and its received bytes',
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

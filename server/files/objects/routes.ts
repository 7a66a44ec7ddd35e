import multipart from '@fastify/multipart';
import { objectInfoEndpoints } from '@platen/contract/object-info';
import { objectEndpoints, uploadEndpoints } from '@platen/contract/objects';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '../../base/context.ts';
import { Failure } from '../../base/failure.ts';
import { declaredBytes } from '../../http/incoming-bytes.ts';
import { HttpReply } from '../../http/reply.ts';
import { routes } from '../../http/routes.ts';
import { sendArchive, sendFile } from './download.ts';
import { filesToDownload } from './folder.ts';
import { getObjectInfo } from './info.ts';
import { createObject, requestedObject } from './create-object.ts';
import { listObjects, removeObject } from './operations.ts';
import { copyObject, moveObject } from './transfer.ts';
import { getFileAtRevision } from '../revisions/operations.ts';
import { filesOf } from './upload-form.ts';
import { uploadFiles } from './upload.ts';

export const objectRoutes = routes(objectEndpoints, {
  postProjectDataBucketObject: (context, { caller, params, query, body }) =>
    createObject(context, caller, { ...params, ...requestedObject(query, body) }),
  postProjectDataBucketObjectCopy: (context, { caller, params, body }) =>
    copyObject(context, caller, { ...params, body }),
  postProjectDataBucketObjectMove: (context, { caller, params, body }) =>
    moveObject(context, caller, { ...params, body }),
  deleteProjectDataBucketObject: (context, { caller, params, query }) =>
    removeObject(context, caller, { ...params, key: query.key, force: query.force === true }),
  getProjectDataBucketDownloadFile: async (context, { params, query, http }) =>
    sendFile(context, await getFileAtRevision(context, params.dataBucketId, query), http),
  getProjectDataBucketDownload: async (context, { params, query, http }) =>
    sendArchive(context, await filesToDownload(context, params.dataBucketId, query.key), http),
});

export const objectInfoRoutes = routes(objectInfoEndpoints, {
  getProjectDataBucketObjects: (context, { params, query }) => listObjects(context, params, query),
  getProjectDataBucketObject: (context, { params, query }) => getObjectInfo(context, params, query.key),
});

const bindUpload = routes(uploadEndpoints, {
  postProjectDataBucketUpload: async (context, { caller, params, query, http: { request } }) => {
    const reports = await uploadFiles(context, caller, {
      ...params,
      files: filesOf(request, context.settings.uploadIdleMs),
      overwrite: query.overwrite === true,
      declaredBytes: declaredBytes(request),
      signal: goneSignal(request),
      requestId: request.id,
      path: request.url.split('?')[0]!,
    });
    return reports && (new HttpReply({ files: reports }, {}, 207) as HttpReply<never>);
  },
});

/** Registered in its own scope, so that form data remains an unsupported media type everywhere else. */
export function uploadRoutes(app: FastifyInstance, context: Context): void {
  void app.register(async (scope) => {
    await scope.register(multipart);
    bindUpload(scope, context);
  });
}

/** Aborts when the client goes before its request is complete. */
function goneSignal({ raw }: FastifyRequest): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => {
    if (!raw.complete)
      gone.abort(new Failure('invalid', 'The client disconnected before the upload was complete.'));
  });
  return gone.signal;
}

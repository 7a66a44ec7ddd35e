import multipart from '@fastify/multipart';
import {
  maxPluginArchiveBytes,
  mapPluginEndpoints,
  mapPluginUploadEndpoints,
} from '@platen/contract/map-plugins';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '../../base/context.ts';
import { Failure } from '../../base/failure.ts';
import { bytesOf, withByteBodies } from '../../http/byte-bodies.ts';
import { abortOnDisconnect } from '../../http/abort-on-disconnect.ts';
import { declaredBytes } from '../../http/incoming-bytes.ts';
import { routes } from '../../http/routes.ts';
import type { Caller } from '../../base/caller.ts';
import { filesOf } from '../../files/objects/upload-form.ts';
import { getPlugin, listPlugins, removePlugin } from './operations.ts';
import { tooLarge, uploadPlugin } from './upload.ts';

export const mapPluginRoutes = routes(mapPluginEndpoints, {
  getMapPlugins: (context) => listPlugins(context),
  getMapPlugin: (context, { query }) => getPlugin(context, query.name),
  deleteMapPlugin: (context, { caller, query: { name, version, force } }) =>
    removePlugin(context, caller, { name, version, force: force === true }),
});

/** Maximum size of a form without its file. */
const formBytes = 1024 * 1024;

const bindUpload = routes(mapPluginUploadEndpoints, {
  postMapPluginUpload: (context, { caller, http: { request, reply } }) => {
    if ((declaredBytes(request) ?? 0) > maxPluginArchiveBytes + formBytes) throw tooLarge();
    const signal = abortOnDisconnect(reply);
    if (request.isMultipart()) return uploadFromForm(context, caller, request, signal);
    return uploadPlugin(context, caller, { body: bytesOf(request, context).body, signal });
  },
});

/** Registered in its own scope, so that form data and bytes remain unsupported media types everywhere else. */
export const mapPluginUploadRoutes = withByteBodies(
  (scope: FastifyInstance, context) => {
    void scope.register(multipart);
    void scope.after(() => bindUpload(scope, context));
  },
  ['application/octet-stream', 'application/gzip', 'application/x-gzip'],
);

async function uploadFromForm(
  context: Context,
  caller: Caller,
  request: FastifyRequest,
  signal: AbortSignal,
) {
  for await (const file of filesOf(request, context.settings.uploadIdleMs)) {
    try {
      return await uploadPlugin(context, caller, { body: file.body, signal });
    } catch (error) {
      await file.drain(); // a client that is still sending does not read the response yet
      throw error;
    }
  }
  throw new Failure('invalid', 'The form data contains no file.');
}

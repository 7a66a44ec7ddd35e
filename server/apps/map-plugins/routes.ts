import multipart from '@fastify/multipart';
import {
  maxPluginArchiveBytes,
  mapPluginEndpoints,
  mapPluginUploadEndpoints,
  type UploadedMapPlugin,
} from '@platen/contract/map-plugins';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../base/context.ts';
import { bytesOf, withByteBodies } from '../../http/byte-bodies.ts';
import { abortOnDisconnect } from '../../http/abort-on-disconnect.ts';
import { declaredBytes } from '../../http/incoming-bytes.ts';
import { routes } from '../../http/routes.ts';
import type { Caller } from '../../base/caller.ts';
import { filesOf } from '../../files/objects/upload-form.ts';
import { getPlugin, listPlugins, removePlugin } from './operations.ts';
import { noFile, uploadBundle } from './upload-bundle.ts';
import { tooLarge, uploadPlugin } from './upload.ts';

export const mapPluginRoutes = routes(mapPluginEndpoints, {
  getMapPlugins: (context, { query }) => listPlugins(context, query),
  getMapPlugin: (context, { query }) => getPlugin(context, query),
  deleteMapPlugin: (context, { caller, query: { name, version, force } }) =>
    removePlugin(context, caller, { name, version, force: force === true }),
});

/** Maximum size of a form without its file. */
const formBytes = 1024 * 1024;

const bindUpload = routes(mapPluginUploadEndpoints, {
  postMapPlugin: (context, { caller, http }) => upload(context, caller, http),
  postMapPluginUpload: async (context, { caller, http }) => {
    await upload(context, caller, http);
  },
  postMapPluginUploadBundle: async (context, { caller, http: { request, reply } }) => {
    const signal = abortOnDisconnect(reply);
    let count = 0;
    for await (const file of filesOf(request, context.settings.uploadIdleMs)) {
      count++;
      await drainedOnFailure(file, () => uploadBundle(context, caller, { body: file.body, signal }));
    }
    if (count === 0) throw noFile();
  },
});

interface Http {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

function upload(context: Context, caller: Caller, { request, reply }: Http): Promise<UploadedMapPlugin> {
  if ((declaredBytes(request) ?? 0) > maxPluginArchiveBytes + formBytes) throw tooLarge();
  const signal = abortOnDisconnect(reply);
  if (request.isMultipart()) return uploadFromForm(context, caller, request, signal);
  return uploadPlugin(context, caller, { body: bytesOf(request, context).body, signal });
}

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
  for await (const file of filesOf(request, context.settings.uploadIdleMs))
    return drainedOnFailure(file, () => uploadPlugin(context, caller, { body: file.body, signal }));
  throw noFile();
}

async function drainedOnFailure<T>(file: { drain(): Promise<void> }, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await file.drain(); // a client that is still sending does not read the response yet
    throw error;
  }
}

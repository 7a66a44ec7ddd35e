import { tusEndpoints, tusExtensions, tusMediaType, tusVersion } from '@platen/contract/uploads';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '../../base/context.ts';
import { abortOnDisconnect } from '../../http/abort-on-disconnect.ts';
import { incomingBytes } from '../../http/incoming-bytes.ts';
import { HttpReply } from '../../http/reply.ts';
import { routes } from '../../http/routes.ts';
import {
  laterLengthOf,
  lengthOf,
  metadataOf,
  offsetOf,
  refuseConcatenation,
  requireVersion,
} from './headers.ts';
import {
  appendToUpload,
  askUpload,
  beginUpload,
  listUploads,
  removeUpload,
  type UploadState,
} from './operations.ts';

const bindTus = routes(tusEndpoints, {
  optionsProjectDataBucketTus: async ({ settings: { maxFileBytes } }) =>
    new HttpReply(undefined, {
      'tus-extension': tusExtensions.join(','),
      ...(maxFileBytes !== undefined && { 'tus-max-size': String(maxFileBytes) }),
    }),
  postProjectDataBucketTus: async (context, { caller, params, http: { request, reply } }) => {
    const { headers } = request;
    requireVersion(request);
    refuseConcatenation(headers);
    const state = await beginUpload(context, caller, {
      ...params,
      length: lengthOf(headers),
      metadata: metadataOf(headers),
      piece: incomingBytes(request, context.settings.uploadIdleMs),
      signal: abortOnDisconnect(reply),
    });
    return new HttpReply(undefined, { location: `${addressOf(request)}/${state.id}`, ...progressOf(state) });
  },
  headProjectDataBucketTus: async (context, { caller, params, http: { request, reply } }) => {
    requireVersion(request);
    const state = await askUpload(context, caller, { ...params, signal: abortOnDisconnect(reply) });
    return new HttpReply(undefined, {
      'cache-control': 'no-store',
      ...progressOf(state),
      ...lengthHeaders(state),
      ...(state.metadata !== '' && { 'upload-metadata': state.metadata }),
    });
  },
  patchProjectDataBucketTus: async (context, { caller, params, http: { request, reply } }) => {
    requireVersion(request);
    const state = await appendToUpload(context, caller, {
      ...params,
      offset: offsetOf(request.headers),
      length: laterLengthOf(request.headers),
      piece: incomingBytes(request, context.settings.uploadIdleMs),
      signal: abortOnDisconnect(reply),
    });
    return new HttpReply(undefined, progressOf(state));
  },
  deleteProjectDataBucketTus: async (context, { caller, params, http: { request, reply } }) => {
    requireVersion(request);
    await removeUpload(context, caller, { ...params, signal: abortOnDisconnect(reply) });
  },
  getProjectDataBucketUploads: (context, { caller, params, query }) =>
    listUploads(context, caller, params, query),
});

/** Registered in its own scope, so that the media type of tus is accepted only here. */
export function tusRoutes(app: FastifyInstance, context: Context): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(tusMediaType, (_request, payload, done) => done(null, payload));
    scope.addHook('onRequest', (_request, reply, done) => {
      void reply.headers({ 'tus-resumable': tusVersion, 'tus-version': tusVersion });
      done();
    });
    bindTus(scope, context);
  });
}

function addressOf({ url }: FastifyRequest): string {
  return url.split('?')[0]!.replace(/\/$/, '');
}

function progressOf({ offset, expires }: UploadState): Record<string, string> {
  return { 'upload-offset': String(offset), 'upload-expires': expires.toUTCString() };
}

function lengthHeaders({ length }: UploadState): Record<string, string> {
  return length === undefined ? { 'upload-defer-length': '1' } : { 'upload-length': String(length) };
}

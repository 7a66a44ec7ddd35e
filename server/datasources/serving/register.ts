import { BytesError } from '@platen/formats/bytes/bytes';
import { ArchiveError } from '@platen/geo/pmtiles/header';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../base/context.ts';
import { locationOf } from '../address.ts';
import { Failure, notFound } from '../../base/failure.ts';
import { secretOf } from '../../http/credentials.ts';
import { publicOrigin } from '../../http/public-origin.ts';
import type { PinnedRevision } from '../../files/revisions/pinned-revision.ts';
import type { AccessDecision, ServedDatasource } from './access.ts';
import { openToAll } from '../../http/open-to-all.ts';
import { openServingCache, type ServingCache } from './serving-cache.ts';
import { isServed, isSettled, pinOf, pinTo } from './pinned.ts';
import { findReply } from './find-reply.ts';
import { sendReply } from './reply.ts';
import type { ReadScope } from './read-scope.ts';

const preflight = {
  ...openToAll,
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': 'Authorization, Range, If-Range, If-None-Match, Content-Type',
  'access-control-max-age': '86400',
} as const;

/** Serves the data of datasources below /data, outside the API: the hot path. */
export function registerServing(app: FastifyInstance, context: Context): void {
  const cache = openServingCache(context);
  app.addHook('onClose', async () => cache.close());
  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    try {
      await answer(context, cache, request, reply);
    } catch (error) {
      if (reply.raw.headersSent) {
        request.log.error({ err: error }, 'a response was interrupted');
        reply.raw.destroy(); // a partial response must not look complete
        return reply.hijack();
      }
      throw error instanceof ArchiveError || error instanceof BytesError
        ? new Failure('unprocessable', `The archive behind this datasource is damaged: ${error.message}.`)
        : error;
    }
    return reply.hijack();
  };
  for (const url of ['/data/:datasourceId', '/data/t/:token/:datasourceId'].flatMap((it) => [
    it,
    `${it}/*`,
  ])) {
    app.route({ method: ['GET', 'HEAD'], url, handler: serve });
    app.route({
      method: 'OPTIONS',
      url,
      handler: (_request, reply) => reply.code(204).headers(preflight).send(),
    });
  }
}

async function answer(
  context: Context,
  cache: ServingCache,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const params = request.params as { token?: string; datasourceId: string; '*'?: string };
  const { token, datasourceId } = params;
  const { datasource, ...rights } =
    token === undefined
      ? await decideFor(context, cache, request, datasourceId)
      : await decideByToken(cache, token, usableId(datasourceId));
  const path = (params['*'] ?? '').replace(/(?<!\/)\/+$/, '');
  const pin = pinOf(path);
  const { number, isPublic } = allowedRevision(rights, pin?.revision);
  const revision =
    number === undefined ? undefined : await revisionOf(context, cache, { datasource, number, rights });
  const pinned = revision && pinTo(cache, datasource, revision);
  const { sourceProperties: source } = pinned?.datasource ?? datasource;
  // caches must not keep what a share link shows beyond its end
  const isLasting =
    pin !== undefined && revision !== undefined && !rights.isVisit && isSettled(revision, context.now());
  const caching = isPublic ? 'public' : isLasting ? 'lasting' : 'private';
  const exchange = { request: request.raw, response: reply.raw, caching } as const;
  if (source.type === 'external') {
    const location = locationOf(source.url);
    reply.raw.writeHead(302, { ...openToAll, location, 'cache-control': 'no-store' }).end();
    return;
  }
  const root = token === undefined ? '/data' : `/data/t/${token}`;
  const base = () =>
    `${publicOrigin(context.settings, request)}${root}/${datasource._id}${pin ? `/~${pin.revision}` : ''}`;
  const query = () => request.raw.url?.split('?')[1] ?? '';
  const dataRequest = { cache, datasource, path: pin?.path ?? path, query, base, ...pinned };
  const found = await findReply(dataRequest);
  if (!found || !(await sendReply(dataRequest.cache, found, exchange))) throw notFound('file');
}

type AccessRights = Omit<AuthorisedDatasource, 'datasource'>;

/**
 * Returns the revision to read; undefined for the current data. Readers of pinned revisions only get the pinned one at the
 * address of the current data, too, while they are the same: an older decision never opens data that was added since.
 */
function allowedRevision({ scope, publicScope, current }: AccessRights, requested: number | undefined) {
  const number = requested ?? (scope.all ? undefined : current);
  const isWithin = ({ all, revisions }: ReadScope) =>
    all || (number !== undefined && revisions.includes(number));
  if (!isWithin(scope)) throw requested === undefined ? notFound('datasource') : notVisible();
  return { number, isPublic: isWithin(publicScope) };
}

const notVisible = () =>
  new Failure('not_found', 'This revision of the data is no longer available: reload the map.');

async function revisionOf(
  { now }: Context,
  cache: ServingCache,
  { datasource, number, rights }: { datasource: ServedDatasource; number: number; rights: AccessRights },
): Promise<PinnedRevision> {
  const pinned = await cache.revision(datasource._id, number);
  if (pinned && (rights.scope.revisions.includes(number) || isServed(pinned, now()))) return pinned;
  throw notVisible();
}

interface AuthorisedDatasource extends Pick<AccessDecision, 'scope' | 'publicScope' | 'current'> {
  readonly datasource: ServedDatasource;
  /** The reader came by a share link. */
  readonly isVisit?: boolean;
}

/** @throws Failure `not_found` for readers without access, `unauthenticated` for an expired token */
async function decideFor(
  { settings }: Context,
  cache: ServingCache,
  request: FastifyRequest,
  datasourceId: string,
): Promise<AuthorisedDatasource> {
  const { authorization, cookie } = request.headers;
  const isAnonymous = authorization === undefined && cookie === undefined;
  const secret = isAnonymous ? undefined : secretOf(request, settings.baseUrl);
  const id = usableId(datasourceId);
  const { datasource, isUnknownReader, ...rights } = await cache.decide(id, secret);
  if (datasource) return { datasource, ...rights };
  // a page cannot do anything about a stale cookie, but a client can about a stale token
  if (authorization !== undefined && (secret === undefined || isUnknownReader))
    throw new Failure('unauthenticated', 'The token is unknown or expired: sign in again.');
  throw notFound('datasource');
}

/** @throws Failure `not_found` for an unknown token and for an unknown datasource */
async function decideByToken(
  cache: ServingCache,
  token: string,
  datasourceId: string,
): Promise<AuthorisedDatasource> {
  const { datasource, isUnknownReader, ...rights } = await cache.decideByCapability(datasourceId, token);
  if (datasource) return { datasource, ...rights };
  throw isUnknownReader
    ? new Failure('not_found', 'This address has expired or was closed: reload the app.')
    : notFound('datasource');
}

/** Replaces what cannot be an id by an empty one, because PostgreSQL rejects NUL. */
function usableId(id: string): string {
  return /^[\w-]{1,64}$/.test(id) ? id : '';
}

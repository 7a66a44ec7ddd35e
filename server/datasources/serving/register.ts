import { BytesError } from '@platen/formats/bytes/bytes';
import { ArchiveError } from '@platen/geo/pmtiles/header';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../base/context.ts';
import { locationOf } from '../address.ts';
import { Failure, notFound } from '../../base/failure.ts';
import { secretOf } from '../../http/credentials.ts';
import { publicOrigin } from '../../http/public-origin.ts';
import type { PinnedRevision } from '../../files/revisions/as-of.ts';
import type { Decision, ServedDatasource } from './access.ts';
import { openToAll } from './file-headers.ts';
import { openLibrary, type Library } from './library.ts';
import { isServed, isSettled, pinOf, pinTo } from './pinned.ts';
import { sendData } from './send-data.ts';
import type { Reach } from './shown-data.ts';

const preflight = {
  ...openToAll,
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': 'Authorization, Range, If-Range, If-None-Match, Content-Type',
  'access-control-max-age': '86400',
} as const;

/** Serves the data of datasources below /data, outside the API: the hot path. */
export function registerServing(app: FastifyInstance, context: Context): void {
  const library = openLibrary(context);
  app.addHook('onClose', async () => library.close());
  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    try {
      await answer(context, library, request, reply);
    } catch (error) {
      if (reply.raw.headersSent) {
        request.log.error({ err: error }, 'an answer broke off');
        reply.raw.destroy(); // half of it must not look like the whole
        return reply.hijack();
      }
      void reply.headers(openToAll);
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
  library: Library,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const params = request.params as { token?: string; datasourceId: string; '*'?: string };
  const { token, datasourceId } = params;
  const { datasource, ...rights } =
    token === undefined
      ? await decideFor(context, library, request, datasourceId)
      : await decideByToken(library, token, usableId(datasourceId));
  const path = (params['*'] ?? '').replace(/\/+$/, '');
  const pin = pinOf(path);
  const { number, isPublic } = allowedRevision(rights, pin?.revision);
  const revision =
    number === undefined ? undefined : await revisionOf(context, library, { datasource, number, rights });
  const pinned = revision && pinTo(library, datasource, revision);
  const { sourceProperties: source } = pinned?.datasource ?? datasource;
  // what a share link has shown is not kept for when it has ended
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
  const wanted = { datasource, rest: pin?.rest ?? path, base, ...pinned };
  if (!(await sendData(pinned?.library ?? library, wanted, exchange))) throw notFound('file');
}

type Rights = Omit<Permitted, 'datasource'>;

/**
 * The revision to be read; undefined: whatever is served now. Who may read only what releases pin gets that one also by the
 * address of what is served now, as long as it is the same: what has just come is never sent by a decision from before.
 */
function allowedRevision({ reach, publicReach, current }: Rights, asked: number | undefined) {
  const number = asked ?? (reach.all ? undefined : current);
  const isWithin = ({ all, revisions }: Reach) => all || (number !== undefined && revisions.includes(number));
  if (!isWithin(reach)) throw asked === undefined ? notFound('datasource') : notShown();
  return { number, isPublic: isWithin(publicReach) };
}

const notShown = () =>
  new Failure('not_found', 'This revision of the data is no longer shown: load the map again.');

async function revisionOf(
  { now }: Context,
  library: Library,
  { datasource, number, rights }: { datasource: ServedDatasource; number: number; rights: Rights },
): Promise<PinnedRevision> {
  const pinned = await library.revision(datasource._id, number);
  if (pinned && (rights.reach.revisions.includes(number) || isServed(pinned, now()))) return pinned;
  throw notShown();
}

interface Permitted extends Pick<Decision, 'reach' | 'publicReach' | 'current'> {
  readonly datasource: ServedDatasource;
  /** It is read by way of a share link. */
  readonly isVisit?: boolean;
}

/** @throws Failure `not_found` for whoever may not read it, `unauthenticated` where a token is no longer one */
async function decideFor(
  { settings }: Context,
  library: Library,
  request: FastifyRequest,
  datasourceId: string,
): Promise<Permitted> {
  const { authorization, cookie } = request.headers;
  const isAnonymous = authorization === undefined && cookie === undefined;
  const secret = isAnonymous ? undefined : secretOf(request, settings.baseUrl);
  const id = usableId(datasourceId);
  const { datasource, isUnknownReader, ...rights } = await library.decide(id, secret);
  if (datasource) return { datasource, ...rights };
  // a stale cookie is nothing a page can do anything about, a stale token is
  if (authorization !== undefined && (secret === undefined || isUnknownReader))
    throw new Failure('unauthenticated', 'The token is unknown or expired: sign in again.');
  throw notFound('datasource');
}

/** @throws Failure `not_found`, whether the token or the datasource is none */
async function decideByToken(library: Library, token: string, datasourceId: string): Promise<Permitted> {
  const { datasource, isUnknownReader, ...rights } = await library.decideByCapability(datasourceId, token);
  if (datasource) return { datasource, ...rights };
  throw isUnknownReader
    ? new Failure(
        'not_found',
        'This address has been closed, or has not been used for too long: load the app again.',
      )
    : notFound('datasource');
}

/** What cannot be an id is looked up as none, as PostgreSQL takes no NUL. */
function usableId(id: string): string {
  return /^[\w-]{1,64}$/.test(id) ? id : '';
}

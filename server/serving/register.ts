import { ArchiveError } from '@platen/geo/pmtiles/header';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { locationOf } from '../datasources/address.ts';
import { Failure, notFound } from '../failure.ts';
import { secretOf } from '../http/credentials.ts';
import { usableKey } from '../objects/key.ts';
import type { ServedDatasource } from './access.ts';
import { openToAll } from './file-headers.ts';
import { openLibrary, type Library } from './library.ts';
import { sendFile, sendNoTile, type Exchange } from './reply.ts';
import { sendStyle } from './style.ts';
import { sendTileJsonOfFolder } from './tile-folder.ts';
import { isTileAddress, sendArchiveTile, sendTileJson } from './tiles.ts';

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
      throw error instanceof ArchiveError
        ? new Failure('unprocessable', `The archive behind this datasource is damaged: ${error.message}.`)
        : error;
    }
    return reply.hijack();
  };
  for (const url of ['/data/:datasourceId', '/data/:datasourceId/*']) {
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
  const params = request.params as { datasourceId: string; '*'?: string };
  const { datasource, isPublic } = await decideFor(context, library, request, params.datasourceId);
  const { sourceProperties: source } = datasource;
  const exchange = { request: request.raw, response: reply.raw, isPublic };
  if (source.type === 'external') {
    const location = locationOf(source.url);
    reply.raw.writeHead(302, { ...openToAll, location, 'cache-control': 'no-store' }).end();
    return;
  }
  const rest = (params['*'] ?? '').replace(/\/+$/, '');
  const base = () => `${originOf(context, request)}/data/${datasource._id}`;
  const isSent =
    datasource.servedFolder === null
      ? await sendOfFile(library, { datasource, rest, base }, exchange)
      : await sendOfFolder(library, { datasource, rest, base }, exchange);
  if (!isSent) throw notFound('file');
}

/** @throws Failure `not_found` for whoever may not read it, `unauthenticated` where a token is no longer one */
async function decideFor(
  { settings }: Context,
  library: Library,
  request: FastifyRequest,
  datasourceId: string,
): Promise<{ datasource: ServedDatasource; isPublic: boolean }> {
  const { authorization, cookie } = request.headers;
  const isAnonymous = authorization === undefined && cookie === undefined;
  const secret = isAnonymous ? undefined : secretOf(request, settings.baseUrl);
  const id = usableId(datasourceId);
  const { datasource, isPublic, isUnknownReader } = await library.decide(id, secret);
  if (datasource) return { datasource, isPublic };
  // a stale cookie is nothing a page can do anything about, a stale token is
  if (authorization !== undefined && (secret === undefined || isUnknownReader))
    throw new Failure('unauthenticated', 'The token is unknown or expired: sign in again.');
  throw notFound('datasource');
}

/** What cannot be an id is looked up as none, as PostgreSQL takes no NUL. */
function usableId(id: string): string {
  return /^[\w-]{1,64}$/.test(id) ? id : '';
}

interface Wanted {
  readonly datasource: ServedDatasource;
  readonly rest: string;
  /** The absolute address of the datasource. */
  readonly base: () => string;
}

/**
 * A single file goes by its name, or by nothing; a PMTiles archive also by its tiles. Its thumbnail lies beside it, under
 * its whole name, so that no other file of the bucket is opened up.
 */
async function sendOfFile(
  library: Library,
  { datasource, rest, base }: Wanted,
  exchange: Exchange,
): Promise<boolean> {
  const { bucketId, bucketKey, type } = datasource;
  const file = await library.file(bucketId!, bucketKey!);
  if (!file) return false;
  const name = bucketKey!.slice(bucketKey!.lastIndexOf('/') + 1);
  if (rest === '' || rest === name || rest.normalize('NFC') === name)
    return sendFile(library, file, exchange);
  if (rest === 'thumbnail.png') {
    const thumbnail = await library.file(bucketId!, `${bucketKey!}.thumbnail.png`);
    return thumbnail !== undefined && sendFile(library, thumbnail, exchange);
  }
  if (!/\.pmtiles$/i.test(name)) return false;
  if (rest === 'tiles.json') return sendTileJson(library, { file, base: base() }, exchange);
  if (rest === 'style.json')
    return sendStyle({ style: await library.style(datasource._id), base: base() }, exchange);
  return sendArchiveTile(library, { file, type, rest }, exchange);
}

/** What lies in a folder; of vector tiles also what describes them, unless it lies there. */
async function sendOfFolder(
  library: Library,
  { datasource, rest, base }: Wanted,
  exchange: Exchange,
): Promise<boolean> {
  const { _id, type, bucketId, servedFolder } = datasource;
  const key = usableKey(servedFolder! + rest);
  const file = key === undefined ? undefined : await library.file(bucketId!, key);
  if (file) return sendFile(library, file, exchange);
  if (type !== 'vectortiles') return false;
  if (isTileAddress(rest)) return sendNoTile(exchange);
  if (rest === 'style.json') return sendStyle({ style: await library.style(_id), base: base() }, exchange);
  if (rest !== 'tiles.json') return false;
  const metadata = await library.file(bucketId!, `${servedFolder!}metadata.json`);
  return metadata !== undefined && sendTileJsonOfFolder(library, { metadata, base: base() }, exchange);
}

function originOf({ settings }: Context, request: FastifyRequest): string {
  return settings.publicUrl ?? settings.baseUrl ?? `${request.protocol}://${request.host}`;
}

import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { worldMaps } from '@platen/contract/base-maps';
import { isWorldMap, worldFolders } from '@platen/viewer/world-module';
import { refuse } from './send-message.ts';
import { isFresh } from './send-text.ts';
import {
  openWorldTiles,
  type FindWorldTile,
  type WorldArchive,
  type Worlds,
  type WorldTile,
} from './world-tiles.ts';
import { vectorType } from '../../datasources/serving/sources/tile-address.ts';

const unpack = promisify(gunzip);

/** The world base layer: pictures and details for the map viewer, lines for maps that choose their own colours. */
export function registerWorldTiles(app: FastifyInstance, worlds: Worlds): void {
  for (const map of worldMaps.filter(isWorldMap)) {
    app.get(`/basemap/${worldFolders[map]}/:z/:x/:file`, async (request, reply) => {
      const tile = await tileOf(request, worlds[map], 'png');
      if (!tile) return refuse(request, reply, 'tile');
      describe(reply, tile, 'image/png');
      return isFresh(request, tile.etag) ? reply.code(304).send() : reply.send(tile.bytes);
    });
  }
  for (const form of ['world-lines', 'world-detail'] as const)
    registerVectorTiles(app, form, openWorldTiles(form));
  registerNames(app);
}

/** Names in languages that the world map does not have are English. */
function registerNames(app: FastifyInstance): void {
  const find = { en: openWorldTiles('world-names-en'), de: openWorldTiles('world-names-de') };
  app.get('/basemap/world-names-:locale/:z/:x/:file', (request, reply) => {
    const { locale } = request.params as { locale: string };
    return sendVectorTile(request, reply, find[locale === 'de' ? 'de' : 'en']);
  });
}

function registerVectorTiles(app: FastifyInstance, form: WorldArchive, find: FindWorldTile): void {
  app.get(`/basemap/${form}/:z/:x/:file`, (request, reply) => sendVectorTile(request, reply, find));
}

async function sendVectorTile(request: FastifyRequest, reply: FastifyReply, find: FindWorldTile) {
  const tile = await tileOf(request, find, 'mvt');
  if (!tile) return refuse(request, reply, 'tile');
  describe(reply, tile, vectorType);
  void reply.header('vary', 'accept-encoding');
  if (isFresh(request, tile.etag)) return reply.code(304).send();
  if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(await unpack(tile.bytes));
  return reply.header('content-encoding', 'gzip').send(tile.bytes);
}

async function tileOf(
  request: FastifyRequest,
  findTile: FindWorldTile,
  ending: string,
): Promise<WorldTile | undefined> {
  const { z, x, file } = request.params as { z: string; x: string; file: string };
  const [, y, found] = /^(\d{1,2})\.([a-z]+)$/.exec(file) ?? [];
  const isAddress = found === ending && /^\d{1,2}$/.test(z) && /^\d{1,2}$/.test(x);
  return isAddress ? findTile(Number(z), Number(x), Number(y)) : undefined;
}

function describe(reply: FastifyReply, { etag }: WorldTile, type: string): void {
  void reply
    .header('cache-control', 'public, max-age=86400')
    .header('access-control-allow-origin', '*')
    .header('etag', etag)
    .header('content-type', type);
}

import { archiveKind, addressOf } from '../address.ts';
import type { Library } from './library.ts';
import { layerDefinition, layerOfFile, layerOfTiles, layerOfWmts } from './qgis.ts';
import { rasterTilesOf, type RasterTiles } from './raster-tiles.ts';
import { sendJson, sendNoTile } from './reply.ts';
import type { Exchange } from './send-bytes.ts';
import type { Wanted } from './data-request.ts';
import { capabilitiesOf, wmtsRequestOf } from './wmts.ts';
import { sendXml } from './xml.ts';

type SendStored = (wanted: Wanted) => Promise<boolean>;

const tile = /^xyz\/(\d{1,2})\/(\d{1,10})\/(\d{1,10})\.\w+$/;

/**
 * Answers with what other programs start with, and which lies nowhere: a WMTS of raster tiles, all of them by rows from
 * the north, what describes tiles that say nothing of themselves, and layer definitions for QGIS.
 */
export async function sendForOthers(
  library: Library,
  wanted: Wanted,
  exchange: Exchange,
  sendStored: SendStored,
): Promise<boolean> {
  const { rest } = wanted;
  if (rest.endsWith('.qlr')) return sendLayerDefinition(library, wanted, exchange);
  if (rest === 'tiles.json') return sendTileJson(library, wanted, exchange);
  const [, z, x, y] = tile.exec(rest) ?? [];
  if (z === undefined && rest !== 'WMTSCapabilities.xml' && rest !== 'wmts') return false;
  const tiles = await rasterTilesOf(library, wanted.datasource);
  if (!tiles) return false;
  const one = { tiles, sendStored };
  if (z !== undefined) return sendOne(wanted, exchange, { ...one, z: Number(z), x: Number(x), y: Number(y) });
  const request = rest === 'wmts' ? wmtsRequestOf(exchange.request.url?.split('?')[1] ?? '') : 'capabilities';
  if (request !== 'capabilities') return sendOne(wanted, exchange, { ...one, ...request });
  const base = keptBase(wanted);
  const fileName = 'WMTSCapabilities.xml';
  return (
    base !== undefined &&
    sendXml({ text: capabilitiesOf(tiles, base), contentType: 'application/xml', fileName }, exchange)
  );
}

interface OneTile {
  readonly tiles: RasterTiles;
  readonly z: number;
  readonly x: number;
  readonly y: number;
  readonly sendStored: SendStored;
}

/** A tile that is not there is none, as in an archive. */
async function sendOne(
  wanted: Wanted,
  exchange: Exchange,
  { tiles, z, x, y, sendStored }: OneTile,
): Promise<boolean> {
  const isOnEarth = z <= 30 && x < 2 ** z && y < 2 ** z;
  if (isOnEarth && (await sendStored({ ...wanted, rest: tiles.pathOf(z, x, y) }))) return true;
  return sendNoTile({ ...exchange, caching: exchange.caching === 'lasting' ? 'private' : exchange.caching });
}

/** Of tiles in a folder that has no metadata, and of images with rows from the south. */
async function sendTileJson(library: Library, wanted: Wanted, exchange: Exchange): Promise<boolean> {
  const { datasource, base } = wanted;
  const tiles = await rasterTilesOf(library, datasource);
  if (tiles) {
    const { name, description, extension, minZoom: minzoom, maxZoom: maxzoom, bounds } = tiles;
    const addresses = [`${base()}/xyz/{z}/{x}/{y}.${extension}`];
    const zooms = { minzoom, maxzoom, bounds };
    return sendJson(
      { tilejson: '3.0.0', name, description, tiles: addresses, scheme: 'xyz', ...zooms },
      exchange,
    );
  }
  if (datasource.type !== 'vectortiles') return false;
  const described = await library.described(datasource._id);
  if (!described) return false;
  const { name, description, bbox, typeProperties } = described;
  const template = templateOf(wanted, base());
  if (template === undefined) return false;
  const zooms = { minzoom: typeProperties['minZoom'], maxzoom: typeProperties['maxZoom'] };
  const body = { tilejson: '3.0.0', name, description, tiles: [template], scheme: 'xyz', ...zooms };
  return sendJson({ ...body, ...(bbox && { bounds: bbox }), vector_layers: [] }, exchange);
}

async function sendLayerDefinition(library: Library, wanted: Wanted, exchange: Exchange): Promise<boolean> {
  const { datasource, rest } = wanted;
  const base = keptBase(wanted);
  const described = await library.described(datasource._id);
  if (base === undefined || !described) return false;
  const layer = await qgisLayerOf(library, wanted, base);
  if (!layer) return false;
  const text = layerDefinition(layer, { id: datasource._id, name: described.name });
  return sendXml({ text, contentType: 'application/x-qgis-layer-definition', fileName: rest }, exchange);
}

async function qgisLayerOf(library: Library, wanted: Wanted, base: string) {
  const { datasource, rest } = wanted;
  const { type } = datasource;
  if (rest !== 'qgis.qlr' && rest !== 'qgis-wmts.qlr') return undefined;
  const tiles = await rasterTilesOf(library, datasource);
  if (rest === 'qgis-wmts.qlr') return tiles && layerOfWmts(base, tiles.contentType);
  if (tiles) return layerOfTiles('raster', `${base}/xyz/{z}/{x}/{y}.${tiles.extension}`, tiles);
  if (type !== 'vectortiles') {
    const path = addressOf(datasource).slice(`/data/${datasource._id}`.length);
    return layerOfFile(type, base + path);
  }
  const template = templateOf(wanted, base);
  return template && layerOfTiles('vector-tile', template, await vectorZooms(library, wanted));
}

/** undefined: the datasource is a style, whose tiles lie wherever that says. */
function templateOf({ datasource }: Wanted, base: string): string | undefined {
  const path = addressOf(datasource).slice(`/data/${datasource._id}`.length);
  return path.includes('{z}') ? base + path : undefined;
}

async function vectorZooms(library: Library, { datasource }: Wanted) {
  const { _id, bucketId, bucketKey, servedFolder } = datasource;
  const kind = servedFolder === null ? archiveKind(bucketKey!) : undefined;
  const file = kind && kind !== 'zip' ? await library.file(bucketId!, bucketKey!) : undefined;
  const { typeProperties = {} } = (await library.described(_id)) ?? {};
  const found =
    file && kind === 'pmtiles'
      ? (await library.archive(file.blobId)).header
      : file && (await library.archives.mbtiles(file));
  const zoom = (value: unknown, otherwise: number | undefined) =>
    Number.isInteger(value) ? (value as number) : otherwise;
  return {
    minZoom: zoom(typeProperties['minZoom'], found?.minZoom),
    maxZoom: zoom(typeProperties['maxZoom'], found?.maxZoom),
  };
}

/** What is kept in a file must not hold a path that opens data to one user: there are no such documents below one. */
function keptBase({ base }: Wanted): string | undefined {
  const address = base();
  return new URL(address).pathname.startsWith('/data/t/') ? undefined : address;
}

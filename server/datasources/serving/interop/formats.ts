import type { Reply } from '../reply.ts';
import type { DataRequest, Source } from '../sources/source.ts';
import { findLayerDefinition } from './layer-definition.ts';
import { findNames } from './names.ts';
import { rasterTilesOf, type RasterTiles } from './raster-tiles.ts';
import { savedBase } from './saved-base.ts';
import { findTileJson } from './tile-json.ts';
import { tileMapResourceOf } from './tile-map-resource.ts';
import { capabilitiesOf, wmtsRequestOf } from './wmts.ts';

interface InteropFormat {
  readonly path: RegExp;
  find(request: DataRequest, source: Source): Promise<Reply | undefined>;
}

const xyz = /^xyz\/(\d{1,2})\/(\d{1,10})\/(\d{1,10})\.\w+$/;

/** Documents and tiles for other programs that are made on request, by their path below the datasource. */
const formats: readonly InteropFormat[] = [
  { path: xyz, find: findXyzTile },
  { path: /^wmts$/, find: answerWmts },
  { path: /^WMTSCapabilities\.xml$/, find: findCapabilities },
  { path: /^tilemapresource\.xml$/, find: findTileMapResource },
  { path: /^tiles\.json$/, find: findTileJson },
  { path: /\.qlr$/, find: findLayerDefinition },
  { path: /^names\.json$/, find: findNames },
];

/** Finds the reply of the format that a path belongs to; `source` finds the stored tiles. */
export async function findInteropReply(request: DataRequest, source: Source): Promise<Reply | undefined> {
  return formats.find(({ path }) => path.test(request.path))?.find(request, source);
}

/** A tile of raster tiles in any tiling scheme, with rows counted from the north. */
async function findXyzTile(request: DataRequest, source: Source): Promise<Reply | undefined> {
  const [, z, x, y] = xyz.exec(request.path)!;
  const tiles = await rasterTilesOf(request);
  return tiles && findTile(request, source, { tiles, z: Number(z), x: Number(x), y: Number(y) });
}

async function answerWmts(request: DataRequest, source: Source): Promise<Reply | undefined> {
  const tiles = await rasterTilesOf(request);
  if (!tiles) return undefined;
  const query = wmtsRequestOf(request.query());
  return query === 'capabilities'
    ? capabilitiesReply(request, tiles)
    : findTile(request, source, { tiles, ...query });
}

async function findCapabilities(request: DataRequest): Promise<Reply | undefined> {
  const tiles = await rasterTilesOf(request);
  return tiles && capabilitiesReply(request, tiles);
}

/** Only of a TMS: its rows count from the south. */
async function findTileMapResource(request: DataRequest): Promise<Reply | undefined> {
  if (request.datasource.type !== 'tms') return undefined;
  const tiles = await rasterTilesOf(request);
  return tiles && xmlReply(tileMapResourceOf(tiles), 'tilemapresource.xml');
}

function capabilitiesReply(request: DataRequest, tiles: RasterTiles): Reply | undefined {
  const base = savedBase(request);
  if (base === undefined) return undefined;
  return xmlReply(capabilitiesOf(tiles, base), 'WMTSCapabilities.xml');
}

const xmlReply = (text: string, fileName: string): Reply => ({
  kind: 'xml',
  text,
  contentType: 'application/xml',
  fileName,
});

interface RasterTileAddress {
  readonly tiles: RasterTiles;
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

/** Every address is a valid tile, as in an archive: one that is not stored is an empty reply. */
async function findTile(
  request: DataRequest,
  source: Source,
  { tiles, z, x, y }: RasterTileAddress,
): Promise<Reply> {
  const isOnEarth = z <= 30 && x < 2 ** z && y < 2 ** z;
  const stored = isOnEarth ? await source.find({ ...request, path: tiles.pathOf(z, x, y) }) : undefined;
  return stored ?? { kind: 'noTile', mayAppear: true };
}

import { compression } from '@platen/geo/pmtiles/header';
import { tileOfId } from '@platen/geo/pmtiles/tile-id';
import type { TilePlace } from '@platen/formats/mbtiles/open-mbtiles';
import { relativeAddresses, terrainPath, terrainPlace } from '@platen/geo/tile/terrain-path';
import { isTerrain } from '../../datasources/address.ts';
import { startsLikeGzip } from '../../datasources/serving/archives.ts';
import type { ServedFile } from '../../datasources/serving/file-headers.ts';
import { contentTypes } from '../../datasources/serving/sources/pmtiles.ts';
import { terrainType } from '../../datasources/serving/sources/terrain.ts';
import { imageTypes, tileAddress, vectorType } from '../../datasources/serving/sources/tile-address.ts';
import { mbtilesExtension } from '../../datasources/parsing/mbtiles-extension.ts';
import { withMembers } from '../../datasources/parsing/parse-file.ts';
import { findFile, type SourceContext } from './folder-part.ts';
import { madeEntry, numberOf, type Entry, type Part } from './part.ts';
import { gone, plainTile } from './plain-bytes.ts';
import type { BundleSource } from './sources.ts';
import { withoutSecrets } from './without-secrets.ts';

/** File extension of the tiles, as layers request it, whatever their content. */
export function tileEnding({ type }: BundleSource): string {
  if (isTerrain(type)) return 'terrain';
  return type === 'vectortiles' ? 'pbf' : 'png';
}

/** The path of a tile; rows of a TMS count from the south. */
function tilePath(source: BundleSource, [z, x, y]: TilePlace): string {
  if (isTerrain(source.type)) return terrainPath(z, x, y);
  return `${z}/${x}/${source.type === 'tms' ? 2 ** z - 1 - y : y}.${tileEnding(source)}`;
}

function placeAt(path: string, { type }: BundleSource): TilePlace | undefined {
  if (isTerrain(type)) return terrainPlace(path);
  const wanted = tileAddress(path, type);
  return wanted && [wanted.z, wanted.x, wanted.y];
}

interface Tiles {
  readonly file: ServedFile;
  /** From a position on, each with the position after it. */
  places(from: string): AsyncIterable<{ place: TilePlace; next: string }>;
  /** The tile as stored; undefined if there is none. */
  read(place: TilePlace): Promise<{ bytes: Uint8Array; isPacked: boolean } | undefined>;
  has(place: TilePlace): Promise<boolean>;
  readonly contentType: string;
  /** The TileJSON without addresses. */
  tileJson(): Promise<Uint8Array>;
}

/** The tiles of a PMTiles archive or an MBTiles file, each as a file of its own. */
export function tilesPart(
  sourceContext: SourceContext,
  source: BundleSource,
  kind: 'pmtiles' | 'mbtiles',
): Part {
  const open = () =>
    kind === 'pmtiles' ? openPmtiles(sourceContext, source) : openMbtiles(sourceContext, source);
  const entryOf = (tiles: Tiles, place: TilePlace): Entry => ({
    path: tilePath(source, place),
    version: tiles.file.etag.slice(1, 33),
    contentType: tiles.contentType,
    open: async () => {
      const tile = await tiles.read(place);
      if (!tile) throw gone();
      return plainTile(tile.bytes, tile.isPacked);
    },
  });
  return {
    async *list(from) {
      const tiles = await open();
      for await (const { place, next } of tiles.places(from)) yield { file: entryOf(tiles, place), next };
    },
    async find(path) {
      const place = path.endsWith(`.${tileEnding(source)}`) ? placeAt(path, source) : undefined;
      if (!place) return undefined;
      const tiles = await open();
      return tilePath(source, place) === path && (await tiles.has(place)) ? entryOf(tiles, place) : undefined;
    },
  };
}

/** The TileJSON and similar descriptions, with addresses relative to them. */
export async function describeTiles(
  sourceContext: SourceContext,
  source: BundleSource,
  kind: 'pmtiles' | 'mbtiles',
): Promise<Entry> {
  const tiles = await (kind === 'pmtiles'
    ? openPmtiles(sourceContext, source)
    : openMbtiles(sourceContext, source));
  const template = `{z}/{x}/{y}.${tileEnding(source)}`;
  const scheme = source.type === 'tms' ? 'tms' : 'xyz';
  return tileJsonEntry(await tiles.tileJson(), { tiles: [template], scheme });
}

/** The layer.json of terrain: static servers know no versions. */
export async function describeTerrain(sourceContext: SourceContext, source: BundleSource): Promise<Entry> {
  const layer = await sourceContext.library.layerJson(await fileOf(sourceContext, source));
  return textEntry('layer.json', withMembers(layer, relativeAddresses).toString());
}

export const tileJsonEntry = (tileJson: Uint8Array, addresses: { tiles: string[]; scheme: string }) =>
  textEntry('tiles.json', withMembers(tileJson, addresses).toString());

/** JSON from users or files, without capabilities that its addresses may contain. */
export const jsonEntry = (path: string, body: unknown) => textEntry(path, JSON.stringify(body));

const textEntry = (path: string, text: string) => madeEntry(path, withoutSecrets(text), 'application/json');

async function fileOf(sourceContext: SourceContext, source: BundleSource): Promise<ServedFile> {
  const file = await findFile(sourceContext, source, source.bucketKey!);
  if (!file) throw gone();
  return file;
}

async function openPmtiles(sourceContext: SourceContext, source: BundleSource): Promise<Tiles> {
  const { library } = sourceContext;
  const file = await fileOf(sourceContext, source);
  const archive = await library.archive(file.blobId);
  const { header } = archive;
  return {
    file,
    contentType: isTerrain(source.type)
      ? terrainType
      : (contentTypes[header.tileType] ?? 'application/octet-stream'),
    tileJson: () => library.tileJson(file, 'pmtiles'),
    async *places(from) {
      for await (const { tileId, runLength } of archive.runs(numberOf(from))) {
        for (let id = tileId; id < tileId + runLength; id++)
          yield { place: tileOfId(id), next: String(id + 1) };
      }
    },
    has: async (place) => (await archive.findTile(...place)) !== undefined,
    async read(place) {
      const range = await archive.findTile(...place);
      if (!range) return undefined;
      const { offset, length } = range;
      const bytes = await library.objects.use(file.blobId, (object) => object.read(offset, length));
      return bytes && { bytes, isPacked: header.tileCompression === compression.gzip };
    },
  };
}

async function openMbtiles(sourceContext: SourceContext, source: BundleSource): Promise<Tiles> {
  const file = await fileOf(sourceContext, source);
  const archive = await sourceContext.library.archives.mbtiles(file);
  const extension = mbtilesExtension(archive.format);
  const read = async (place: TilePlace) => {
    const bytes = await archive.tile(...place);
    return bytes && { bytes, isPacked: startsLikeGzip(bytes) };
  };
  return {
    file,
    contentType: extension === 'pbf' ? vectorType : imageTypes[extension]!,
    tileJson: () => sourceContext.library.tileJson(file, 'mbtiles'),
    async *places(from) {
      // a position names the previous tile, which is the first one found
      const [, ...before] = /^(\d{1,2})\/(\d{1,10})\/(\d{1,10})$/.exec(from) ?? [];
      const after = before.length === 3 ? (before.map(Number) as unknown as TilePlace) : undefined;
      for await (const place of archive.places(after)) {
        const next = place.join('/');
        if (next !== from) yield { place, next };
      }
    },
    has: async (place) => (await read(place)) !== undefined,
    read,
  };
}

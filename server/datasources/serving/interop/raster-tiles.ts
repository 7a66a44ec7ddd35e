import type { InternalSource } from '@platen/contract/datasources';
import type { FreeForm } from '@platen/contract/schema';
import { tileType } from '@platen/geo/pmtiles/header';
import { archiveKind } from '../../address.ts';
import type { DatasourceDescription } from '../description.ts';
import { mbtilesExtension } from '../../parsing/mbtiles-extension.ts';
import { contentTypes } from '../sources/pmtiles.ts';
import type { DataRequest } from '../sources/source.ts';
import { imageTypes } from '../sources/tile-address.ts';

/** Images in the tiling scheme of web mercator, independent of how they are stored and named. */
export interface RasterTiles {
  readonly name: string;
  readonly description: string;
  /** The file extension of the tiles. */
  readonly extension: string;
  readonly contentType: string;
  readonly minZoom: number;
  readonly maxZoom: number;
  /** West, south, east and north, in degrees, within web mercator. */
  readonly bounds: readonly [number, number, number, number];
  /** Length of an edge. */
  readonly tilePixels: number;
  /** Returns the path of a tile behind the address of the datasource; `y` counts from the north. */
  pathOf(z: number, x: number, y: number): string;
}

/** Half the edge length of the web mercator square. */
export const mercatorMetres = 20_037_508.342_789_244;
/** Latitude, in degrees, at which web mercator ends. */
const mercatorEnd = 85.051_128_78;
const zoomLimit = 30;
const defaultZooms = { minZoom: 0, maxZoom: 18 };

/** Finds the raster tiles of a datasource; undefined if it has none in web mercator. @throws ArchiveError, BytesError */
export async function rasterTilesOf(request: DataRequest): Promise<RasterTiles | undefined> {
  const { _id, type, sourceProperties: source } = request.datasource;
  if ((type !== 'tms' && type !== 'wmts') || source.type === 'external') return undefined;
  const described = await request.cache.description(_id);
  if (!described || described.typeProperties['tilingSchema'] === 'geographic') return undefined;
  const images = await findImages(request, source, described.typeProperties);
  return images && describeTiles(described, images);
}

/** Facts about the images from their storage. */
interface Images extends Pick<RasterTiles, 'extension' | 'contentType' | 'pathOf'> {
  readonly minZoom?: number | undefined;
  readonly maxZoom?: number | undefined;
  readonly bounds?: readonly number[] | undefined;
}

async function findImages(
  { cache, datasource }: DataRequest,
  source: InternalSource,
  options: FreeForm,
): Promise<Images | undefined> {
  const { type, bucketId, bucketKey, servedFolder } = datasource;
  const kind = servedFolder === null ? archiveKind(bucketKey!) : 'zip';
  if (kind === 'zip')
    return type === 'tms' ? imagesOfTms(source, options) : imagesByTemplate(source, options);
  const file = kind && (await cache.file(bucketId!, bucketKey!));
  if (!file) return undefined;
  const pathOf = (extension: string) => (z: number, x: number, y: number) =>
    `${z}/${x}/${type === 'tms' ? 2 ** z - 1 - y : y}.${extension}`;
  if (kind === 'mbtiles') {
    const { format, minZoom, maxZoom, bounds } = await cache.archives.mbtiles(file);
    const extension = mbtilesExtension(format);
    const contentType = imageTypes[extension];
    if (contentType === undefined) return undefined;
    return { extension, contentType, minZoom, maxZoom, bounds, pathOf: pathOf(extension) };
  }
  const { header } = await cache.archive(file.blobId);
  const contentType = contentTypes[header.tileType];
  if (header.tileType === tileType.mvt || contentType === undefined) return undefined;
  const extension = contentType.slice('image/'.length).replace('jpeg', 'jpg');
  const { minZoom, maxZoom, bounds } = header;
  return { extension, contentType, minZoom, maxZoom, bounds, pathOf: pathOf(extension) };
}

/** Tiles of a TMS folder, whose rows count from the south. */
function imagesOfTms({ urlSuffix = '' }: InternalSource, { format }: FreeForm): Images | undefined {
  const extension = typeof format === 'string' ? format.replace(/^image\//, '') : 'png';
  const contentType = imageTypes[extension.replace('jpeg', 'jpg')];
  const inner = urlSuffix.replaceAll(/^\/|\/$/g, '');
  const folder = inner === '' ? '' : `${inner}/`;
  if (contentType === undefined) return undefined;
  const pathOf = (z: number, x: number, y: number) => `${folder}${z}/${x}/${2 ** z - 1 - y}.${extension}`;
  return { extension, contentType, pathOf };
}

/** Tiles named by the same template that the map viewer's layer fills in. */
function imagesByTemplate({ urlSuffix }: InternalSource, options: FreeForm): Images | undefined {
  const template = (urlSuffix ?? '{TileMatrix}/{TileCol}/{TileRow}.png').replace(/^\//, '');
  const extension = /\.(\w+)$/.exec(template)?.[1] ?? '';
  const contentType = imageTypes[extension.replace('jpeg', 'jpg')];
  if (contentType === undefined || !template.includes('{TileMatrix}')) return undefined;
  const { matrixIds, tileMatrixPrefix, tileMatrixSetID, layer, wmtsStyle } = options;
  const text = (value: unknown, fallback: string) => (typeof value === 'string' ? value : fallback);
  const labels: unknown[] = Array.isArray(matrixIds) ? matrixIds : [];
  const labelOf = (z: number) => text(labels[z], `${text(tileMatrixPrefix, '')}${z}`);
  const pathOf = (z: number, x: number, y: number) => {
    const values: Readonly<Record<string, string>> = {
      TileMatrix: labelOf(z),
      TileCol: String(x),
      TileRow: String(y),
      TileMatrixSet: text(tileMatrixSetID, 'tiles'),
      Layer: text(layer, 'tiles'),
      Style: text(wmtsStyle, 'default'),
    };
    return template.replaceAll(/\{(\w+)\}/g, (all, key: string) => values[key] ?? all);
  };
  return { extension, contentType, pathOf };
}

function describeTiles(
  { name, description, bbox, typeProperties: options }: DatasourceDescription,
  images: Images,
): RasterTiles {
  const { extension, contentType, pathOf } = images;
  const zoom = (value: unknown, fallback: number) =>
    Number.isInteger(value) && (value as number) >= 0 && (value as number) <= zoomLimit
      ? (value as number)
      : fallback;
  const minZoom = zoom(options['minLevel'], zoom(images.minZoom, defaultZooms.minZoom));
  const maxZoom = zoom(options['maxLevel'], zoom(images.maxZoom, defaultZooms.maxZoom));
  const { tileSize } = options;
  const pixels: unknown = Array.isArray(tileSize) ? tileSize[0] : undefined;
  return {
    name,
    description,
    extension,
    contentType,
    minZoom: Math.min(minZoom, maxZoom),
    maxZoom,
    bounds: boundsOf(bbox ?? images.bounds),
    tilePixels: pixels === 512 ? 512 : 256,
    pathOf,
  };
}

/** Returns the bounds within web mercator: all of it by default, the full circle for bounds across the antimeridian. */
function boundsOf(bbox: readonly number[] | undefined): [number, number, number, number] {
  const [west, south, east, north] = bbox ?? [];
  const within = (value: number | undefined, end: number, fallback: number) =>
    value === undefined || !Number.isFinite(value) ? fallback : Math.min(end, Math.max(-end, value));
  const [w, e] = [within(west, 180, -180), within(east, 180, 180)];
  const [s, n] = [within(south, mercatorEnd, -mercatorEnd), within(north, mercatorEnd, mercatorEnd)];
  return [w < e ? w : -180, s < n ? s : -mercatorEnd, w < e ? e : 180, s < n ? n : mercatorEnd];
}

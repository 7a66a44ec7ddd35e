import type { InternalSource } from '@platen/contract/datasources';
import { tileType } from '@platen/geo/pmtiles/header';
import { archiveKind } from '../address.ts';
import type { ServedDatasource } from './access.ts';
import type { Described } from './described.ts';
import type { Library } from './library.ts';
import { extensionOf } from './mbtiles.ts';
import { contentTypes, imageTypes } from './tiles.ts';

type Json = Readonly<Record<string, unknown>>;

/** Images in the tiling of web mercator, wherever they lie and however they are named. */
export interface RasterTiles {
  readonly name: string;
  readonly description: string;
  /** As their names end. */
  readonly extension: string;
  readonly contentType: string;
  readonly minZoom: number;
  readonly maxZoom: number;
  /** West, south, east and north, in degrees, within web mercator. */
  readonly bounds: readonly [number, number, number, number];
  /** Of an edge. */
  readonly tilePixels: number;
  /** Where a tile lies behind the address of the datasource; rows count from the north. */
  pathOf(z: number, x: number, y: number): string;
}

/** Degrees of latitude where web mercator ends. */
const mercatorEnd = 85.051_128_78;
const mostZoom = 30;
const defaultZooms = { minZoom: 0, maxZoom: 18 };

/** The images of a datasource; undefined: it has none, or in another tiling. @throws ArchiveError, BytesError */
export async function rasterTilesOf(
  library: Library,
  datasource: ServedDatasource,
): Promise<RasterTiles | undefined> {
  const { _id, type, sourceProperties: source } = datasource;
  if ((type !== 'tms' && type !== 'wmts') || source.type === 'external') return undefined;
  const described = await library.described(_id);
  if (!described || described.typeProperties['tilingSchema'] === 'geographic') return undefined;
  const found = await findImages(library, datasource, { source, options: described.typeProperties });
  return found && describeTiles(described, found);
}

/** What is known of the images where they lie. */
interface Images extends Pick<RasterTiles, 'extension' | 'contentType' | 'pathOf'> {
  readonly minZoom?: number | undefined;
  readonly maxZoom?: number | undefined;
  readonly bounds?: readonly number[] | undefined;
}

async function findImages(
  library: Library,
  datasource: ServedDatasource,
  { source, options }: { source: InternalSource; options: Json },
): Promise<Images | undefined> {
  const { type, bucketId, bucketKey, servedFolder } = datasource;
  const kind = servedFolder === null ? archiveKind(bucketKey!) : 'zip';
  if (kind === 'zip')
    return type === 'tms' ? imagesOfTms(source, options) : imagesByTemplate(source, options);
  const file = kind && (await library.file(bucketId!, bucketKey!));
  if (!file) return undefined;
  const pathOf = (extension: string) => (z: number, x: number, y: number) =>
    `${z}/${x}/${type === 'tms' ? 2 ** z - 1 - y : y}.${extension}`;
  if (kind === 'mbtiles') {
    const { format, minZoom, maxZoom, bounds } = await library.archives.mbtiles(file);
    const extension = extensionOf(format);
    const contentType = imageTypes[extension];
    if (contentType === undefined) return undefined;
    return { extension, contentType, minZoom, maxZoom, bounds, pathOf: pathOf(extension) };
  }
  const { header } = await library.archive(file.blobId);
  const contentType = contentTypes[header.tileType];
  if (header.tileType === tileType.mvt || contentType === undefined) return undefined;
  const extension = contentType.slice('image/'.length).replace('jpeg', 'jpg');
  const { minZoom, maxZoom, bounds } = header;
  return { extension, contentType, minZoom, maxZoom, bounds, pathOf: pathOf(extension) };
}

/** Rows count from the south. */
function imagesOfTms({ urlSuffix = '' }: InternalSource, { format }: Json): Images | undefined {
  const extension = typeof format === 'string' ? format.replace(/^image\//, '') : 'png';
  const contentType = imageTypes[extension.replace('jpeg', 'jpg')];
  const inner = urlSuffix.replaceAll(/^\/|\/$/g, '');
  const folder = inner === '' ? '' : `${inner}/`;
  if (contentType === undefined) return undefined;
  const pathOf = (z: number, x: number, y: number) => `${folder}${z}/${x}/${2 ** z - 1 - y}.${extension}`;
  return { extension, contentType, pathOf };
}

/** Named as the template says that the layer of the map viewer uses. */
function imagesByTemplate({ urlSuffix }: InternalSource, options: Json): Images | undefined {
  const template = (urlSuffix ?? '{TileMatrix}/{TileCol}/{TileRow}.png').replace(/^\//, '');
  const extension = /\.(\w+)$/.exec(template)?.[1] ?? '';
  const contentType = imageTypes[extension.replace('jpeg', 'jpg')];
  if (contentType === undefined || !template.includes('{TileMatrix}')) return undefined;
  const { matrixIds, tileMatrixPrefix, tileMatrixSetID, layer, wmtsStyle } = options;
  const text = (value: unknown, otherwise: string) => (typeof value === 'string' ? value : otherwise);
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
  { name, description, bbox, typeProperties: options }: Described,
  images: Images,
): RasterTiles {
  const { extension, contentType, pathOf } = images;
  const zoom = (value: unknown, otherwise: number) =>
    Number.isInteger(value) && (value as number) >= 0 && (value as number) <= mostZoom
      ? (value as number)
      : otherwise;
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

/** All of web mercator where nothing usable is said; across the antimeridian the whole circle. */
function boundsOf(bbox: readonly number[] | undefined): [number, number, number, number] {
  const [west, south, east, north] = bbox ?? [];
  const within = (value: number | undefined, end: number, otherwise: number) =>
    value === undefined || !Number.isFinite(value) ? otherwise : Math.min(end, Math.max(-end, value));
  const [w, e] = [within(west, 180, -180), within(east, 180, 180)];
  const [s, n] = [within(south, mercatorEnd, -mercatorEnd), within(north, mercatorEnd, mercatorEnd)];
  return [w < e ? w : -180, s < n ? s : -mercatorEnd, w < e ? e : 180, s < n ? n : mercatorEnd];
}

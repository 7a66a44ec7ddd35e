import type { DatasourceType } from '@platen/contract/datasource-types';
import type { InternalSource, SourceProperties } from '@platen/contract/datasources';

/** The fields that determine the address of a datasource. */
export interface AddressableDatasource {
  readonly _id: string;
  readonly type: DatasourceType;
  readonly sourceProperties: SourceProperties;
  readonly bucketKey: string | null;
  readonly servedFolder: string | null;
}

/** The file of a folder that clients of a type start with; tiles are named by a template. */
const entries: Partial<Record<DatasourceType, string>> = {
  tileset: 'tileset.json',
  tilesetupdate: 'tileset.json',
  oblique: 'image.json',
  panorama: 'images.fgb',
  vectortiles: '{z}/{x}/{y}.pbf',
  wmts: '{TileMatrix}/{TileCol}/{TileRow}.png',
  tms: '',
};
const tiles = new Set<DatasourceType>(['vectortiles', 'wmts', 'tms']);

/** Terrain is addressed by its folder, whose layer.json the client finds itself. */
export const isTerrain = (type: DatasourceType) => type === 'qmesh' || type === 'meshinmesh';

/**
 * The address of the data: of an external source its own, of an internal one below `prefix`, such as `/data`:
 * - a file: `/data/<id>/<file name>`
 * - a folder: its entry file, such as `/data/<id>/tileset.json`, or what `urlSuffix` names
 * - tiles in a folder, a PMTiles archive or an MBTiles file: the template `/data/<id>/{z}/{x}/{y}.pbf`
 * - terrain, in a folder or a PMTiles archive: the folder, `/data/<id>`
 * - content of a zip file or 3TZ: as in a folder; in an SLPK: `/data/<id>/SceneServer/layers/0`
 */
export function addressOf(datasource: AddressableDatasource, prefix = '/data'): string {
  const { sourceProperties: source } = datasource;
  if (source.type === 'external') return source.url;
  const root = `${prefix}/${datasource._id}`;
  const rest = restOf(datasource, source.urlSuffix);
  return rest === undefined ? root : `${root}/${rest}`;
}

/** The path of the file that `urlSuffix` names in a folder or an archive. */
export const pathOf = ({ urlSuffix }: InternalSource) => urlSuffix?.replace(/^\//, '').split('?')[0];

function restOf(
  { type, bucketKey, servedFolder }: AddressableDatasource,
  urlSuffix: string | undefined,
): string | undefined {
  const key = bucketKey ?? '';
  if (urlSuffix) return urlSuffix.replace(/^\//, '');
  if (servedFolder === null) {
    const kind = archiveKind(key);
    if ((kind === 'zip' || kind === 'pmtiles') && isTerrain(type)) return undefined;
    if (kind === 'zip' && type === 'i3s') return 'SceneServer/layers/0';
    const isServed = kind === 'zip' || (kind !== undefined && tiles.has(type));
    return (isServed ? entries[type] : undefined) ?? encodeKey(key.slice(key.lastIndexOf('/') + 1));
  }
  if (isTerrain(type)) return undefined;
  const isEntry = key !== servedFolder.slice(0, -1);
  return isEntry && type !== 'tms' ? encodeKey(key.slice(servedFolder.length)) : (entries[type] ?? '');
}

/** Encodes an external address for a header; existing percent-encoding stays. */
export function locationOf(url: string): string {
  return encodeURI(url).replaceAll('%25', '%');
}

export type ArchiveKind = 'pmtiles' | 'mbtiles' | 'zip';

/** Returns the kind of a file whose content is served: tiles of PMTiles and MBTiles, members of a zip file, 3TZ or SLPK. */
export function archiveKind(key: string): ArchiveKind | undefined {
  const ending = /\.(pmtiles|mbtiles|zip|3tz|slpk)$/i.exec(key)?.[1]?.toLowerCase();
  if (ending === 'pmtiles' || ending === 'mbtiles') return ending;
  return ending === undefined ? undefined : 'zip';
}

function encodeKey(key: string): string {
  return key.split('/').map(encodeURIComponent).join('/');
}

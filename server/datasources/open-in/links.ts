import type { Datasource } from '@platen/contract/datasources';
import type { LinkKind, LinkNote } from '@platen/contract/open-in';
import { isObject } from '../../base/is-object.ts';
import { locationOf } from '../address.ts';
import type { ReadableData } from './read-access.ts';

export interface Link {
  readonly kind: LinkKind;
  readonly url: string;
  readonly command?: string;
  readonly notes: readonly LinkNote[];
}

/** Links for opening the data of a datasource in other programs; `origin` is the address of this service. */
export function linksOf(shown: ReadableData, origin: string): Link[] {
  const { datasource, revision, isPublic } = shown;
  const { _id, sourceProperties: source } = datasource;
  const isExternal = source.type === 'external';
  const prefix = `/data/${_id}`;
  const base = `${origin}${prefix}${revision === undefined ? '' : `/~${revision}`}`;
  const uri = isExternal
    ? locationOf(source.url)
    : base + datasource.uri.slice(datasource.uri.indexOf(prefix) + prefix.length);
  const found = isExternal ? externalLinks(datasource, uri) : internalLinks(datasource, { uri, base });
  const common: LinkNote[] = [
    ...(isExternal ? (['elsewhere'] as const) : []),
    ...(!isExternal && !isPublic ? (['signIn'] as const) : []),
    ...(revision === undefined ? [] : (['released'] as const)),
  ];
  const needsLogin = !isExternal && !isPublic;
  return [
    { kind: 'page', url: `${origin}/open/${_id}/`, notes: needsLogin ? ['signIn'] : [] },
    ...found.map((link) => completed(link, { common, needsLogin })),
  ];
}

function completed(
  { kind, url, command, notes }: Link,
  { common, needsLogin }: { common: readonly LinkNote[]; needsLogin: boolean },
): Link {
  const all = { kind, url, notes: [...notes, ...common] };
  return command === undefined ? all : { ...all, command: withLogin(command, needsLogin) };
}

interface DataAddresses {
  readonly uri: string;
  readonly base: string;
}

function internalLinks(datasource: Datasource, { uri, base }: DataAddresses): Link[] {
  const { type } = datasource;
  const qgis: Link = { kind: 'qgis', url: `${base}/qgis.qlr`, notes: ['qlrFile'] };
  switch (type) {
    case 'vectortiles':
      return vectorTileLinks(datasource, { uri, base }, qgis);
    case 'tms':
    case 'wmts':
      return rasterTileLinks(datasource, { uri, base }, qgis);
    case 'cog':
      return [
        { kind: 'cog', url: uri, notes: ['inRanges'] },
        qgis,
        { kind: 'gdal', url: uri, command: `gdalinfo ${quoted(`/vsicurl/${uri}`)}`, notes: [] },
      ];
    case 'flatgeobuf':
    case 'geojson':
      return [{ kind: type, url: uri, notes: type === 'flatgeobuf' ? ['inRanges'] : [] }, qgis, ogrOf(uri)];
    case 'i3s':
      return [{ kind: 'i3s', url: uri.replace(/\/layers\/0$/, ''), notes: [] }];
    case 'tileset':
    case 'tilesetupdate':
      return [{ kind: 'tileset', url: uri, notes: [] }];
    case 'qmesh':
    case 'meshinmesh':
      return [{ kind: 'terrain', url: uri, notes: [] }];
    case 'wms':
    case 'oblique':
    case 'panorama':
    case 'generic':
      return [{ kind: 'file', url: uri, notes: [] }];
  }
}

function vectorTileLinks(datasource: Datasource, { uri, base }: DataAddresses, qgis: Link): Link[] {
  const { properties, typeProperties } = datasource;
  const isStyle = uri.endsWith('/style.json');
  const { style } = properties;
  const hasStyle = isStyle || isObject(style);
  const tiles: Link[] = isStyle
    ? []
    : [
        { kind: 'tilejson', url: `${base}/tiles.json`, notes: [] },
        { kind: 'xyz', url: uri, notes: [] },
      ];
  const styles: Link[] = hasStyle ? [{ kind: 'maplibreStyle', url: `${base}/style.json`, notes: [] }] : [];
  if (isStyle) return styles;
  const { maxZoom } = typeProperties;
  const folder = uri.slice(0, uri.indexOf('/{z}'));
  const zoom = typeof maxZoom === 'number' ? maxZoom : 0;
  const options = `-oo METADATA_FILE=${quoted(`/vsicurl/${base}/tiles.json`)}`;
  const gdal: Link[] = uri.includes('/{z}/{x}/{y}.')
    ? [
        {
          kind: 'gdal',
          url: `${base}/tiles.json`,
          command: `ogrinfo -so -al ${options} ${quoted(`MVT:${folder}/${zoom}`)}`,
          notes: [],
        },
      ]
    : [];
  return [...tiles, ...styles, qgis, ...gdal];
}

/** In Web Mercator there are also an address with rows from the north, and a WMTS. */
function rasterTileLinks(
  { type, typeProperties }: Datasource,
  { uri, base }: DataAddresses,
  qgis: Link,
): Link[] {
  if (typeProperties['tilingSchema'] === 'geographic')
    return [{ kind: 'file', url: uri, notes: type === 'tms' ? ['rowsFromSouth'] : [] }];
  const extension =
    /\.(\w+)$/.exec(uri)?.[1] ??
    (typeof typeProperties['format'] === 'string' ? typeProperties['format'] : 'png');
  const wmts = `${base}/WMTSCapabilities.xml`;
  return [
    { kind: 'tilejson', url: `${base}/tiles.json`, notes: [] },
    { kind: 'xyz', url: `${base}/xyz/{z}/{x}/{y}.${extension.replace(/^image\//, '')}`, notes: [] },
    { kind: 'wmts', url: wmts, notes: [] },
    qgis,
    { ...qgis, kind: 'qgisWmts', url: `${base}/qgis-wmts.qlr` },
    { kind: 'gdal', url: wmts, command: `gdalinfo ${quoted(`WMTS:${wmts}`)}`, notes: [] },
  ];
}

const externalKinds: Partial<Record<Datasource['type'], LinkKind>> = {
  cog: 'cog',
  flatgeobuf: 'flatgeobuf',
  geojson: 'geojson',
  i3s: 'i3s',
  tileset: 'tileset',
  tilesetupdate: 'tileset',
  qmesh: 'terrain',
  meshinmesh: 'terrain',
  wms: 'wms',
  wmts: 'wmts',
};

/** External data is opened at its own address; nothing is derived from it. */
function externalLinks({ type }: Datasource, uri: string): Link[] {
  const isTemplate = uri.includes('{') && (type === 'vectortiles' || type === 'wmts');
  const kind = isTemplate
    ? 'xyz'
    : type === 'vectortiles' && uri.endsWith('/style.json')
      ? 'maplibreStyle'
      : (externalKinds[type] ?? 'file');
  const plain: Link = { kind, url: uri, notes: [] };
  if (type === 'flatgeobuf' || type === 'geojson') return [plain, ogrOf(uri)];
  if (type === 'cog')
    return [plain, { kind: 'gdal', url: uri, command: `gdalinfo ${quoted(`/vsicurl/${uri}`)}`, notes: [] }];
  return [plain];
}

const ogrOf = (uri: string): Link => ({
  kind: 'gdal',
  url: uri,
  command: `ogrinfo -so -al ${quoted(`/vsicurl/${uri}`)}`,
  notes: [],
});

/**
 * Quotes a text for shells and Windows; characters that would end the quotes or have a meaning within are
 * percent-encoded.
 */
function quoted(text: string): string {
  return `"${text.replaceAll(/["$`\\!%](?![\dA-F]{2})|["$`\\!]/gi, (character) => encodeCharacter(character))}"`;
}

function encodeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

function withLogin(command: string, needsLogin: boolean): string {
  if (!needsLogin) return command;
  return command.replace(/^(\w+)/, '$1 --config GDAL_HTTP_HEADERS "Authorization: Bearer YOUR_TOKEN"');
}

import type { DatasourceType } from '@platen/contract/datasource-types';
import type { Datasource } from '@platen/contract/datasources';
import { namedStylesOf, type NamedStyle } from '@platen/contract/named-styles';
import type { FreeForm } from '@platen/contract/schema';
import { Failure } from '../base/failure.ts';
import { isObject } from '../base/is-object.ts';
import { plainAttribution } from '@platen/contract/plain-attribution';

const layerTypes: Partial<Record<DatasourceType, string>> = {
  tileset: 'CesiumTilesetLayer',
  tilesetupdate: 'CesiumTilesetLayer',
  geojson: 'GeoJSONLayer',
  qmesh: 'TerrainLayer',
  meshinmesh: 'TerrainLayer',
  wms: 'WMSLayer',
  wmts: 'WMTSLayer',
  tms: 'TMSLayer',
  cog: 'COGLayer',
  flatgeobuf: 'FlatGeobufLayer',
  i3s: 'I3SLayer',
  vectortiles: 'VectorTileLayer',
  panorama: 'PanoramaDatasetLayer',
};

/** Layers other than that of the type which can show its data, too. */
const otherLayerTypes: Partial<Record<DatasourceType, readonly string[]>> = {
  tileset: ['PointCloudLayer'],
  tilesetupdate: ['PointCloudLayer'],
  flatgeobuf: ['VectorTileLayer'],
  vectortiles: ['MapboxStyleLayer'],
};

/** The types of layers that can show the data of a type; none for generic data and oblique images. */
export function layerTypesOf(type: DatasourceType): readonly string[] {
  const layerType = layerTypes[type];
  return layerType === undefined ? [] : [layerType, ...(otherLayerTypes[type] ?? [])];
}

export type LayerInput = Pick<
  Datasource,
  '_id' | 'name' | 'type' | 'typeProperties' | 'properties' | 'bbox' | 'facts' | 'uri'
>;

/**
 * The layer that shows a datasource in VC Map; for oblique images an item of `obliqueCollections`. All options in
 * `typeProperties` override the defaults. Unless they set a style, layers have the first of the named
 * `properties.styles`, vector layers else the one that the job wrote into `properties.vcMapStyle`.
 * `properties.attribution`, else the attribution found in the data, names its source in the footer of the map.
 * @throws Failure `unprocessable` for generic data, which no layer shows
 */
export function layerOf(datasource: LayerInput): FreeForm {
  const { _id: datasourceId, name, type, bbox, uri } = datasource;
  if (type === 'oblique') return obliqueCollection(datasource);
  const layerType = layerTypes[type];
  if (layerType === undefined) {
    throw new Failure('unprocessable', 'Generic data has no layer in the map viewer: use its uri.');
  }
  const given = {
    ...optionsOf(datasource),
    ...styleOf(datasource),
    ...propertiesOf(datasource),
    ...datasource.typeProperties,
  };
  const common = { type: layerType, name, datasourceId, ...(bbox && { extent: extentOf(bbox) }) };
  switch (type) {
    case 'tileset':
    case 'tilesetupdate': {
      const { pointCloud, ...options } = given;
      const isPointCloud = pointCloud ?? options['pointSize'] !== undefined;
      return { ...common, ...(isPointCloud === true && { type: 'PointCloudLayer' }), url: uri, ...options };
    }
    case 'flatgeobuf':
      return { ...common, url: uri, projection: { epsg: 4326 }, ...given };
    case 'wms':
      return { ...common, url: uri, tilingSchema: 'mercator', ...wmsOptions(given) };
    case 'wmts':
      return { ...wmtsDefaults(given, uri), ...common, url: uri, ...given };
    case 'tms':
      return { ...common, url: uri, format: 'png', tilingSchema: 'mercator', ...given };
    case 'vectortiles':
      return { ...common, ...vectorTiles(given, uri) };
    case 'geojson':
    case 'qmesh':
    case 'meshinmesh':
    case 'cog':
    case 'i3s':
    case 'panorama':
    case 'generic':
      return { ...common, url: uri, ...given };
  }
}

function obliqueCollection({ _id: datasourceId, name, typeProperties, uri }: LayerInput): FreeForm {
  const { projection, terrainProvider, headers, ...options } = typeProperties;
  const dataSet = {
    url: uri,
    ...(projection !== undefined && { projection }),
    ...(terrainProvider !== undefined && { terrainProvider }),
    ...(headers !== undefined && { headers }),
  };
  return { type: 'ObliqueCollection', name, datasourceId, dataSets: [dataSet], ...options };
}

/** The options that what was found in the data asks for. */
function optionsOf({ type, facts, properties }: LayerInput): FreeForm {
  const { minZoom, maxZoom, crs, layerOptions } = facts ?? {};
  const hasZooms = minZoom !== undefined && maxZoom !== undefined;
  const epsg = Number(/^EPSG:(\d+)$/.exec(crs ?? '')?.[1] ?? 4326);
  return {
    ...layerOptions,
    ...(hasZooms && type === 'vectortiles' && { minZoom, maxZoom }),
    ...(type === 'vectortiles' && isOfPointsOrLines(properties) && { renderer: 'primitive' }),
    ...(hasZooms && (type === 'tms' || type === 'wmts') && { minLevel: minZoom, maxLevel: maxZoom }),
    ...(type === 'geojson' && epsg !== 4326 && { projection: { epsg } }),
  };
}

/** Images of tiles suit areas only: globes blur points and lines of them. */
function isOfPointsOrLines({ geometryTypes }: FreeForm): boolean {
  const [type, ...others] = Array.isArray(geometryTypes) ? (geometryTypes as unknown[]) : [];
  return others.length === 0 && (type === 'Point' || type === 'LineString');
}

const vectorTypes = new Set<DatasourceType>(['vectortiles', 'geojson', 'flatgeobuf']);
const styledTypes = new Set<DatasourceType>([...vectorTypes, 'tileset', 'tilesetupdate', 'i3s']);
/** It brings styles of its own. */
const isMapboxStyle = (uri: string) => uri.endsWith('/style.json');

/** The named styles that layers of a datasource can switch between; none if its options set a style. */
export function stylesOf(datasource: Omit<LayerInput, 'name'>): readonly NamedStyle[] {
  const { type, typeProperties, properties, uri } = datasource;
  const isStyled = styledTypes.has(type) && typeProperties['style'] === undefined && !isMapboxStyle(uri);
  return isStyled ? namedStylesOf(properties) : [];
}

function styleOf(datasource: LayerInput): FreeForm {
  const { type, properties, uri } = datasource;
  const [first] = stylesOf(datasource);
  if (first !== undefined) return { style: first };
  const { vcMapStyle: style } = properties;
  return vectorTypes.has(type) && isObject(style) && !isMapboxStyle(uri) ? { style } : {};
}

/**
 * The legend of images, which have no style, the heights of terrain, by which the page colours it, and what the datasource
 * says of its source, else the data.
 */
function propertiesOf({ type, properties, facts }: LayerInput): FreeForm {
  const { attribution, legend, heightRange } = properties;
  const provider = plainAttribution(attribution) ?? plainAttribution(facts?.attribution);
  const own = {
    ...(provider !== undefined && { attributions: { provider } }),
    ...(Array.isArray(legend) && { legend }),
    ...(type === 'qmesh' && Array.isArray(heightRange) && { heightRange }),
  };
  return Object.keys(own).length === 0 ? {} : { properties: own };
}

/** Names of layers may be a list, the format is one of the request's parameters. */
function wmsOptions({ layers, format, parameters, ...options }: FreeForm): FreeForm {
  const text = Array.isArray(layers) ? layers.join(',') : layers;
  const ofFormat = { ...(format !== undefined && { FORMAT: format }), TRANSPARENT: 'true' };
  const all = typeof parameters === 'string' ? parameters : { ...ofFormat, ...(parameters as FreeForm) };
  return { ...(text !== undefined && { layers: text }), ...options, parameters: all };
}

const worldOf = { mercator: [-180, -85.0511, 180, 85.0511], geographic: [-180, -90, 180, 90] } as const;

/** The map viewer needs an extent: that of the whole tile matrix set. Templates need names that do not occur in them. */
function wmtsDefaults({ tilingSchema = 'mercator' }: FreeForm, uri: string): FreeForm {
  return {
    tilingSchema,
    extent: extentOf(tilingSchema === 'geographic' ? worldOf.geographic : worldOf.mercator),
    ...(uri.includes('{TileMatrix}') && { layer: 'tiles', tileMatrixSetID: 'tiles' }),
  };
}

/** The zooms that really exist are the ones to request: all others are drawn from them. */
function vectorTiles(
  { baseLevels, idProperty, minZoom, maxZoom, tileProvider, ...options }: FreeForm,
  uri: string,
): FreeForm {
  if (isMapboxStyle(uri)) return { type: 'MapboxStyleLayer', url: uri, ...options };
  const levels = baseLevels ?? range(minZoom, maxZoom);
  const provider = {
    type: 'MVTTileProvider',
    url: uri,
    ...(levels !== undefined && { baseLevels: levels }),
    ...(idProperty !== undefined && { idProperty }),
    ...(tileProvider as FreeForm | undefined),
  };
  return { ...options, tileProvider: provider };
}

function range(from: unknown, to: unknown): number[] | undefined {
  if (typeof from !== 'number' || typeof to !== 'number' || from > to) return undefined;
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** About 11 m, in degrees of latitude. */
const minExtentDegrees = 1e-4;
/** Tiles in Web Mercator reach a little further. */
const maxMercatorLatitude = 85;

/**
 * The viewer knows no extent across the antimeridian: that one becomes the whole circle. Its globe stops drawing if the
 * extent of an image layer has no area, as that of a single point, or none in common with its tiles, as at a pole.
 */
function extentOf([west, south, east, north]: readonly number[]): FreeForm {
  const [minX, maxX] = west! > east! ? [-180, 180] : withWidth(west!, east!);
  const [minY, maxY] = withWidth(
    Math.min(south!, maxMercatorLatitude),
    Math.max(north!, -maxMercatorLatitude),
  );
  const coordinates = [minX, minY, maxX, maxY];
  return { type: 'Extent', coordinates, projection: { type: 'Projection', epsg: 4326 } };
}

function withWidth(min: number, max: number): [number, number] {
  const margin = (minExtentDegrees - (max - min)) / 2;
  return margin > 0 ? [min - margin, max + margin] : [min, max];
}

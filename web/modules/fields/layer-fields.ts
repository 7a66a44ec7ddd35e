import { advanced, field, type Field } from './field.ts';

// Options read by VC Map 6.3, by layer type.

const first = [
  field('properties.title', 'text'),
  field('activeOnStartup', 'yesNo', { initial: false }),
  field('datasourceId', 'datasource'),
];
const address = field('url', 'address');
const last = [
  field('properties.featureInfo', 'card', { list: 'featureInfo' }),
  field('zIndex', 'number'),
  field('mapNames', 'names', { list: 'maps' }),
  field('properties.attributions.provider', 'text'),
  advanced('properties.attributions.url', 'text'),
  advanced('properties.attributions.year', 'text'),
  advanced('properties.defaultViewpoint', 'name', { list: 'viewpoints' }),
  advanced('properties.availableStyles', 'names', { list: 'styles' }),
  advanced('properties.legend', 'legend'),
  advanced('properties.infoUrl', 'text'),
  advanced('exclusiveGroups', 'texts'),
  advanced('allowPicking', 'yesNo', { initial: true }),
  advanced('extent', 'extent'),
  advanced('hiddenObjectIds', 'texts'),
  advanced('headers', 'json'),
  advanced('copyright', 'json'),
  advanced('featureProvider', 'json'),
  advanced('ignoreMapLayerTypes', 'yesNo'),
];

const levels = [
  field('opacity', 'share', { initial: 1 }),
  advanced('minLevel', 'number', { min: 0, max: 30 }),
  advanced('maxLevel', 'number', { min: 0, max: 30 }),
  advanced('minRenderingLevel', 'number', { min: 0, max: 30 }),
  advanced('maxRenderingLevel', 'number', { min: 0, max: 30 }),
  advanced('tilingSchema', 'choice', { choices: ['geographic', 'mercator'], initial: 'geographic' }),
  advanced('splitDirection', 'choice', { choices: ['left', 'right', 'none'] }),
  advanced('imageryLayerOptions', 'json'),
];

const feature = [
  field('style', 'style'),
  field('properties.time', 'time'),
  advanced('highlightStyle', 'json'),
  advanced('splitDirection', 'choice', { choices: ['left', 'right', 'none'] }),
];
const placing = [
  field('vectorProperties.altitudeMode', 'choice', {
    choices: ['clampToGround', 'relativeToGround', 'absolute'],
    initial: 'clampToGround',
  }),
  field('vectorProperties.extrudedHeight', 'number'),
  advanced('vectorProperties.heightAboveGround', 'number'),
  advanced('vectorProperties.classificationType', 'choice', { choices: ['both', 'cesium3DTile', 'terrain'] }),
  advanced('vectorProperties', 'json'),
];
/** Of layers that load all their features; of others, the form says that they cannot be searched. */
const search = field('properties.searchBy', 'search');
const vector = [
  ...feature,
  ...placing,
  field('vectorClusterGroup', 'name', { list: 'vectorClusterGroups' }),
  advanced('projection', 'projection'),
  advanced('minResolution', 'number', { min: 0 }),
  advanced('maxResolution', 'number', { min: 0 }),
  advanced('isDynamic', 'yesNo', { initial: false }),
  advanced('dontUseTerrainForOblique', 'yesNo', { initial: false }),
];
const detail = [
  field('screenSpaceError', 'number', { min: 1, initial: 16 }),
  advanced('screenSpaceErrorMobile', 'number', { min: 1, initial: 32 }),
];
const tiles = [
  ...feature,
  ...detail,
  advanced('offset', 'numbers'),
  advanced('outlineColor', 'colour'),
  advanced('tilesetOptions', 'json'),
];
const tileSize = advanced('tileSize', 'numbers');

const own: Readonly<Record<string, readonly Field[]>> = {
  GeoJSONLayer: [address, ...vector, search, advanced('features', 'json')],
  VectorLayer: vector,
  WFSLayer: [
    address,
    field('featureType', 'texts'),
    advanced('featureNS', 'text'),
    advanced('featurePrefix', 'text'),
    advanced('getFeatureOptions', 'json'),
    ...vector,
    search,
  ],
  FlatGeobufLayer: [address, ...vector, search],
  CzmlLayer: [address, advanced('sourceUrl', 'text')],
  DataSourceLayer: feature,
  FeatureStoreLayer: vector,
  FeatureLayer: feature,
  VectorTileLayer: [
    field('tileProvider.url', 'address'),
    field('tileProvider.type', 'choice', {
      choices: [
        'MVTTileProvider',
        'FlatGeobufTileProvider',
        'URLTemplateTileProvider',
        'StaticGeoJSONTileProvider',
      ],
    }),
    field('tileProvider.baseLevels', 'numbers'),
    advanced('tileProvider.idProperty', 'text'),
    advanced('tileProvider', 'json'),
    ...feature,
    search,
    field('renderer', 'choice', { choices: ['image', 'primitive'], initial: 'image' }),
    ...placing.slice(0, 1),
    advanced('minLevel', 'number', { min: 0, max: 30 }),
    advanced('maxLevel', 'number', { min: 0, max: 30 }),
    advanced('declutter', 'yesNo', { initial: true }),
    advanced('attributeProvider', 'json'),
    advanced('vectorProperties', 'json'),
  ],
  MapboxStyleLayer: [
    address,
    advanced('minRenderingLevel', 'number', { min: 0, max: 30 }),
    advanced('maxRenderingLevel', 'number', { min: 0, max: 30 }),
  ],
  PanoramaDatasetLayer: [
    address,
    field('cameraOffset', 'number', { initial: 0 }),
    advanced('baseLevel', 'number', { min: 0, max: 30, initial: 15 }),
    advanced('minLevel', 'number', { min: 0, max: 30, initial: 15 }),
    advanced('maxLevel', 'number', { min: 0, max: 30 }),
    advanced('panoramaVectorProperties', 'json'),
  ],
  CesiumTilesetLayer: [address, ...tiles, search],
  PointCloudLayer: [address, field('pointSize', 'text'), ...tiles],
  I3SLayer: [
    address,
    field('style', 'style'),
    ...detail,
    field('calculateNormals', 'yesNo', { initial: false }),
    advanced('applySymbology', 'yesNo', { initial: false }),
    advanced('showFeatures', 'yesNo', { initial: false }),
    advanced('adjustMaterialAlphaMode', 'yesNo', { initial: false }),
    advanced('outlineColor', 'colour'),
    advanced('lightColor', 'json'),
    advanced('cesium3dTilesetOptions', 'json'),
    advanced('highlightStyle', 'json'),
  ],
  TerrainLayer: [
    address,
    field('requestVertexNormals', 'yesNo', { initial: true }),
    field('properties.relief', 'yesNo', { initial: false }),
    advanced('requestWaterMask', 'yesNo', { initial: false }),
  ],
  WMSLayer: [
    address,
    field('layers', 'text'),
    field('version', 'choice', { choices: ['1.1.1', '1.3.0'], initial: '1.1.1' }),
    advanced('parameters', 'json'),
    advanced('featureInfo', 'json'),
    advanced('singleImage2d', 'yesNo', { initial: false }),
    advanced('highResolution', 'yesNo', { initial: false }),
    tileSize,
    ...levels,
  ],
  WMTSLayer: [
    address,
    field('layer', 'text'),
    field('tileMatrixSetID', 'text'),
    advanced('style', 'text'),
    advanced('format', 'text'),
    advanced('tileMatrixPrefix', 'text'),
    advanced('matrixIds', 'texts'),
    advanced('numberOfLevelZeroTilesX', 'number', { min: 1 }),
    advanced('numberOfLevelZeroTilesY', 'number', { min: 1 }),
    tileSize,
    ...levels,
  ],
  TMSLayer: [
    address,
    field('format', 'choice', { choices: ['png', 'jpeg', 'jpg', 'webp'], initial: 'jpeg' }),
    tileSize,
    ...levels,
  ],
  OpenStreetMapLayer: levels,
  SingleImageLayer: [address, ...levels, advanced('credit', 'text')],
  COGLayer: [
    address,
    ...levels,
    advanced('convertToRGB', 'choice', { choices: ['auto'] }),
    advanced('normalize', 'yesNo'),
    advanced('interpolate', 'yesNo'),
    advanced('sourceOptions', 'json'),
  ],
  RasterLayer: levels,
};

/** All known options of a layer type; for an unknown type those of every layer. */
export function layerFields(type: string): readonly Field[] {
  const options = own[type] ?? [address];
  const names = new Set(options.map(({ path }) => path.join('.')));
  return [...first, ...options, ...last.filter(({ path }) => !names.has(path.join('.')))];
}

/** Layer types with known options of their own. */
export const layerTypesWithFields: readonly string[] = Object.keys(own);

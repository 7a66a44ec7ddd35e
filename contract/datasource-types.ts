import { Type, type TObject, type TProperties } from 'typebox';
import { oneOf } from './schema.ts';

/** Every type of datasource: the 14 of the API, and updates of 3D tilesets. */
export const datasourceTypes = [
  'tileset',
  'geojson',
  'oblique',
  'qmesh',
  'meshinmesh',
  'wms',
  'wmts',
  'tms',
  'cog',
  'flatgeobuf',
  'i3s',
  'vectortiles',
  'generic',
  'panorama',
  'tilesetupdate',
] as const;
export type DatasourceType = (typeof datasourceTypes)[number];

const text = () => Type.String({ maxLength: 10_000 });
const yesNo = () => Type.Boolean();
const number = () => Type.Number();
const level = () => Type.Integer({ minimum: 0, maximum: 30 });
const names = () => Type.Array(Type.String({ maxLength: 1024 }), { maxItems: 10_000 });
const anything = () => Type.Record(Type.String(), Type.Unknown());
const headers = () => Type.Record(Type.String(), Type.String());
const otherDatasource = (type: string) =>
  Type.String({
    minLength: 1,
    maxLength: 64,
    description: `A datasource of this project, of the type ${type}`,
  });
const epsg = () => Type.Union([Type.Integer(), Type.String()]);

const Projection = Type.Object({ epsg: epsg(), proj4: Type.Optional(text()) });

const Extent = Type.Object({
  coordinates: Type.Array(Type.Number(), { minItems: 4, maxItems: 4 }),
  projection: Type.Optional(Projection),
});

const Style = Type.Union([text(), anything()]);
const tilingSchema = () => oneOf(['geographic', 'mercator']);

/** Options that every layer of the map viewer has. */
const layer = {
  activeOnStartup: yesNo(),
  allowPicking: yesNo(),
  zIndex: number(),
  extent: Extent,
  exclusiveGroups: names(),
  mapNames: names(),
  hiddenObjectIds: names(),
  copyright: anything(),
  headers: headers(),
  properties: anything(),
};

const raster = {
  minLevel: level(),
  maxLevel: level(),
  minRenderingLevel: level(),
  maxRenderingLevel: level(),
  tilingSchema: tilingSchema(),
  opacity: Type.Number({ minimum: 0, maximum: 1 }),
  splitDirection: oneOf(['left', 'right', 'none']),
  imageryLayerOptions: anything(),
};

const vector = {
  projection: Projection,
  style: Style,
  highlightStyle: Style,
  vectorProperties: anything(),
  isDynamic: yesNo(),
  featureProvider: anything(),
};

const tiles3d = {
  screenSpaceError: number(),
  screenSpaceErrorMobile: number(),
  tilesetOptions: anything(),
  modelMatrix: Type.Array(Type.Number(), { minItems: 16, maxItems: 16 }),
  offset: Type.Array(Type.Number(), { minItems: 2, maxItems: 3 }),
  style: Style,
  highlightStyle: Style,
  pointCloud: Type.Boolean({ description: 'Shown by the point cloud layer' }),
  pointSize: Type.Union([Type.Number(), Type.String()]),
};

const terrain = { requestVertexNormals: yesNo(), requestWaterMask: yesNo() };

const terrainProvider = Type.Object({
  url: text(),
  requestVertexNormals: Type.Optional(yesNo()),
  requestWaterMask: Type.Optional(yesNo()),
  headers: Type.Optional(headers()),
});

/** All fields are optional; unknown keys are kept unchanged. */
function options<P extends TProperties>(fields: P) {
  return Type.Partial(Type.Object({ ...layer, ...fields }));
}

/** The schema of `typeProperties` for each type: the options of its layer in the map viewer. */
export const typeProperties: Readonly<Record<DatasourceType, TObject>> = {
  tileset: options(tiles3d),
  tilesetupdate: options({ ...tiles3d, datasourceId: text(), baseDatasourceId: otherDatasource('tileset') }),
  geojson: options({ ...vector, screenSpaceError: Type.Integer(), features: Type.Array(anything()) }),
  flatgeobuf: options(vector),
  oblique: options({
    projection: Projection,
    terrainProvider,
    terrainDatasourceId: otherDatasource('qmesh'),
    minZoom: level(),
    maxZoom: level(),
    scaleFactor: number(),
    hideLevels: level(),
  }),
  qmesh: options(terrain),
  meshinmesh: options({ ...terrain, baseDatasourceId: otherDatasource('qmesh') }),
  wms: options({
    ...raster,
    layers: Type.Union([names(), text()]),
    version: oneOf(['1.1.1', '1.3.0', '1.1.0', '1.0.0']),
    format: text(),
    parameters: Type.Union([text(), anything()]),
    featureInfo: anything(),
    highResolution: yesNo(),
    tileSize: Type.Union([Type.Integer(), Type.Array(Type.Integer(), { minItems: 2, maxItems: 2 })]),
    singleImage2d: yesNo(),
  }),
  wmts: options({
    ...raster,
    layer: text(),
    style: text(),
    format: text(),
    tileMatrixSetID: text(),
    tileMatrixPrefix: text(),
    matrixIds: names(),
    numberOfLevelZeroTilesX: Type.Integer({ minimum: 1 }),
    numberOfLevelZeroTilesY: Type.Integer({ minimum: 1 }),
    openlayersOptions: anything(),
  }),
  tms: options({ ...raster, format: text(), tileSize: Type.Array(Type.Integer(), { maxItems: 2 }) }),
  cog: options({
    ...raster,
    convertToRGB: Type.Union([Type.Boolean(), Type.String()]),
    normalize: yesNo(),
    sourceOptions: anything(),
  }),
  i3s: options({
    screenSpaceError: number(),
    calculateNormals: yesNo(),
    i3sOptions: anything(),
    tilesetOptions: anything(),
    style: Style,
    highlightStyle: Style,
  }),
  vectortiles: options({
    style: Style,
    highlightStyle: Style,
    vectorProperties: anything(),
    renderer: oneOf(['image', 'primitive']),
    minZoom: level(),
    maxZoom: level(),
    minLevel: level(),
    maxLevel: level(),
    minRenderingLevel: level(),
    maxRenderingLevel: level(),
    baseLevels: Type.Array(level(), { maxItems: 31 }),
    idProperty: text(),
    tileProvider: anything(),
  }),
  panorama: options({ maxDistance: number(), minRenderingLevel: level(), maxRenderingLevel: level() }),
  generic: options({}),
};

/** The names of all options of layers that show datasources. */
export const layerOptionNames: readonly string[] = [
  ...new Set(Object.values(typeProperties).flatMap((schema) => Object.keys(schema.properties))),
];

/** Files and sources of one datasource of each type of the reference, in the order in which they refer to each other. */
export const internalData = {
  files: {
    'mesh/tileset.json': '{"asset":{"version":"1.1"},"geometricError":1,"root":{}}',
    'terrain/layer.json': '{"tilejson":"2.1.0"}',
    'terrain/0/0/0.terrain': 'x',
    'terrain/0/1/0.terrain': 'x',
    'oblique/image.json': '{"version":"3.5"}',
    'tiles/0/0/0.png': 'x',
    'places.geojson': '{"type":"FeatureCollection","features":[]}',
  },
  types: [
    ['tileset', 'TilesetProperties', { dataBucketKey: 'mesh' }],
    ['tilesetupdate', 'TilesetUpdateProperties', { dataBucketKey: 'mesh' }],
    ['qmesh', 'QMeshProperties', { dataBucketKey: 'terrain' }],
    ['meshinmesh', 'TerrainMeshInMeshProperties', { dataBucketKey: 'terrain' }],
    ['geojson', 'GeojsonProperties', { dataBucketKey: 'places.geojson' }],
    ['oblique', 'ObliqueProperties', { dataBucketKey: 'oblique' }],
    ['tms', 'TMSProperties', { dataBucketKey: 'tiles' }],
    ['wms', 'WMSProperties', { url: 'https://maps.example.org/wms' }],
    ['wmts', 'WMTSProperties', { url: 'https://maps.example.org/wmts/{TileMatrix}/{TileCol}/{TileRow}.png' }],
    ['vectortiles', 'VectorTileProperties', { url: 'https://maps.example.org/{z}/{x}/{y}.pbf' }],
    ['generic', 'GenericProperties', { dataBucketKey: 'tiles' }],
  ],
} as const;

/** Values of properties that must be more than anything of their type. */
export const typeValues = (type: string, idOf: ReadonlyMap<string, string>) => ({
  baseDatasourceId: idOf.get(type === 'meshinmesh' ? 'qmesh' : 'tileset'),
  terrainDatasourceId: idOf.get('qmesh'),
  projection: { epsg: 'EPSG:25833' },
  altitudeMode: 'clampToGround',
  version: '1.3.0',
  format: type === 'wms' ? 'image/png' : 'png',
  parameters: 'time=now',
  tilingSchema: 'mercator',
  minLevel: 0,
  maxLevel: 18,
  minZoom: 0,
  maxZoom: 20,
});

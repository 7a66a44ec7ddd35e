import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewDatasource } from '@platen/contract/datasources';
import { startService } from '../testing.ts';

const { admin } = await startService();
const { _id: projectId } = await admin.postProject({
  body: { name: 'City', description: '', bbox: [-180, -85, 180, 85] },
});
const params = { projectId };
const bbox = [9, 48, 10, 49];
const extent = { type: 'Extent', coordinates: bbox, projection: { type: 'Projection', epsg: 4326 } };

type Type = NewDatasource['type'];
const make = async (type: Type, url: string, typeProperties: Record<string, unknown> = {}) =>
  admin.postProjectDatasource({
    params,
    body: { name: type, type, bbox, typeProperties, sourceProperties: { type: 'external', url } },
  });
const moduleWith = (content: object) => admin.postProjectModule({ params, body: { name: 'M', ...content } });

/** The content of a module as an app gives it to the map viewer. */
async function compiled(moduleId: string) {
  const { _id: appId } = await admin.postProjectApp({ params, body: { name: 'A', moduleIds: [moduleId] } });
  const { modules } = await admin.getProjectAppCompiled({ params: { projectId, appId } });
  return modules[0]!;
}

type Item = Record<string, unknown>;

const at = 'https://maps.example.org';
const style = { type: 'VectorStyleItem', fill: { color: '#ff0000' } };
/** Each type with its layer, options of the datasource, and what a bare layer of it is compiled to. */
const types: readonly [Type, layer: string, url: string, options: object, expected: object][] = [
  [
    'tileset',
    'CesiumTilesetLayer',
    `${at}/t/tileset.json`,
    { screenSpaceError: 8 },
    { screenSpaceError: 8, extent },
  ],
  ['tilesetupdate', 'CesiumTilesetLayer', `${at}/u/tileset.json`, { style }, { style, extent }],
  ['geojson', 'GeoJSONLayer', `${at}/a.geojson`, { style, zIndex: 3 }, { style, zIndex: 3, extent }],
  [
    'qmesh',
    'TerrainLayer',
    `${at}/dem`,
    { requestVertexNormals: true },
    { requestVertexNormals: true, extent },
  ],
  ['meshinmesh', 'TerrainLayer', `${at}/mesh`, {}, { extent }],
  [
    'wms',
    'WMSLayer',
    `${at}/wms`,
    { layers: ['a', 'b'], version: '1.3.0', format: 'image/png' },
    {
      layers: 'a,b',
      version: '1.3.0',
      tilingSchema: 'mercator',
      parameters: { FORMAT: 'image/png', TRANSPARENT: 'true' },
      extent,
    },
  ],
  [
    'wmts',
    'WMTSLayer',
    `${at}/wmts/{TileMatrix}/{TileCol}/{TileRow}.png`,
    { maxLevel: 12 },
    { layer: 'tiles', tileMatrixSetID: 'tiles', tilingSchema: 'mercator', maxLevel: 12, extent },
  ],
  [
    'tms',
    'TMSLayer',
    `${at}/tms/`,
    { format: 'webp', maxLevel: 9 },
    { format: 'webp', maxLevel: 9, tilingSchema: 'mercator', extent },
  ],
  ['cog', 'COGLayer', `${at}/a.tif`, { opacity: 0.5 }, { opacity: 0.5, extent }],
  ['flatgeobuf', 'FlatGeobufLayer', `${at}/a.fgb`, {}, { projection: { epsg: 4326 }, extent }],
  ['i3s', 'I3SLayer', `${at}/SceneServer`, { calculateNormals: true }, { calculateNormals: true, extent }],
  ['panorama', 'PanoramaDatasetLayer', `${at}/images.fgb`, { maxDistance: 5 }, { maxDistance: 5, extent }],
];

for (const [type, layerType, url, options, expected] of types) {
  test(`a bare layer of a ${type} has all that its datasource knows, now and later, and its own options win`, async () => {
    const { _id: datasourceId } = await make(type, url, options as Record<string, unknown>);
    const bare = { type: layerType, name: 'bare', datasourceId };
    const own = { ...bare, name: 'own', zIndex: 7, extent: { coordinates: [0, 0, 1, 1] } };
    const { _id: moduleId, warnings } = await moduleWith({ layers: [bare, own] });
    assert.deepEqual(warnings, []);
    const { layers } = await compiled(moduleId);
    assert.deepEqual(layers[0], { ...bare, url, ...expected });
    assert.deepEqual([layers[1]!['zIndex'], layers[1]!['extent']], [7, own.extent]);

    const datasource = { projectId, datasourceId };
    await admin.putProjectDatasource({ params: datasource, body: { typeProperties: { zIndex: 20 } } });
    const later = await compiled(moduleId);
    assert.deepEqual([later.layers[0]!['zIndex'], later.layers[1]!['zIndex']], [20, 7]);
    const stored = await admin.getProjectModule({ params: { projectId, moduleId } });
    assert.deepEqual(stored.layers, [bare, own], 'the module stays as it is');
  });
}

test('a bare layer of vector tiles requests the zooms that exist, and a provider of its own wins', async () => {
  const url = `${at}/{z}/{x}/{y}.pbf`;
  const { _id: datasourceId } = await make('vectortiles', url, {
    minZoom: 2,
    maxZoom: 4,
    idProperty: 'id',
    style,
  });
  const bare = { type: 'VectorTileLayer', name: 'bare', datasourceId };
  const tileProvider = { type: 'MVTTileProvider', baseLevels: [3] };
  const own = { ...bare, name: 'own', tileProvider };
  const { _id, warnings } = await moduleWith({ layers: [bare, own] });
  assert.deepEqual(warnings, []);
  const { layers } = await compiled(_id);
  const provider = { type: 'MVTTileProvider', url, baseLevels: [2, 3, 4], idProperty: 'id' };
  assert.deepEqual(layers[0], { ...bare, extent, style, tileProvider: provider });
  assert.deepEqual(layers[1]!['tileProvider'], { ...provider, baseLevels: [3] });
});

test('layers without a style have those of their datasource, to switch between', async () => {
  const byUse = { type: 'DeclarativeStyleItem', name: 'By use', declarativeStyle: { color: "color('red')" } };
  const plain = { ...style, name: 'Plain', properties: { legend: [] } };
  const url = `${at}/styled.geojson`;
  const { _id: datasourceId } = await admin.postProjectDatasource({
    params,
    body: {
      name: 'styled',
      type: 'geojson',
      sourceProperties: { type: 'external', url },
      properties: { styles: [byUse, { ...byUse, name: 7 }, 'none', plain, { ...plain, name: 'By use' }] },
    },
  });
  const names = [`${datasourceId}/By use`, `${datasourceId}/Plain`];
  const layer = { type: 'GeoJSONLayer', datasourceId };
  const { _id } = await moduleWith({
    styles: [{ ...style, name: 'own' }],
    layers: [
      { ...layer, name: 'a' },
      { ...layer, name: 'b', properties: { datasourceStyle: 'Plain', title: 'B' } },
      { ...layer, name: 'c', properties: { datasourceStyle: 'gone' } },
      { ...layer, name: 'd', style: 'own' },
      { ...layer, name: 'e', properties: { availableStyles: ['own'] } },
    ],
  });
  const { layers, styles } = await compiled(_id);
  const shown = layers.map((one) => [
    one['style'],
    (one['properties'] as Item | undefined)?.['availableStyles'],
  ]);
  assert.deepEqual(shown, [
    [names[0], names],
    [names[1], names],
    [names[0], names],
    ['own', undefined],
    [names[0], ['own']],
  ]);
  assert.deepEqual(styles, [
    { ...style, name: 'own' },
    { ...byUse, name: names[0], properties: { title: 'By use' } },
    { ...plain, name: names[1], properties: { title: 'Plain', legend: [] } },
  ]);
  const config = await admin.getProjectDatasourceConfig({ params: { projectId, datasourceId } });
  assert.deepEqual(config['style'], byUse);
});

test('a bare collection of oblique images has its projection and options', async () => {
  const projection = { epsg: 25833, proj4: '+proj=utm +zone=33 +ellps=GRS80 +units=m +no_defs' };
  const { _id: datasourceId } = await make('oblique', `${at}/image.json`, { projection, minZoom: 2 });
  const bare = { type: 'ObliqueCollection', name: 'bare', datasourceId };
  const own = { ...bare, name: 'own', dataSets: [{ projection: { epsg: 4326 } }] };
  const { _id } = await moduleWith({ obliqueCollections: [bare, own] });
  const { obliqueCollections = [] } = await compiled(_id);
  const url = `${at}/image.json`;
  assert.deepEqual(obliqueCollections, [
    { ...bare, minZoom: 2, dataSets: [{ url, projection }] },
    { ...own, minZoom: 2, dataSets: [{ url, projection: { epsg: 4326 } }] },
  ]);
});

test('a layer of another type than its datasource gets its address only, and a warning', async () => {
  const { _id: datasourceId } = await make('wms', `${at}/wms`, { layers: ['a'] });
  const layer = { type: 'GeoJSONLayer', name: 'a', datasourceId };
  const { _id, warnings } = await moduleWith({
    layers: [layer],
    obliqueCollections: [{ name: 'o', datasourceId }],
  });
  assert.deepEqual(
    warnings?.filter(({ code }) => code === 'otherType').map(({ pointer, detail }) => [pointer, detail]),
    [
      ['/layers/0/type', 'Its datasource is of the type wms, which needs WMSLayer.'],
      [
        '/obliqueCollections/0/datasourceId',
        'Its datasource is of the type wms. A collection shows oblique images.',
      ],
    ],
  );
  const { layers } = await compiled(_id);
  assert.deepEqual(layers[0], { ...layer, url: `${at}/wms` });
});

test('misspelt options of layers and maps are named with the right one, and other keys are the users own', async () => {
  const { warnings } = await moduleWith({
    maps: [{ type: 'CesiumMap', name: 'globe', fallbackMpa: 'x', ownKey: 1 }],
    layers: [
      {
        type: 'CesiumTilesetLayer',
        name: 'a',
        url: '/a.json',
        screenSpaceErorr: 4,
        tilesetOption: {},
        mine: true,
      },
    ],
  });
  assert.deepEqual(
    warnings?.map(({ pointer, code, detail }) => `${pointer} ${code} ${/mean (\w+)/.exec(detail)?.[1]}`),
    [
      '/layers/0/screenSpaceErorr ignored screenSpaceError',
      '/layers/0/tilesetOption ignored tilesetOptions',
      '/maps/0/fallbackMpa ignored fallbackMap',
    ],
  );
});

test('a large datasource that thousands of layers name does not make the map thousands of times as large', async () => {
  const features = [{ type: 'Feature', properties: { text: 'x'.repeat(500_000) }, geometry: null }];
  const { _id: datasourceId } = await make('geojson', `${at}/a.geojson`, { features });
  const layers = Array.from({ length: 2000 }, (_, i) => ({
    type: 'GeoJSONLayer',
    name: String(i),
    datasourceId,
  }));
  const { _id } = await moduleWith({ layers });
  const { layers: all } = await compiled(_id);
  const count = all.filter((layer) => 'features' in layer).length;
  assert.ok(count > 0 && count <= 16, String(count));
  assert.ok(all.every(({ url }) => url === `${at}/a.geojson`));
});

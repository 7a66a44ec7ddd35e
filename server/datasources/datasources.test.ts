import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { DatasourceType } from '@platen/contract/datasource-types';
import type { NewDatasource } from '@platen/contract/datasources';
import { tileType } from '@platen/geo/pmtiles/header';
import { archiveOf, flatGeobufOf, tiffOf } from '../serving/testing.ts';
import { startService } from '../testing.ts';

const world = { name: 'City', description: 'All of it', bbox: [-180, -85, 180, 85] };
const service = startService();
let params: { projectId: string; dataBucketId: string };

const tileset = '{"asset":{"version":"1.1"},"geometricError":1,"root":{}}';
const tile = Buffer.from('tile');

const files: Record<string, string | Buffer> = {
  'places.geojson': ' {"type":"FeatureCollection","features":[]}',
  'lines.geojson': '{"type":"Feature"}\n{"type":"Feature"}\n',
  'not.geojson': 'PK\u0003\u0004',
  'mesh/tileset.json': tileset,
  'mesh/a/b.b3dm': 'b3dm',
  'tileset.json': tileset,
  'odd/tileset.json': '{"asset":{}}',
  'terrain/layer.json': '{"tilejson":"2.1.0"}',
  'terrain/0/0/0.terrain': 'x',
  'terrain/0/1/0.terrain': 'x',
  'half/layer.json': '{}',
  'half/0/0/0.terrain': 'x',
  'oblique/image.json': '{"version":"3.5"}',
  'tiles/0/0/0.png': 'x',
  'scene/SceneServer/layers/0': '{}',
  'good.fgb': flatGeobufOf(),
  'utm.fgb': flatGeobufOf({ epsg: 25833 }),
  'unindexed.fgb': flatGeobufOf({ nodeSize: 0 }),
  'high.fgb': flatGeobufOf({ hasZ: true }),
  'street/images.fgb': flatGeobufOf(),
  'good.tif': tiffOf(),
  'utm.tif': tiffOf({ epsg: 25833 }),
  'zstd.tif': tiffOf({ compression: 50_000 }),
  'strips.tif': tiffOf({ isTiled: false }),
  'opaque.tif': tiffOf({ samples: 3, hasAlpha: false }),
  'cut.tif': tiffOf().subarray(0, 40),
};

before(async () => {
  const { admin } = await service;
  const { _id, defaultDataBucketId } = await admin.postProject({ body: world });
  params = { projectId: _id, dataBucketId: defaultDataBucketId };
  files['places.pmtiles'] = await archiveOf([[0, 0, 0, tile]]);
  files['raster.pmtiles'] = await archiveOf([[0, 0, 0, tile]], tileType.png);
  files['cut.pmtiles'] = files['places.pmtiles'].subarray(0, 100);
  const form = new FormData();
  for (const [key, content] of Object.entries(files)) {
    form.append(key, new Blob([new Uint8Array(Buffer.from(content))]), 'file');
  }
  await admin.postProjectDataBucketUpload({ params, body: form });
});

async function create(body: NewDatasource) {
  const { admin } = await service;
  return admin.postProjectDatasource({ params, body });
}

function internal(type: DatasourceType, dataBucketKey: string, more: Partial<NewDatasource> = {}) {
  const sourceProperties = { type: 'internal' as const, dataBucketId: params.dataBucketId, dataBucketKey };
  return { name: type, type, sourceProperties, ...more };
}

function external(type: DatasourceType, url: string, more: Partial<NewDatasource> = {}): NewDatasource {
  return { name: type, type, sourceProperties: { type: 'external', url }, ...more };
}

const bbox = [5, 47, 15, 55];

test('every type takes what it is made for and is addressed and shown as the viewer wants it', async () => {
  const { admin } = await service;
  const rows: [NewDatasource, uri: string, layer: Record<string, unknown>][] = [
    [internal('tileset', 'mesh'), '/tileset.json', { type: 'CesiumTilesetLayer' }],
    [internal('tileset', '/mesh/tileset.json'), '/tileset.json', { type: 'CesiumTilesetLayer' }],
    [internal('tilesetupdate', 'mesh/'), '/tileset.json', { type: 'CesiumTilesetLayer' }],
    [internal('geojson', 'places.geojson'), '/places.geojson', { type: 'GeoJSONLayer' }],
    [internal('oblique', 'oblique'), '/image.json', { type: 'ObliqueCollection' }],
    [internal('qmesh', 'terrain'), '', { type: 'TerrainLayer' }],
    [internal('meshinmesh', 'terrain/layer.json'), '', { type: 'TerrainLayer' }],
    [internal('tms', 'tiles'), '/', { type: 'TMSLayer', format: 'png' }],
    [internal('wmts', 'tiles', { bbox }), '/{TileMatrix}/{TileCol}/{TileRow}.png', { type: 'WMTSLayer' }],
    [internal('cog', 'good.tif'), '/good.tif', { type: 'COGLayer' }],
    [
      internal('flatgeobuf', 'good.fgb'),
      '/good.fgb',
      { type: 'FlatGeobufLayer', projection: { epsg: 4326 } },
    ],
    [internal('i3s', 'scene/SceneServer/layers'), '/', { type: 'I3SLayer' }],
    [internal('vectortiles', 'places.pmtiles'), '/{z}/{x}/{y}.pbf', { type: 'VectorTileLayer' }],
    [internal('panorama', 'street'), '/images.fgb', { type: 'PanoramaDatasetLayer' }],
  ];
  for (const [body, rest, expected] of rows) {
    const made = await create({ ...body, typeProperties: { zIndex: 3, custom: { kept: [1] } } });
    assert.equal(made.uri, `/data/${made._id}${rest}`, body.type);
    assert.deepEqual(made.typeProperties, { zIndex: 3, custom: { kept: [1] } });
    const got = await admin.getProjectDatasource({ params: { ...params, datasourceId: made._id } });
    assert.deepEqual(got, made);
    const layer = await admin.getProjectDatasourceConfig({ params: { ...params, datasourceId: made._id } });
    for (const [key, value] of Object.entries(expected)) assert.deepEqual(layer[key], value, body.type);
    assert.equal(layer['datasourceId'], made._id);
    assert.equal(layer['zIndex'], 3);
  }
});

test('the services among the types stand elsewhere, and their layers point there', async () => {
  const { admin } = await service;
  const wms = await create(
    external('wms', 'https://example.org/wms?map=a', {
      typeProperties: { layers: ['a', 'b'], version: '1.3.0', format: 'image/png' },
    }),
  );
  assert.equal(wms.uri, 'https://example.org/wms?map=a');
  const layerOf = (datasourceId: string) =>
    admin.getProjectDatasourceConfig({ params: { ...params, datasourceId } });
  assert.deepEqual(await layerOf(wms._id), {
    type: 'WMSLayer',
    name: 'wms',
    datasourceId: wms._id,
    url: 'https://example.org/wms?map=a',
    tilingSchema: 'mercator',
    layers: 'a,b',
    version: '1.3.0',
    parameters: { FORMAT: 'image/png', TRANSPARENT: 'true' },
  });
  const url = 'https://example.org/{TileMatrix}/{TileCol}/{TileRow}.png';
  const wmts = await create(external('wmts', url, { bbox }));
  const { extent } = await layerOf(wmts._id);
  assert.deepEqual((extent as { coordinates: unknown }).coordinates, bbox);
});

test('generic data is registered but has no layer', async () => {
  const { admin } = await service;
  const { _id, uri } = await create(internal('generic', 'places.geojson'));
  assert.equal(uri, `/data/${_id}/places.geojson`);
  const config = admin.getProjectDatasourceConfig({ params: { ...params, datasourceId: _id } });
  await assert.rejects(config, { status: 422 });
});

test('the zooms of vector tiles become the levels that are requested', async () => {
  const { admin } = await service;
  const body = internal('vectortiles', 'places.pmtiles', {
    typeProperties: { minZoom: 0, maxZoom: 2, idProperty: 'id' },
  });
  const { _id: datasourceId, uri } = await create(body);
  const { tileProvider } = await admin.getProjectDatasourceConfig({ params: { ...params, datasourceId } });
  const expected = { type: 'MVTTileProvider', url: uri, baseLevels: [0, 1, 2], idProperty: 'id' };
  assert.deepEqual(tileProvider, expected);
});

test('data that is not what the type says, or that the viewer cannot show, is refused with a reason', async () => {
  const rows: [DatasourceType, key: string, why: RegExp][] = [
    ['geojson', 'missing.geojson', /neither a file nor a folder/],
    ['geojson', 'mesh', /names a folder/],
    ['geojson', 'not.geojson', /does not begin like/],
    ['geojson', 'lines.geojson', /one feature per line.*platenTilesVector/],
    ['tileset', 'tileset.json', /folder of their own/],
    ['tileset', 'odd', /asset\.version/],
    ['tileset', 'terrain', /no tileset\.json/],
    ['tileset', 'good.tif', /does not begin like/],
    ['qmesh', 'half', /0\/1\/0/],
    ['qmesh', 'mesh', /layer\.json/],
    ['oblique', 'mesh', /image\.json/],
    ['wms', 'places.geojson', /external/],
    ['tms', 'mesh', /no raster tiles/],
    ['tms', 'places.pmtiles', /no raster tiles/],
    ['vectortiles', 'raster.pmtiles', /no vector tiles/],
    ['vectortiles', 'cut.pmtiles', /PMTiles/],
    ['vectortiles', 'places.geojson'.replace('geojson', 'pmtiles/x'), /neither/],
    ['vectortiles', 'good.fgb', /platenTilesVector/],
    ['flatgeobuf', 'utm.fgb', /EPSG:25833.*ogr2ogr/],
    ['flatgeobuf', 'unindexed.fgb', /no spatial index.*ogr2ogr/],
    ['flatgeobuf', 'high.fgb', /heights/],
    ['flatgeobuf', 'places.geojson', /not a FlatGeobuf/],
    ['panorama', 'mesh', /images\.fgb/],
    ['cog', 'utm.tif', /EPSG:25833.*gdalwarp/],
    ['cog', 'zstd.tif', /ZSTD/],
    ['cog', 'strips.tif', /strips/],
    ['cog', 'opaque.tif', /alpha/],
    ['cog', 'cut.tif', /cut off/],
    ['cog', 'good.fgb', /not a TIFF/],
  ];
  for (const [type, key, why] of rows) {
    await assert.rejects(create(internal(type, key)), (error: Error & { status?: number }) => {
      assert.equal(error.status, 422, `${type} ${key}: ${error.message}`);
      assert.match(error.message, why);
      return true;
    });
  }
});

test('sources and options of a wrong shape are refused where they are wrong', async () => {
  const { admin } = await service;
  const refused = async (body: unknown, status: number, pointer: string) => {
    await assert.rejects(
      admin.postProjectDatasource({ params, body: body as NewDatasource }),
      (error: Error & { status?: number; errors?: { pointer: string }[] }) => {
        assert.equal(error.status, status, error.message);
        assert.equal(error.errors?.[0]?.pointer, pointer, error.message);
        return true;
      },
    );
  };
  const good = external('geojson', 'https://example.org/a.geojson');
  await refused({ ...good, type: 'shape' }, 400, '/type');
  await refused({ ...good, sourceProperties: { type: 'external' } }, 400, '/sourceProperties/url');
  await refused({ ...good, sourceProperties: { type: 'ftp', url: 'x' } }, 400, '/sourceProperties');
  await refused(
    { ...good, sourceProperties: { ...good.sourceProperties, x: 1 } },
    400,
    '/sourceProperties/x',
  );
  await refused(external('geojson', 'file:///etc/passwd'), 400, '/sourceProperties/url');
  await refused(external('geojson', 'https://me:secret@example.org/'), 400, '/sourceProperties/url');
  await refused(external('geojson', 'nonsense'), 400, '/sourceProperties/url');
  await refused(internal('geojson', '../x'), 400, '/sourceProperties/dataBucketKey');
  const options = { ...good, typeProperties: { screenSpaceError: 'high' } };
  await refused(options, 400, '/typeProperties/screenSpaceError');
  await refused({ ...good, bbox: [0, 50, 1, 40] }, 400, '/bbox');
  await refused(external('wmts', 'https://example.org/wmts'), 422, '/bbox');
  const elsewhere = { type: 'internal', dataBucketId: 'nowhere', dataBucketKey: 'places.geojson' };
  await refused({ ...good, sourceProperties: elsewhere }, 422, '/sourceProperties/dataBucketId');
});

test('a bucket of another project cannot be pointed to', async () => {
  const { admin } = await service;
  const other = await admin.postProject({ body: world });
  const body = internal('geojson', 'places.geojson');
  const call = admin.postProjectDatasource({ params: { projectId: other._id }, body });
  await assert.rejects(call, { status: 422, code: 'unusable_reference' });
});

test('a change merges type properties, or replaces them when it says so, and can be put back', async () => {
  const { admin } = await service;
  const made = await create(internal('geojson', 'places.geojson', { typeProperties: { b: 1, a: 2 } }));
  const path = { ...params, datasourceId: made._id };
  const merged = await admin.putProjectDatasource({ params: path, body: { typeProperties: { a: 3, c: 4 } } });
  assert.equal(JSON.stringify(merged.typeProperties), '{"b":1,"a":3,"c":4}');
  assert.equal(merged.dataUpdatedAt, made.dataUpdatedAt);
  const query = { overwriteParameters: true };
  const replaced = await admin.putProjectDatasource({
    params: path,
    query,
    body: { typeProperties: { z: 1 } },
  });
  assert.deepEqual(replaced.typeProperties, { z: 1 });
  const putBack = await admin.putProjectDatasource({ params: path, body: replaced });
  assert.deepEqual({ ...putBack, updatedAt: '', revision: 0 }, { ...replaced, updatedAt: '', revision: 0 });
  const stale = { params: path, body: { name: 'x' }, headers: { 'if-match': '"1"' } };
  await assert.rejects(admin.putProjectDatasource(stale), { status: 412 });
  const wrong = { params: path, body: { type: 'cog' as const } };
  await assert.rejects(admin.putProjectDatasource(wrong), { status: 422 });
});

test('lists filter by type, name and box, and the summary counts by type', async () => {
  const { admin } = await service;
  const { _id: projectId } = await admin.postProject({ body: world });
  const add = (body: NewDatasource) => admin.postProjectDatasource({ params: { projectId }, body });
  await add({ ...external('geojson', 'https://example.org/a'), name: 'Berlin', bbox: [13, 52, 14, 53] });
  await add({ ...external('geojson', 'https://example.org/b'), name: 'Bern', bbox: [7, 46, 8, 47] });
  await add({ ...external('wms', 'https://example.org/c'), name: 'Everywhere' });
  const names = async (query: object) => {
    const { items } = await admin.getProjectDatasources({ params: { projectId }, query });
    return items.map(({ name }) => name);
  };
  assert.deepEqual(await names({ type: ['geojson'] }), ['Bern', 'Berlin']);
  assert.deepEqual(await names({ name: ['ber'], orderBy: ['name'] }), ['Berlin', 'Bern']);
  assert.deepEqual(await names({ bbox: '7.5,40,9,50' }), ['Bern']);
  const summary = await admin.getProjectDatasourcesSummary({ params: { projectId } });
  assert.deepEqual(summary, { totalCount: 3, types: { geojson: 2, wms: 1 } });
});

test('files and buckets that datasources serve stay unless forced, and the datasource is named', async () => {
  const { admin } = await service;
  const { _id: projectId } = await admin.postProject({ body: world });
  const { _id: dataBucketId } = await admin.postProjectDataBucket({
    params: { projectId },
    body: { name: 'b' },
  });
  const bucket = { projectId, dataBucketId };
  const form = new FormData();
  form.append('m/tileset.json', new Blob([tileset]), 'f');
  form.append('m/a.b3dm', new Blob(['a']), 'f');
  await admin.postProjectDataBucketUpload({ params: bucket, body: form });
  const sourceProperties = { type: 'internal' as const, dataBucketId, dataBucketKey: 'm/tileset.json' };
  const { _id: datasourceId } = await admin.postProjectDatasource({
    params: { projectId },
    body: { name: 'Mesh of the town', type: 'tileset', sourceProperties },
  });
  const named = { status: 409, message: /Mesh of the town/ };
  for (const key of ['m/tileset.json', 'm/a.b3dm', 'm/']) {
    await assert.rejects(admin.deleteProjectDataBucketObject({ params: bucket, query: { key } }), named);
  }
  await assert.rejects(admin.deleteProjectDataBucket({ params: bucket }), named);
  await admin.deleteProjectDataBucketObject({ params: bucket, query: { key: 'm/', force: true } });
  assert.equal((await admin.getProjectDataBucketObjects({ params: bucket })).totalCount, 0);
  await admin.deleteProjectDatasource({ params: { projectId, datasourceId } });
  assert.deepEqual(await admin.deleteProjectDataBucket({ params: bucket }), { numberOfDeletedItems: 1 });
});

test('members read datasources and create none', async () => {
  const { admin, user } = await service;
  const mona = await user('mona');
  const { projectId } = params;
  await admin.putProjectUser({ params: { projectId, userId: mona.id }, body: { roleId: 'projectMember' } });
  const made = await create(internal('geojson', 'places.geojson'));
  const path = { projectId, datasourceId: made._id };
  assert.equal((await mona.client.getProjectDatasource({ params: path })).name, 'geojson');
  await assert.rejects(
    mona.client.postProjectDatasource({ params, body: internal('geojson', 'places.geojson') }),
    { status: 403 },
  );
  await assert.rejects(mona.client.putProjectDatasource({ params: path, body: { name: 'x' } }), {
    status: 403,
  });
  await assert.rejects(mona.client.deleteProjectDatasource({ params: path }), { status: 403 });
  const file = await mona.client.getProjectDatasourceDownload({ params: path });
  assert.equal(await file.text(), files['places.geojson']);
});

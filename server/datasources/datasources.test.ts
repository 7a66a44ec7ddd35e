import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewDatasource } from '@platen/contract/datasources';
import { startService } from '../testing.ts';
import { external, internal, places, tileset, uploadSamples, world } from './testing.ts';

const service = startService();
const samples = service.then(uploadSamples);

async function create(body: NewDatasource) {
  const { admin } = await service;
  return admin.postProjectDatasource({ params: await samples, body });
}

const bbox = [5, 47, 15, 55];

test('every type accepts its data, and has the address and layer that the viewer needs', async () => {
  const { admin } = await service;
  const rows: [NewDatasource, uri: string, layer: Record<string, unknown>][] = [
    [internal(await samples, 'tileset', 'mesh'), '/tileset.json', { type: 'CesiumTilesetLayer' }],
    [
      internal(await samples, 'tileset', '/mesh/tileset.json'),
      '/tileset.json',
      { type: 'CesiumTilesetLayer' },
    ],
    [internal(await samples, 'tilesetupdate', 'mesh/'), '/tileset.json', { type: 'CesiumTilesetLayer' }],
    [internal(await samples, 'geojson', 'places.geojson'), '/places.geojson', { type: 'GeoJSONLayer' }],
    [internal(await samples, 'oblique', 'oblique'), '/image.json', { type: 'ObliqueCollection' }],
    [internal(await samples, 'qmesh', 'terrain'), '', { type: 'TerrainLayer' }],
    [internal(await samples, 'meshinmesh', 'terrain/layer.json'), '', { type: 'TerrainLayer' }],
    [internal(await samples, 'tms', 'tiles'), '/', { type: 'TMSLayer', format: 'png' }],
    [
      internal(await samples, 'wmts', 'tiles', { bbox }),
      '/{TileMatrix}/{TileCol}/{TileRow}.png',
      { type: 'WMTSLayer' },
    ],
    [internal(await samples, 'cog', 'good.tif'), '/good.tif', { type: 'COGLayer' }],
    [
      internal(await samples, 'flatgeobuf', 'good.fgb'),
      '/good.fgb',
      { type: 'FlatGeobufLayer', projection: { epsg: 4326 } },
    ],
    [internal(await samples, 'i3s', 'scene/SceneServer/layers'), '/', { type: 'I3SLayer' }],
    [
      internal(await samples, 'vectortiles', 'places.pmtiles'),
      '/{z}/{x}/{y}.pbf',
      { type: 'VectorTileLayer' },
    ],
    [internal(await samples, 'panorama', 'street'), '/images.fgb', { type: 'PanoramaDatasetLayer' }],
  ];
  for (const [body, rest, expected] of rows) {
    const made = await create({ ...body, typeProperties: { zIndex: 3, custom: { kept: [1] } } });
    assert.equal(made.uri, `/data/${made._id}${rest}`, body.type);
    assert.deepEqual(made.typeProperties, { zIndex: 3, custom: { kept: [1] } });
    const got = await admin.getProjectDatasource({ params: { ...(await samples), datasourceId: made._id } });
    assert.deepEqual(got, made);
    const layer = await admin.getProjectDatasourceConfig({
      params: { ...(await samples), datasourceId: made._id },
    });
    for (const [key, value] of Object.entries(expected)) assert.deepEqual(layer[key], value, body.type);
    assert.equal(layer['datasourceId'], made._id);
    assert.equal(layer['zIndex'], 3);
  }
});

test('data that is deleted, moved or replaced while it is checked cannot become a datasource', async () => {
  const { admin, context } = await service;
  const params = await samples;
  const put = async (keys: readonly string[], content: string) => {
    const form = new FormData();
    for (const key of keys) form.append(key, new Blob([content]), 'file');
    await admin.postProjectDataBucketUpload({ params, query: { overwrite: true }, body: form });
  };
  const changes: Record<string, (key: string) => Promise<unknown>> = {
    deleted: (key) => admin.deleteProjectDataBucketObject({ params, query: { key } }),
    moved: (key) => admin.postProjectDataBucketObjectMove({ params, body: { key, to: `was-${key}` } }),
    replaced: (key) => put([key], `${places} `),
  };
  const { read } = context.store;
  /** The first time that its bytes are read. */
  const meanwhile = async (change: () => Promise<unknown>, work: () => Promise<unknown>) => {
    context.store.read = async (...wanted) => {
      context.store.read = read;
      const bytes = await read.apply(context.store, wanted);
      await change();
      return bytes;
    };
    await assert.rejects(work(), { code: 'unusable_reference' });
    assert.equal(context.store.read, read);
  };
  const { _id: datasourceId } = await create(internal(params, 'geojson', 'places.geojson'));
  for (const [name, change] of Object.entries(changes)) {
    const [first, second] = [`fleeting/${name}-1.geojson`, `fleeting/${name}-2.geojson`] as const;
    await put([first, second], places);
    await meanwhile(
      () => change(first),
      () => create(internal(params, 'geojson', first)),
    );
    const { sourceProperties } = internal(params, 'geojson', second);
    const path = { ...params, datasourceId };
    await meanwhile(
      () => change(second),
      () => admin.putProjectDatasource({ params: path, body: { sourceProperties } }),
    );
  }
  await put(['brief/tileset.json'], tileset);
  await meanwhile(
    () => changes['deleted']!('brief/'),
    () => create(internal(params, 'tileset', 'brief')),
  );
});

test('service types are on other servers, and their layers point there', async () => {
  const { admin } = await service;
  const wms = await create(
    external('wms', 'https://example.org/wms?map=a', {
      typeProperties: { layers: ['a', 'b'], version: '1.3.0', format: 'image/png' },
    }),
  );
  assert.equal(wms.uri, 'https://example.org/wms?map=a');
  const layerOf = async (datasourceId: string) =>
    admin.getProjectDatasourceConfig({ params: { ...(await samples), datasourceId } });
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

test('a WMTS whose extent nobody knows has that of its whole tile matrix set', async () => {
  const { admin } = await service;
  const url = 'https://example.org/{TileMatrix}/{TileCol}/{TileRow}.png';
  for (const [typeProperties, north] of [
    [{}, 85.0511],
    [{ tilingSchema: 'geographic' }, 90],
  ] as const) {
    const { _id: datasourceId, bbox: known } = await create(external('wmts', url, { typeProperties }));
    assert.equal(known, undefined);
    const params = { ...(await samples), datasourceId };
    const { extent, tilingSchema } = await admin.getProjectDatasourceConfig({ params });
    assert.deepEqual((extent as { coordinates: unknown }).coordinates, [-180, -north, 180, north]);
    assert.equal(tilingSchema, north === 90 ? 'geographic' : 'mercator');
  }
});

test('generic data is registered but has no layer', async () => {
  const { admin } = await service;
  const { _id, uri } = await create(internal(await samples, 'generic', 'places.geojson'));
  assert.equal(uri, `/data/${_id}/places.geojson`);
  const config = admin.getProjectDatasourceConfig({ params: { ...(await samples), datasourceId: _id } });
  await assert.rejects(config, { status: 422 });
});

test('the zooms of vector tiles become the levels that are requested', async () => {
  const { admin } = await service;
  const body = internal(await samples, 'vectortiles', 'places.pmtiles', {
    typeProperties: { minZoom: 0, maxZoom: 2, idProperty: 'id' },
  });
  const { _id: datasourceId, uri } = await create(body);
  const { tileProvider } = await admin.getProjectDatasourceConfig({
    params: { ...(await samples), datasourceId },
  });
  const expected = { type: 'MVTTileProvider', url: uri, baseLevels: [0, 1, 2], idProperty: 'id' };
  assert.deepEqual(tileProvider, expected);
});

test('a change merges type properties, or replaces them on request, and can be reverted', async () => {
  const { admin } = await service;
  const made = await create(
    internal(await samples, 'geojson', 'places.geojson', { typeProperties: { b: 1, a: 2 } }),
  );
  const path = { ...(await samples), datasourceId: made._id };
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
  const sourceOnly = { params: path, body: { sourceProperties: replaced.sourceProperties } };
  assert.equal((await admin.putProjectDatasource(sourceOnly)).dataRevision, replaced.dataRevision);
  const renewed = await admin.putProjectDatasource({ ...sourceOnly, query: { updateData: true } });
  assert.equal(renewed.dataRevision, replaced.dataRevision + 1);
  const stale = { params: path, body: { name: 'x' }, headers: { 'if-match': '"1"' } };
  await assert.rejects(admin.putProjectDatasource(stale), { status: 412 });
  const wrong = { params: path, body: { type: 'cog' as const } };
  await assert.rejects(admin.putProjectDatasource(wrong), { status: 422 });
});

test('lists filter by type, name, address and box, and the summary counts by type', async () => {
  const { admin } = await service;
  const { _id: projectId, defaultDataBucketId } = await admin.postProject({ body: world });
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
  assert.deepEqual(await names({ uri: 'https://example.org/b' }), ['Bern']);
  assert.deepEqual(await names({ uri: 'https://example.org/' }), []);
  const params = { projectId, dataBucketId: defaultDataBucketId };
  const form = new FormData();
  form.append('file', new Blob(['x']), 'a.txt');
  await admin.postProjectDataBucketUpload({ params, query: {}, body: form });
  const sourceProperties = {
    type: 'internal' as const,
    dataBucketId: defaultDataBucketId,
    dataBucketKey: 'a.txt',
  };
  const { uri } = await add({ name: 'File', type: 'generic', sourceProperties });
  assert.deepEqual(await names({ uri }), ['File']);
  assert.deepEqual(await names({ uri: '/data/unknown/a.txt' }), []);
  const summary = (query?: object) =>
    admin.getProjectDatasourcesSummary({ params: { projectId }, query: { ...query } });
  const all = await summary();
  const first = await admin.getProjectDatasources({
    params: { projectId },
    query: { sort: 'asc', limit: 1 },
  });
  const { createdBy, createdAt } = first.items[0]!;
  assert.deepEqual(
    [all.numberOfItems, all.types, all.createdByUsers, all.updatedByUsers, all.createdAtRange!.from],
    [
      4,
      [
        { _id: 'generic', count: 1 },
        { _id: 'geojson', count: 2 },
        { _id: 'wms', count: 1 },
      ],
      [{ _id: createdBy, count: 4 }],
      [{ _id: createdBy, count: 4 }],
      createdAt,
    ],
  );
  assert.ok(all.updatedAtRange!.to >= createdAt);
  const services = await summary({ type: ['wms', 'cog'] });
  assert.deepEqual([services.numberOfItems, services.types], [1, [{ _id: 'wms', count: 1 }]]);
  const none = { numberOfItems: 0, types: [], createdByUsers: [], updatedByUsers: [] };
  assert.deepEqual(await summary({ createdBy: ['somebody'] }), none);
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
  const { projectId } = await samples;
  await admin.putProjectUser({ params: { projectId, userId: mona.id }, body: { roleId: 'projectMember' } });
  const made = await create(internal(await samples, 'geojson', 'places.geojson'));
  const path = { projectId, datasourceId: made._id };
  assert.equal((await mona.client.getProjectDatasource({ params: path })).name, 'geojson');
  await assert.rejects(
    mona.client.postProjectDatasource({
      params: await samples,
      body: internal(await samples, 'geojson', 'places.geojson'),
    }),
    { status: 403 },
  );
  await assert.rejects(mona.client.putProjectDatasource({ params: path, body: { name: 'x' } }), {
    status: 403,
  });
  await assert.rejects(mona.client.deleteProjectDatasource({ params: path }), { status: 403 });
  const file = await mona.client.getProjectDatasourceDownload({ params: path });
  assert.equal(await file.text(), places);
});

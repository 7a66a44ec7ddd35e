import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { DatasourceChange } from '@platen/contract/datasources';
import { sql } from 'kysely';
import { sampleModule } from '../../apps/modules/testing.ts';
import { adminPassword, startReplica, startService } from '../../testing.ts';
import { archiveOf, askFor, registerFile } from './testing.ts';

let offsetMs = 0;
const service = await startService({ now: () => new Date(Date.now() + offsetMs) });
const { admin, app, context } = service;
const replica = await startReplica(context);
const world = { name: 'City', description: '', bbox: [-180, -85, 180, 85] };
const { _id: projectId, defaultDataBucketId: dataBucketId } = await admin.postProject({ body: world });
const params = { projectId, dataBucketId };

async function upload(files: Record<string, string | Uint8Array>): Promise<void> {
  const form = new FormData();
  for (const [key, content] of Object.entries(files)) {
    const bytes = typeof content === 'string' ? content : new Uint8Array(content);
    form.append(key, new Blob([bytes]), 'file');
  }
  await admin.postProjectDataBucketUpload({ params, query: { overwrite: true }, body: form });
}

const geojson = (name: string) => JSON.stringify({ type: 'FeatureCollection', name, features: [] });
const tileset = (content: string) =>
  JSON.stringify({
    asset: { version: '1.1' },
    geometricError: 1,
    root: { boundingVolume: { sphere: [0, 0, 0, 1] }, geometricError: 0, content: { uri: content } },
  });
const bodyOf = async (path: string) => (await askFor(service, path)).body;
const statusOf = async (path: string) => (await askFor(service, path)).statusCode;
let file = '';
let folder = '';
let tiles = '';

before(async () => {
  await upload({
    'places.geojson': geojson('one'),
    'city/tileset.json': tileset('a.glb'),
    'city/a.glb': 'glTF of one',
    'places.pmtiles': archiveOf([[0, 0, 0, Buffer.from('tile of one')]]),
  });
  file = await registerFile(service, params, 'geojson', 'places.geojson');
  folder = await registerFile(service, params, 'tileset', 'city/tileset.json');
  tiles = await registerFile(service, params, 'vectortiles', 'places.pmtiles');
});

test('an address with a revision keeps the data that it started with', async () => {
  await upload({
    'places.geojson': geojson('two'),
    'city/tileset.json': tileset('b.glb'),
    'city/b.glb': 'glTF of two',
    'places.pmtiles': archiveOf([[0, 0, 0, Buffer.from('tile of two')]]),
  });
  assert.equal(await bodyOf(`/data/${file}/places.geojson`), geojson('two'));
  assert.equal(await bodyOf(`/data/${file}/~1/places.geojson`), geojson('one'));
  assert.equal(await bodyOf(`/data/${file}/~1`), geojson('one'));
  assert.equal(await bodyOf(`/data/${file}/~2/places.geojson`), geojson('two'));
  assert.equal(await bodyOf(`/data/${folder}/~1/tileset.json`), tileset('a.glb'));
  assert.equal(await bodyOf(`/data/${folder}/~1/a.glb`), 'glTF of one');
  assert.equal(await bodyOf(`/data/${folder}/~2/tileset.json`), tileset('b.glb'));
  assert.equal(await bodyOf(`/data/${tiles}/~1/0/0/0.pbf`), 'tile of one');
  assert.equal(await bodyOf(`/data/${tiles}/~2/0/0/0.pbf`), 'tile of two');
});

test('a revision that is no longer kept is reported as such', async () => {
  for (const pin of ['~0', '~99', '~999999999'])
    assert.equal(await statusOf(`/data/${file}/${pin}/places.geojson`), 404, pin);
  assert.match(await bodyOf(`/data/${file}/~99/places.geojson`), /no longer available/);
  for (const pin of ['~', '~x', '~-1', '~1234567890', '~1e3'])
    assert.equal(await statusOf(`/data/${file}/${pin}/places.geojson`), 404, pin);
});

test('addresses that are made from it keep the revision', async () => {
  const { tiles: templates } = JSON.parse(await bodyOf(`/data/${tiles}/~1/tiles.json`)) as {
    tiles: string[];
  };
  assert.match(templates[0]!, new RegExp(`/data/${tiles}/~1/\\{z\\}/\\{x\\}/\\{y\\}\\.pbf$`));
});

test('documents made of it say what the revision said', async () => {
  await upload({ 'images/0/0/0.png': 'an image', 'others/0/0/0.png': 'another' });
  const images = await registerFile(service, params, 'tms', 'images');
  const tileJson = `/data/${images}/~1/tiles.json`;
  const before = JSON.parse(await bodyOf(tileJson)) as object;
  await admin.putProjectDatasource({
    params: { ...params, datasourceId: images },
    body: {
      sourceProperties: { type: 'internal', dataBucketId, dataBucketKey: 'others' },
      typeProperties: { tilingSchema: 'geographic', maxLevel: 5 },
      bbox: [1, 2, 3, 4],
    },
  });
  assert.equal(await statusOf(`/data/${images}/WMTSCapabilities.xml`), 404);
  assert.equal(await statusOf(`/data/${images}/~1/WMTSCapabilities.xml`), 200);
  assert.deepEqual(JSON.parse(await bodyOf(tileJson)), before);
});

test('users who may not read the data may not read any revision of it', async () => {
  for (const path of [`/data/${file}/~1/places.geojson`, `/data/${folder}/~1/a.glb`]) {
    assert.equal((await askFor(service, path, { token: undefined })).statusCode, 404);
    const olga = await service.user(`olga${path.length}`);
    assert.equal((await askFor(service, path, { token: olga.token })).statusCode, 404);
  }
});

test('an app asks for revisions, and new data is for those who load it then', async () => {
  const layers = [
    { type: 'GeoJSONLayer', name: 'places', datasourceId: file },
    { type: 'CesiumTilesetLayer', name: 'part', datasourceId: folder, url: `/data/${folder}/tileset.json` },
  ];
  const module = await admin.postProjectModule({ params, body: { ...sampleModule, layers } });
  const { _id: appId } = await admin.postProjectApp({
    params,
    body: { name: 'Map', moduleIds: [module._id] },
  });
  const config = async () => {
    const answer = await replica.inject({
      url: `/app/${appId}/app.config.json`,
      headers: { authorization: `Bearer ${service.adminToken}` },
    });
    const [, shown] = answer.json<{ modules: { layers: { url: string }[] }[] }>().modules;
    return { etag: answer.headers['etag'], urls: shown!.layers.map(({ url }) => url) };
  };
  const before = await config();
  assert.match(before.urls[1]!, new RegExp(`^/data/t/[\\w-]+/${folder}/~2/tileset.json$`));
  assert.equal((await config()).etag, before.etag);
  const source = { type: 'internal' as const, dataBucketId, dataBucketKey: 'city/' };
  const of = { projectId, datasourceId: folder };
  await admin.putProjectDatasource({ params: of, body: { sourceProperties: source } });
  await upload({ 'city/tileset.json': tileset('c.glb') });
  const after = await config();
  assert.notEqual(after.etag, before.etag);
  assert.equal((await app.inject({ url: before.urls[1]! })).body, tileset('b.glb'));
  assert.equal((await app.inject({ url: after.urls[1]! })).body, tileset('c.glb'));
  await admin.putProjectAppPublic({ params: { projectId, appId } });
  const [, url] = (await config()).urls;
  const answer = await app.inject({ url: url! });
  assert.equal(answer.statusCode, 200);
  assert.match(url!, new RegExp(`^/data/${folder}/~\\d+/tileset.json$`));
  // whoever takes an app back must not be shown from caches
  assert.equal(answer.headers['cache-control'], 'public, max-age=0, must-revalidate');
});

const lasting = 'private, max-age=3600, immutable';
const askedAgain = 'private, max-age=0, must-revalidate';
const cachingOf = async (path: string) => (await askFor(service, path)).headers['cache-control'];

test('a file missing in a folder can be added without a new revision', async () => {
  await upload({ 'grid/0/0/0.pbf': 'a tile' });
  const grid = await registerFile(service, params, 'vectortiles', 'grid/');
  const missing = await askFor(service, `/data/${grid}/~1/1/0/0.pbf`);
  assert.equal(missing.statusCode, 204);
  assert.equal(missing.headers['cache-control'], askedAgain);
  await upload({ 'grid/1/1/0.pbf': 'another tile' });
  assert.equal(await bodyOf(`/data/${grid}/~1/1/1/0.pbf`), 'another tile');
  assert.equal(await cachingOf(`/data/${grid}/~1/0/0/0.pbf`), lasting);
});

const styled = (name: string) => ({ style: { version: 8, name, sources: {}, layers: [] } });
const styleAt = async (revision: number) =>
  (JSON.parse(await bodyOf(`/data/${tiles}/~${revision}/style.json`)) as { name: string }).name;

test('a changed description of pinned data makes a new revision, and leaves the former one', async () => {
  const layers = [{ type: 'VectorTilesLayer', name: 'places', datasourceId: tiles }];
  const { _id: moduleId } = await admin.postProjectModule({ params, body: { ...sampleModule, layers } });
  const { _id: appId } = await admin.postProjectApp({ params, body: { name: 'M', moduleIds: [moduleId] } });
  const change = async (body: DatasourceChange) =>
    (await admin.putProjectDatasource({ params: { projectId, datasourceId: tiles }, body })).dataRevision;
  const pinned = await change({ properties: styled('old') });
  await sql`update datasource_revision set lineage = '"a job"' where datasource_id = ${tiles} and revision = ${pinned}`.execute(
    context.db,
  );
  assert.equal(await change({ properties: styled('newer') }), pinned, 'nobody has it');
  const release = () => admin.postProjectAppRelease({ params: { projectId, appId }, body: {} });
  await release();
  assert.equal(await change({ name: 'Places', properties: styled('newer') }), pinned, 'it says the same');
  assert.equal(await change({ properties: styled('newest') }), pinned + 1);
  assert.deepEqual([await styleAt(pinned), await styleAt(pinned + 1)], ['newer', 'newest']);
  await release();
  assert.equal(await change({ bbox: [1, 2, 3, 4] }), pinned + 2);
  await release();
  assert.equal(await change({ typeProperties: { maxZoom: 3 } }), pinned + 3);
  assert.equal(await change({ typeProperties: { maxZoom: 2 } }), pinned + 3, 'no release has it');
  const { items } = await admin.getProjectDatasourceRevisions({
    params: { projectId, datasourceId: tiles },
  });
  assert.deepEqual(
    items.slice(0, 4).map(({ cause, bbox, typeProperties }) => [cause, bbox, typeProperties['maxZoom']]),
    [
      ['changed', [1, 2, 3, 4], 2],
      ['changed', [1, 2, 3, 4], undefined],
      ['changed', undefined, undefined],
      ['files', undefined, undefined],
    ],
  );
  const { rows: same } = await sql`select from datasource_revision
    where datasource_id = ${tiles} and revision >= ${pinned} and lineage::text = '"a job"'`.execute(
    context.db,
  );
  assert.equal(same.length, 4, 'the data is what the job made');
});

test('caches keep a revision for one reader alone, once no upload can become part of it any more', async () => {
  await upload({ 'growing.geojson': geojson('one') });
  const growing = await registerFile(service, params, 'geojson', 'growing.geojson');
  assert.equal(await cachingOf(`/data/${growing}/~1`), lasting);
  for (const name of ['two', 'three']) {
    await upload({ 'growing.geojson': geojson(name) });
    assert.equal(await bodyOf(`/data/${growing}/~2`), geojson(name));
    assert.equal(await cachingOf(`/data/${growing}/~2`), askedAgain);
    assert.equal(await cachingOf(`/data/${growing}/~1`), lasting);
  }
  offsetMs += 11 * 60_000;
  assert.equal(await cachingOf(`/data/${growing}/~2`), lasting);
  await upload({ 'growing.geojson': geojson('four') });
  assert.equal(await bodyOf(`/data/${growing}/~2`), geojson('three'));
  assert.equal(await cachingOf(`/data/${growing}/~3`), askedAgain);
});

test('replaced data is served for a day, and then no more', async () => {
  const old = `/data/${file}/~1/places.geojson`;
  assert.equal(await statusOf(old), 200);
  offsetMs = 23.5 * 3_600_000;
  assert.equal(await statusOf(old), 200);
  offsetMs = 24.5 * 3_600_000;
  const { token } = await service.as().postLogin({ body: { username: 'admin', password: adminPassword } });
  assert.equal((await askFor(service, old, { token })).statusCode, 404);
  assert.equal((await askFor(service, `/data/${file}/~2/places.geojson`, { token })).statusCode, 200);
  offsetMs = 0;
});

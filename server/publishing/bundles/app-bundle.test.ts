import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createClient } from '@platen/client/client';
import { apiEndpoints } from '@platen/contract/api';
import type { BundleFile } from '@platen/contract/runner-bundle';
import { tileIdOf } from '@platen/geo/pmtiles/tile-id';
import { zipOf } from '@platen/formats/zip/testing';
import { createApp } from '../../app.ts';
import type { Context } from '../../base/context.ts';
import { archiveOf } from '../../datasources/serving/testing.ts';
import { sendTo, startService } from '../../testing.ts';
import {
  addApp,
  addDatasource,
  listAll,
  projectForBundles,
  publishing,
  putFiles,
  readFile,
  type HeldJob,
} from './testing.ts';

const service = await startService();
const { admin, context } = service;
const params = await projectForBundles(service);

const tileset = JSON.stringify({
  asset: { version: '1.1' },
  geometricError: 1,
  root: {
    boundingVolume: { region: [0, 0, 1, 1, 0, 1] },
    geometricError: 0,
    content: { uri: 'a/b.glb' },
  },
});
const style = { version: 8, sources: { own: { type: 'vector', url: 'tiles.json' } }, layers: [] };
const geojson = '{"type":"FeatureCollection","features":[]}';
await putFiles(service, params, {
  'city.zip': zipOf([
    { name: 'city/tileset.json', content: tileset, method: 8 },
    { name: 'city/a/b.glb', content: gzipSync('glTF'), method: 8 },
    { name: 'city/a/picture.png', content: 'PNG' },
    { name: '__MACOSX/city/._a', content: 'junk' },
  ]).bytes,
  'places.pmtiles': archiveOf([
    [0, 0, 0, Buffer.from('zero')],
    [1, 0, 0, Buffer.from('north west')],
    [1, 1, 1, Buffer.from('south east')],
  ]),
  'my trees.geojson': geojson,
});
const tilesetId = await addDatasource(service, params, { type: 'tileset', key: 'city.zip' });
const tilesId = await addDatasource(service, params, {
  type: 'vectortiles',
  key: 'places.pmtiles',
  properties: { style },
});
const treesId = await addDatasource(service, params, { type: 'geojson', key: 'my trees.geojson' });

async function layerOf(datasourceId: string) {
  return admin.getProjectDatasourceConfig({ params: { ...params, datasourceId } });
}

const ours = (files: readonly BundleFile[]) =>
  files.filter(({ path }) => !/^(?:engines\/|basemap\/|preview)/.test(path)).map(({ path }) => path);

interface Config {
  readonly modules: Record<string, unknown>[];
  readonly addresses: string[];
}

async function configOf(held: HeldJob, files: readonly BundleFile[]): Promise<Config> {
  const { path } = files.find((file) => file.path.startsWith('app-'))!;
  return JSON.parse((await readFile(held, path)).toString()) as Config;
}

/** As bundle-start.ts finds it. */
function valueAt(config: unknown, pointer: string): unknown {
  let value = config;
  for (const key of pointer.split('/').slice(1)) value = (value as Record<string, unknown>)[key];
  return value;
}

test('a bundle of an app has the page, the map viewer and all data unpacked, and addresses within itself', async () => {
  const layers = await Promise.all([tilesetId, tilesId, treesId].map(layerOf));
  const own = {
    type: 'MapboxStyleLayer',
    name: 'style',
    datasourceId: tilesId,
    url: `/data/${tilesId}/style.json`,
  };
  const appId = await addApp(service, params, [{ layers: [...layers, own] }]);
  const held = await publishing(service, params, { jobType: 'PublishApp', appId });
  const files = await listAll(held);
  const paths = new Set(files.map(({ path }) => path));
  assert.equal(paths.size, files.length);
  const config = await configOf(held, files);
  const [folder, tiles, trees] = [tilesetId, tilesId, treesId].map((id) => `data/${id}/~1`) as [
    string,
    string,
    string,
  ];
  const configPath = ours(files).find((path) => path.startsWith('app-'))!;
  assert.deepEqual(ours(files), [
    ...['tileset.json', 'a/b.glb', 'a/picture.png'].map((name) => `${folder}/${name}`),
    ...['0/0/0.pbf', '1/0/0.pbf', '1/1/1.pbf', 'tiles.json', 'style.json'].map((name) => `${tiles}/${name}`),
    `${trees}/my trees.geojson`,
    configPath,
    ...['licences', 'README'].map((name) => `${name}.txt`),
    'index.html',
  ]);
  assert.deepEqual(
    files.filter(({ isEntry }) => isEntry).map(({ path }) => path),
    ['index.html'],
  );
  assert.equal(files.at(-1)!.path, 'index.html');
  const text = async (path: string) => (await readFile(held, path)).toString();
  assert.equal(await text(`${folder}/tileset.json`), tileset);
  assert.equal(await text(`${folder}/a/b.glb`), 'glTF');
  assert.equal(await text(`${folder}/a/picture.png`), 'PNG');
  assert.equal(await text(`${tiles}/1/1/1.pbf`), 'south east');
  assert.equal(await text(`${trees}/my trees.geojson`), geojson);
  const { tiles: templates } = JSON.parse(await text(`${tiles}/tiles.json`)) as { tiles: string[] };
  assert.deepEqual(templates, ['{z}/{x}/{y}.pbf']);
  assert.match(await text(`${tiles}/style.json`), /"url":"\.\/tiles\.json"/);
  assert.deepEqual(
    config.addresses.map((pointer) => valueAt(config, pointer)),
    [
      'basemap/world/{TileMatrix}/{TileCol}/{TileRow}.png',
      'basemap/world-detail/{z}/{x}/{y}.mvt',
      `${folder}/tileset.json`,
      `${tiles}/{z}/{x}/{y}.pbf`,
      `${trees}/my%20trees.geojson`,
      `${tiles}/style.json`,
    ],
  );
  for (const { path, size } of files.filter(({ path: each }) => !each.startsWith('basemap')).slice(-12))
    assert.ok(size === undefined || (await readFile(held, path)).length === size, path);
});

test('the tiles of the world maps that an app has chosen are in its bundle', async () => {
  const baseMaps = ['world-dark', 'world-grey', 'world-names'];
  const appId = await addApp(service, params, [{}], { baseMaps });
  const held = await publishing(service, params, { jobType: 'PublishApp', appId });
  const paths = (await listAll(held)).map(({ path }) => path);
  const folders = paths.flatMap((path) => /^basemap\/([a-z-]+)\/0\/0\/0\.png$/.exec(path)?.[1] ?? []);
  assert.deepEqual(folders.toSorted(), ['world-dark', 'world-grey']);
  assert.equal(paths.filter((path) => path.startsWith('basemap/world-detail/')).length, 1024);
  for (const language of ['en', 'de'])
    assert.equal(paths.filter((path) => path.startsWith(`basemap/world-names-${language}/`)).length, 1365);
  const config = JSON.parse(
    (
      await readFile(
        held,
        paths.find((path) => path.startsWith('app-'))!,
      )
    ).toString(),
  ) as {
    addresses: string[];
  };
  assert.deepEqual(
    config.addresses.map((pointer) => valueAt(config, pointer)),
    [
      ...['world-dark', 'world-dark', 'world-grey'].map(
        (folder) => `basemap/${folder}/{TileMatrix}/{TileCol}/{TileRow}.png`,
      ),
      ...Array<string>(2).fill('basemap/world-detail/{z}/{x}/{y}.mvt'),
      ...Array<string>(2).fill('basemap/world-names-{locale}/{z}/{x}/{y}.mvt'),
    ],
  );
});

test('the page of a bundle names nothing but files of it', async () => {
  const appId = await addApp(service, params, [{ layers: [await layerOf(treesId)] }], {
    name: '<b>"Ours" & theirs</b>',
  });
  const held = await publishing(service, params, { jobType: 'PublishApp', appId });
  const files = await listAll(held);
  const paths = new Set(files.map(({ path }) => path));
  const page = (await readFile(held, 'index.html')).toString();
  const base = /<base href="([^"]+)">/.exec(page)![1]!;
  assert.match(base, /^engines\/6\.3\.\d+\/$/);
  const named = [...page.matchAll(/ (?:href|src)="([^"]+)"|platen:config" content="([^"]+)"/g)]
    .map((match) => match[1] ?? match[2]!)
    .filter((address) => address !== base && !address.startsWith('data:'));
  assert.ok(named.length > 8, String(named));
  for (const address of named) {
    const { pathname, origin } = new URL(address, new URL(base, 'https://any.example/sub/folder/').href);
    assert.equal(origin, 'https://any.example');
    assert.ok(paths.has(pathname.replace('/sub/folder/', '')), address);
  }
  const policy = /Content-Security-Policy" content="([^"]+)"/.exec(page)![1]!;
  assert.ok(
    !/unsafe-eval/.test(policy.replace('wasm-unsafe-eval', '')) && !policy.includes('frame-ancestors'),
  );
  assert.ok(page.indexOf('Content-Security-Policy') < page.indexOf('<base'));
  assert.ok(!page.includes('<b>'));
  const start = [...paths].find((path) => path.startsWith('engines/platen/bundle-start-'))!;
  const next = /new URL\('([^']+)', import\.meta\.url\)/.exec((await readFile(held, start)).toString())![1]!;
  assert.ok(paths.has(`engines/platen/${next}`), next);
});

test('an attempt keeps the app and the data that it started with, on any replica; the next one starts over', async (t) => {
  await putFiles(service, params, { 'changing/a.geojson': geojson, 'changing/b.geojson': geojson });
  const datasourceId = await addDatasource(service, params, { type: 'generic', key: 'changing/' });
  const layer = { type: 'GeoJSONLayer', name: 'a', datasourceId, url: `/data/${datasourceId}/a.geojson` };
  const appId = await addApp(service, params, [{ layers: [layer] }]);
  const held = await publishing(service, params, { jobType: 'PublishApp', appId });
  const before = await listAll(held);
  const config = await configOf(held, before);

  const changed = '{"type":"FeatureCollection","features":[],"name":"changed"}';
  await putFiles(service, params, { 'changing/a.geojson': changed, 'changing/c.geojson': geojson });
  await admin.putProjectDatasource({
    params: { ...params, datasourceId },
    body: {
      sourceProperties: {
        type: 'internal',
        dataBucketId: params.dataBucketId,
        dataBucketKey: 'my trees.geojson',
      },
    },
  });
  const { moduleIds } = await admin.getProjectApp({ params: { ...params, appId } });
  const other = { type: 'GeoJSONLayer', name: 'other', datasourceId: treesId };
  await admin.putProjectModule({ params: { ...params, moduleId: moduleIds[0]! }, body: { layers: [other] } });

  const replica = await createApp(context as Context);
  t.after(() => replica.close());
  const client = createClient(apiEndpoints, { baseUrl: '', send: sendTo(replica), token: held.token });
  const again = { ...held, client };
  assert.deepEqual(await listAll(again), before);
  assert.deepEqual(await configOf(again, before), config);
  const folder = `data/${datasourceId}/~1`;
  assert.deepEqual(ours(before).slice(0, 2), [`${folder}/a.geojson`, `${folder}/b.geojson`]);
  assert.equal((await readFile(again, `${folder}/a.geojson`)).toString(), geojson);

  assert.equal(await held.kept(), 1);
  await held.holdAgain();
  assert.equal(await held.kept(), 0, 'nothing is kept of an attempt that has ended');
  const later = await listAll(held);
  assert.deepEqual(ours(later).slice(0, 1), [`data/${treesId}/~1/my trees.geojson`]);
  assert.notEqual(later.at(-1)!.version, before.at(-1)!.version);
  const engine = (files: readonly BundleFile[]) => files.filter(({ path }) => path.startsWith('engines/'));
  assert.deepEqual(engine(later), engine(before));
  await held.client.postRunnerJobFail({
    params: held.params,
    body: { code: 'failed', message: '', warnings: [] },
  });
  assert.equal(await held.kept(), 0);
});

test('many files are listed page by page, each once, and only returned cursors are accepted', async () => {
  const tiles = Array.from({ length: 2500 }, (_, i): [number, number, number, Buffer] => [
    7,
    i % 50,
    Math.floor(i / 50),
    Buffer.from(String(i)),
  ]);
  const id = ([z, x, y]: [number, number, number, Buffer]) => tileIdOf(z, x, y);
  await putFiles(service, params, {
    'many.pmtiles': archiveOf(tiles.toSorted((one, other) => id(one) - id(other))),
  });
  const datasourceId = await addDatasource(service, params, { type: 'vectortiles', key: 'many.pmtiles' });
  const held = await publishing(service, params, { jobType: 'PublishDatasource', datasourceId });
  const { client } = held;
  const first = await client.getRunnerJobBundle({ params: held.params, query: {} });
  assert.equal(first.files.length, 1000);
  const files = await listAll(held);
  assert.equal(new Set(files.map(({ path }) => path)).size, 2500 + 2);
  assert.deepEqual(await client.getRunnerJobBundle({ params: held.params, query: { cursor: first.next! } }), {
    files: files.slice(1000, 2000),
    next: await nextOf(held, first.next!),
  });
  const read = await readFile(held, '7/49/49.pbf');
  assert.equal(read.toString(), '2499');
  for (const cursor of [
    'x',
    Buffer.from('[-1,"",0]').toString('base64url'),
    Buffer.from('{}').toString('base64url'),
  ])
    await assert.rejects(client.getRunnerJobBundle({ params: held.params, query: { cursor } }), {
      status: 400,
    });
  const beyond = Buffer.from('[99,"zzz",0]').toString('base64url');
  assert.deepEqual(await client.getRunnerJobBundle({ params: held.params, query: { cursor: beyond } }), {
    files: [],
  });
  for (const path of [
    '7/50/0.pbf',
    '7/49/49.png',
    '07/49/49.pbf',
    '../README.txt',
    'README.txt/',
    'many.pmtiles',
  ])
    await assert.rejects(
      client.getRunnerJobBundleFile({ params: held.params, query: { path } }),
      { status: 404 },
      path,
    );
});

const nextOf = async ({ client, params: own }: HeldJob, cursor: string) =>
  (await client.getRunnerJobBundle({ params: own, query: { cursor } })).next;

test('only the holder of a publishing job may list a bundle', async () => {
  const held = await publishing(service, params, { jobType: 'PublishDatasource', datasourceId: treesId });
  const { params: own } = held;
  for (const client of [admin, service.as(), service.as('x')])
    await assert.rejects(client.getRunnerJobBundle({ params: own, query: {} }), { status: 401 });
  await held.client.postRunnerJobFail({ params: own, body: { code: 'failed', message: '', warnings: [] } });
  await assert.rejects(listAll(held), { status: 401 });
  const unusable = { status: 422, code: 'unusable_reference' };
  for (const job of [{ jobType: 'PublishApp', appId: 'none' }, { jobType: 'CheckRunner' }])
    await assert.rejects(listAll(await publishing(service, params, job)), unusable);
});

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createMbtilesWriter } from '@platen/formats/mbtiles/write-mbtiles';
import { zipOf } from '@platen/formats/zip/testing';
import { tileType } from '@platen/geo/pmtiles/header';
import { archiveOf } from '../../datasources/serving/testing.ts';
import { startService } from '../../testing.ts';
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
const { admin } = service;
const params = await projectForBundles(service);
const png = Buffer.from('89504e470d0a1a0a', 'hex');

async function heldOf(datasourceId: string): Promise<HeldJob> {
  return publishing(service, params, { jobType: 'PublishDatasource', datasourceId });
}

/** Paths of a bundle, with those that come last in brackets. */
async function pathsOf(held: HeldJob): Promise<string[]> {
  return (await listAll(held)).map(({ path, isEntry }) => (isEntry ? `[${path}]` : path));
}

const textOf = async (held: HeldJob, path: string) => (await readFile(held, path)).toString();

async function squares(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'platen-bundle-'));
  try {
    const path = join(folder, 'a.mbtiles');
    const writer = createMbtilesWriter(path);
    writer.addTile(0, 0, 0, gzipSync('whole'));
    writer.addTile(1, 0, 1, gzipSync('south'));
    const metadata = { name: 'Town', vector_layers: [{ id: 'roads', fields: {} }] };
    await writer.finish({
      metadata,
      minZoom: 0,
      maxZoom: 1,
      bounds: [-10, -20, 30, 40],
      center: [10, 10, 1],
    });
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('tiles of PMTiles and MBTiles are files under the names that layers ask for', async () => {
  await putFiles(service, params, {
    'pictures.pmtiles': archiveOf(
      [
        [1, 0, 0, png],
        [1, 1, 1, png],
      ],
      tileType.webp,
    ),
    'town.mbtiles': await squares(),
  });
  const tms = await heldOf(await addDatasource(service, params, { type: 'tms', key: 'pictures.pmtiles' }));
  assert.deepEqual(await pathsOf(tms), ['1/0/1.png', '1/1/0.png', 'README.txt', '[tiles.json]']);
  assert.deepEqual(await readFile(tms, '1/0/1.png'), png);
  assert.match(await textOf(tms, 'tiles.json'), /"tiles":\["\{z\}\/\{x\}\/\{y\}\.png"\],"scheme":"tms"/);
  const wmts = await heldOf(
    await addDatasource(service, params, { type: 'wmts', key: 'pictures.pmtiles', bbox: [0, 0, 1, 1] }),
  );
  assert.deepEqual(await pathsOf(wmts), ['1/0/0.png', '1/1/1.png', 'README.txt', '[tiles.json]']);
  const town = await heldOf(
    await addDatasource(service, params, {
      type: 'vectortiles',
      key: 'town.mbtiles',
      properties: {
        style: { version: 8, sources: { a: { type: 'vector', url: 'tiles.json' } }, layers: [] },
      },
    }),
  );
  const paths = await pathsOf(town);
  assert.deepEqual(paths.toSorted(), [
    '0/0/0.pbf',
    '1/0/1.pbf',
    'README.txt',
    '[style.json]',
    '[tiles.json]',
  ]);
  assert.deepEqual(paths.slice(-2), ['[tiles.json]', '[style.json]']);
  assert.equal(await textOf(town, '1/0/1.pbf'), 'south');
  assert.match(await textOf(town, 'style.json'), /"url":"\.\/tiles\.json"/);
});

test('terrain of an archive is layer.json and plain tiles, whose rows count from the south', async () => {
  const layer = { format: 'quantized-mesh-1.0', scheme: 'tms', minzoom: 0, maxzoom: 1 };
  const tiles: [number, number, number, Buffer][] = [
    [1, 0, 0, Buffer.from('west')],
    [1, 1, 0, Buffer.from('east')],
    [2, 2, 1, Buffer.from('south')],
  ];
  await putFiles(service, params, { 'ground.pmtiles': archiveOf(tiles, tileType.unknown, { layer }) });
  const ground = await heldOf(await addDatasource(service, params, { type: 'qmesh', key: 'ground.pmtiles' }));
  assert.deepEqual(await pathsOf(ground), [
    '0/0/0.terrain',
    '0/1/0.terrain',
    '1/2/0.terrain',
    'README.txt',
    '[layer.json]',
  ]);
  assert.equal(await textOf(ground, '1/2/0.terrain'), 'south');
  assert.deepEqual(JSON.parse(await textOf(ground, 'layer.json')), {
    ...layer,
    version: '1.0.0',
    tiles: ['{z}/{x}/{y}.terrain'],
  });
});

test('tiles packed by tilers are plain in a bundle, from folders, zip files and single files', async () => {
  const collection = '{"type":"FeatureCollection","features":[]}';
  const metadata = JSON.stringify({ name: 'Roads', minzoom: 0, maxzoom: 0, vector_layers: [] });
  await putFiles(service, params, {
    'roads/0/0/0.pbf': gzipSync('a tile'),
    'roads/metadata.json': metadata,
    'roads/notes/ä & b.txt': 'notes',
    'roads.zip': zipOf([
      { name: '0/0/0.pbf', content: gzipSync('a tile'), method: 8 },
      { name: 'metadata.json', content: metadata, method: 93 },
    ]).bytes,
    'one.geojson': collection,
    'things.zip': zipOf([{ name: 'a.txt', content: 'a' }]).bytes,
  });
  const folder = await heldOf(await addDatasource(service, params, { type: 'vectortiles', key: 'roads/' }));
  const names = ['0/0/0.pbf', 'metadata.json', 'notes/ä & b.txt', 'README.txt', '[tiles.json]'];
  assert.deepEqual(await pathsOf(folder), names);
  assert.equal(await textOf(folder, '0/0/0.pbf'), 'a tile');
  assert.equal(await textOf(folder, 'notes/ä & b.txt'), 'notes');
  const zip = await heldOf(await addDatasource(service, params, { type: 'vectortiles', key: 'roads.zip' }));
  assert.deepEqual(
    await pathsOf(zip),
    names.filter((name) => !name.startsWith('notes')),
  );
  assert.equal(await textOf(zip, '0/0/0.pbf'), 'a tile');
  assert.equal(await textOf(zip, 'metadata.json'), metadata);
  const one = await heldOf(await addDatasource(service, params, { type: 'geojson', key: 'one.geojson' }));
  await putFiles(service, params, { 'one.geojson': gzipSync(collection) });
  const again = await heldOf(one.options['datasourceId'] as string);
  assert.deepEqual(await pathsOf(again), ['README.txt', '[one.geojson]']);
  assert.equal(await textOf(again, 'one.geojson'), collection);
  const generic = await heldOf(await addDatasource(service, params, { type: 'generic', key: 'things.zip' }));
  assert.deepEqual(await pathsOf(generic), ['README.txt', '[things.zip]']);
});

test('data on other servers cannot be bundled, and damaged data is named', async () => {
  const { _id } = await admin.postProjectDatasource({
    params,
    body: { name: 'WMS', type: 'wms', sourceProperties: { type: 'external', url: 'https://wms.example/a' } },
  });
  await assert.rejects(listAll(await heldOf(_id)), {
    status: 422,
    message: /is on another server: https:\/\/wms\.example/,
  });
  await putFiles(service, params, { 'whole.pmtiles': archiveOf([[0, 0, 0, Buffer.from('a')]]) });
  const key = 'whole.pmtiles';
  const damaged = await addDatasource(service, params, { type: 'vectortiles', key, name: 'Broken' });
  await putFiles(service, params, { [key]: Buffer.alloc(500, 'PMTiles') });
  await assert.rejects(listAll(await heldOf(damaged)), { status: 422, message: /“Broken” is damaged/ });
});

test('layers whose data is deleted, or that static servers cannot show, are omitted with a note; external ones stay', async () => {
  await putFiles(service, params, {
    'gone.geojson': '{"type":"FeatureCollection","features":[]}',
    'kept.geojson': '{"type":"FeatureCollection","features":[]}',
    'images.fgb': Buffer.alloc(8),
  });
  const gone = await addDatasource(service, params, { type: 'geojson', key: 'gone.geojson' });
  const kept = await addDatasource(service, params, {
    type: 'geojson',
    key: 'kept.geojson',
    name: 'Kept trees',
  });
  const { _id: foreign } = await admin.postProjectDatasource({
    params,
    body: {
      name: 'Their WMS',
      type: 'wms',
      sourceProperties: { type: 'external', url: 'https://wms.example/a' },
    },
  });
  const scene = await sceneOf(kept);
  const layers = [
    { type: 'GeoJSONLayer', name: 'the gone', datasourceId: gone },
    { type: 'GeoJSONLayer', name: 'the kept', datasourceId: kept, url: `/data/${kept}/former name.geojson` },
    { type: 'WMSLayer', name: 'the foreign', datasourceId: foreign },
    { type: 'I3SLayer', name: 'the scene', datasourceId: scene },
  ];
  const appId = await addApp(service, params, [{ name: 'Mixed', layers }]);
  await admin.deleteProjectDatasource({ params: { ...params, datasourceId: gone }, query: { force: true } });
  const held = await publishing(service, params, { jobType: 'PublishApp', appId });
  const files = await listAll(held);
  const config = await textOf(held, files.find(({ path }) => path.startsWith('app-'))!.path);
  const { modules } = JSON.parse(config) as { modules: { layers: { name: string; url: string }[] }[] };
  assert.deepEqual(
    modules[1]!.layers.map(({ name, url }) => [name, url]),
    [
      ['the kept', `data/${kept}/~1/kept.geojson`],
      ['the foreign', 'https://wms.example/a'],
    ],
  );
  const readme = await textOf(held, 'README.txt');
  assert.match(readme, /“the gone” of the module “Mixed” is left out/);
  assert.match(readme, /“the scene” of the module “Mixed” is left out.*3D Tiles/);
  assert.match(readme, /Their WMS: https:\/\/wms\.example\/a/);
  assert.match(await textOf(held, 'index.html'), /connect-src .*https:\/\/wms\.example/);
  assert.ok(!files.some(({ path }) => path.includes(gone) || path.includes(scene)));
});

/** A datasource that was one of something else, as a scene layer takes much to make. */
async function sceneOf(datasourceId: string): Promise<string> {
  const { context } = service;
  const { _id, ...rest } = await admin.getProjectDatasource({ params: { ...params, datasourceId } });
  const { sourceProperties, name, type } = rest;
  const scene = await admin.postProjectDatasource({ params, body: { name, type, sourceProperties } });
  for (const table of ['datasource', 'datasource_revision'] as const)
    await context.db
      .updateTable(table)
      .set({ type: 'i3s' })
      .where(table === 'datasource' ? 'id' : 'datasource_id', '=', scene._id as never)
      .execute();
  return scene._id;
}

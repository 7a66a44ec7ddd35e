import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { gunzipSync, gzipSync, zstdDecompressSync } from 'node:zlib';
import type { NewDatasource } from '@platen/contract/datasources';
import { createMbtilesWriter } from '@platen/formats/mbtiles/write-mbtiles';
import { indexedZipOf, zipOf, type TestMember } from '@platen/formats/zip/testing';
import { startService } from '../../testing.ts';
import { askFor, registerFile, type DataQuery } from './testing.ts';

const world = { name: 'City', description: 'All of it', bbox: [-180, -85, 180, 85] };
const service = startService();
let params: { projectId: string; dataBucketId: string };

const tileset = JSON.stringify({
  asset: { version: '1.1' },
  geometricError: 1,
  root: {},
  extras: 'long '.repeat(99),
});
const terrainTile = gzipSync('terrain');
const large = Buffer.alloc(900_000, 'a large model ').toString('latin1');
const members: TestMember[] = [
  { name: 'tileset.json', content: tileset, method: 8 },
  { name: 'a/stored.glb', content: 'glTF stored' },
  { name: 'a/packed.b3dm', content: 'b3dm '.repeat(200), method: 8 },
  { name: 'a/zstd.pnts', content: 'pnts '.repeat(200), method: 93 },
  { name: 'a/gzip.b3dm', content: gzipSync('b3dm in gzip') },
  { name: 'a/both.json', content: gzipSync('{"packed":"twice"}'), method: 8 },
  { name: 'a/large.bin', content: large, method: 8 },
  { name: 'a/page.html', content: '<script>alert(1)</script>', method: 8 },
];
const layer = { id: 0, layerType: '3DObject', spatialReference: { wkid: 4326 }, store: { version: '1.7' } };
const packed = (value: unknown) => gzipSync(typeof value === 'string' ? value : JSON.stringify(value));
const package_: TestMember[] = [
  { name: '3dSceneLayer.json.gz', content: packed(layer) },
  { name: 'nodepages/0.json.gz', content: packed({ nodes: [] }) },
  { name: 'nodes/12/geometries/1.bin.gz', content: packed('geometry') },
  { name: 'nodes/12/attributes/f_0/0.bin.gz', content: packed('attributes') },
  { name: 'nodes/12/textures/0.jpg', content: 'jpeg' },
  { name: 'nodes/12/textures/0_0_1.bin.dds.gz', content: packed('dds') },
  { name: 'nodes/12/shared/sharedResource.json.gz', content: packed({}) },
  { name: 'nodes/root/3dNodeIndexDocument.json.gz', content: packed({ id: 'root' }) },
  { name: 'statistics/f_1/0.json.gz', content: packed({ stats: {} }) },
  { name: 'sublayers/3/3dSceneLayer.json.gz', content: packed({ id: 3 }) },
  { name: 'sublayers/3/nodes/1/features/0.json.gz', content: packed({ features: [] }) },
];

const vectorTile = gzipSync('a tile of vectors');

async function mbtiles(format: string, tile: Uint8Array): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'platen-mbtiles-'));
  try {
    const path = join(folder, 'a.mbtiles');
    const writer = createMbtilesWriter(path);
    writer.addTile(1, 0, 0, tile);
    const metadata = { name: 'Town', vector_layers: [{ id: 'roads', fields: {} }] };
    await writer.finish({
      metadata,
      minZoom: 0,
      maxZoom: 1,
      bounds: [-10, -20, 30, 40],
      center: [10, 10, 1],
    });
    const { DatabaseSync } = await import('node:sqlite');
    const database = new DatabaseSync(path);
    database.prepare(`update metadata set value = ? where name = 'format'`).run(format);
    database.close();
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

before(async () => {
  const { admin } = await service;
  const { _id, defaultDataBucketId } = await admin.postProject({ body: world });
  params = { projectId: _id, dataBucketId: defaultDataBucketId };
  const below = (folder: string, of: readonly TestMember[]) =>
    of.map((member) => ({ ...member, name: `${folder}/${String(member.name)}` }));
  const files: Record<string, Buffer> = {
    'mesh.3tz': indexedZipOf(members),
    'mesh.zip': zipOf(below('mesh of the town', members), { isLarge: true }).bytes,
    'scene.slpk': indexedZipOf(package_, { kind: 'slpk' }),
    'terrain.zip': zipOf([
      { name: 'layer.json', content: '{"tilejson":"2.1.0"}', method: 8 },
      { name: '0/0/0.terrain', content: terrainTile },
      { name: '0/1/0.terrain', content: terrainTile },
    ]).bytes,
    'tiles.zip': zipOf([
      { name: 'metadata.json', content: '{"name":"Zipped","minzoom":"0","maxzoom":"0"}', method: 8 },
      { name: '0/0/0.pbf', content: vectorTile },
    ]).bytes,
    'vectors.mbtiles': await mbtiles('pbf', vectorTile),
    'images.mbtiles': await mbtiles('jpg', Buffer.from('jpeg bytes')),
    'damaged.3tz': indexedZipOf(members),
    'damaged.mbtiles': await mbtiles('pbf', vectorTile),
    ...Object.fromEntries(
      package_.map(({ name, content }) => [`unpacked/${String(name)}`, Buffer.from(content as Buffer)]),
    ),
  };
  await upload(files);
});

async function upload(files: Record<string, Buffer>, query = {}) {
  const { admin } = await service;
  const form = new FormData();
  for (const [key, content] of Object.entries(files))
    form.append(key, new Blob([new Uint8Array(content)]), 'file');
  await admin.postProjectDataBucketUpload({ params, query, body: form });
}

const register = async (type: NewDatasource['type'], key: string) =>
  registerFile(await service, params, type, key);
const ask = async (path: string, options: DataQuery = {}) => askFor(await service, path, options);
const gzip = { 'accept-encoding': 'gzip' };

for (const key of ['mesh.3tz', 'mesh.zip']) {
  test(`members of ${key} are served by their paths, and compressed ones as gzip without recompression`, async () => {
    const id = await register('tileset', key);
    const get = (rest: string, headers: Record<string, string> = {}) =>
      ask(`/data/${id}/${rest}`, { headers });
    const entry = await get('tileset.json', gzip);
    assert.deepEqual(
      [entry.statusCode, entry.headers['content-encoding'], entry.headers['content-type']],
      [200, 'gzip', 'application/json'],
    );
    assert.equal(Number(entry.headers['content-length']), entry.rawPayload.length);
    assert.equal(gunzipSync(entry.rawPayload).toString(), tileset);
    const plain = await get('tileset.json');
    assert.deepEqual([plain.headers['content-encoding'], plain.body], [undefined, tileset]);
    assert.equal(plain.headers['content-length'], String(tileset.length));
    assert.notEqual(plain.headers['etag'], entry.headers['etag']);
    assert.match(String(plain.headers['vary']), /Accept-Encoding/);

    assert.equal((await get('a/stored.glb', gzip)).body, 'glTF stored');
    assert.equal((await get('a/packed.b3dm')).body, 'b3dm '.repeat(200));
    assert.equal((await get('a/gzip.b3dm')).body, 'b3dm in gzip');
    const gzipped = await get('a/gzip.b3dm', gzip);
    assert.equal(gunzipSync(gzipped.rawPayload).toString(), 'b3dm in gzip');
    assert.equal((await get('a/both.json')).body, '{"packed":"twice"}');
    assert.equal(gunzipSync((await get('a/both.json', gzip)).rawPayload).toString(), '{"packed":"twice"}');
    assert.equal((await get('a/zstd.pnts', gzip)).body, 'pnts '.repeat(200));
    const zstd = await get('a/zstd.pnts', { 'accept-encoding': 'gzip, zstd' });
    assert.equal(zstd.headers['content-encoding'], 'zstd');
    assert.equal(zstdDecompressSync(zstd.rawPayload).toString(), 'pnts '.repeat(200));
    assert.equal((await get('a/large.bin')).body, large);
    assert.equal(gunzipSync((await get('a/large.bin', gzip)).rawPayload).toString(), large);
    assert.equal((await get('a/page.html')).headers['content-disposition'], 'attachment');
    for (const rest of ['a', 'a/', 'other', '../scene.slpk', '..%2fscene.slpk', 'a%00', '@3dtilesIndex1@x'])
      assert.equal((await get(rest)).statusCode, 404, rest);
  });
}

test('a member has its own strong ETag, and is served by range if it is stored uncompressed', async () => {
  const path = `/data/${await register('tileset', 'mesh.3tz')}/a/stored.glb`;
  const { headers } = await ask(path);
  const etag = String(headers['etag']);
  assert.match(etag, /^"[\w-]+"$/);
  assert.equal((await ask(path, { headers: { 'if-none-match': etag } })).statusCode, 304);
  const part = await ask(path, { headers: { range: 'bytes=5-7' } });
  assert.deepEqual([part.statusCode, part.body, part.headers['content-range']], [206, 'sto', 'bytes 5-7/11']);
  const head = await ask(path, { method: 'HEAD' });
  assert.deepEqual([head.statusCode, head.headers['content-length'], head.body], [200, '11', '']);
  const wrapped = path.replace('stored.glb', 'packed.b3dm');
  const packedEtag = String((await ask(wrapped, { headers: gzip })).headers['etag']);
  assert.equal((await ask(wrapped, { headers: { ...gzip, 'if-none-match': packedEtag } })).statusCode, 304);
  assert.equal((await ask(wrapped, { headers: { 'if-none-match': packedEtag } })).statusCode, 200);
});

test('an archive can be downloaded under its own name', async () => {
  const reply = await ask(`/data/${await register('generic', 'mesh.zip')}/mesh.zip`, {
    headers: { range: 'bytes=0-1' },
  });
  assert.deepEqual([reply.statusCode, reply.body], [206, 'PK']);
});

for (const [key, root] of [
  ['scene.slpk', 'SceneServer/'],
  ['scene.slpk', ''],
  ['unpacked', 'SceneServer/'],
]) {
  test(`${key} is served as the REST interface of a scene service, below /${root}`, async () => {
    const id = await register('i3s', key!);
    const get = (rest: string) => ask(`/data/${id}/${root}${rest}`, { headers: gzip });
    const rows: [rest: string, content: string, type: string, isPacked?: boolean][] = [
      ['layers/0?f=pjson', JSON.stringify(layer), 'application/json'],
      ['layers/0/?f=pjson', JSON.stringify(layer), 'application/json'],
      ['layers/0/nodepages/0/?f=pjson', '{"nodes":[]}', 'application/json'],
      ['layers/0/nodes/12/geometries/1/?f=pjson', 'geometry', 'application/octet-stream'],
      ['layers/0/nodes/12/attributes/f_0/0', 'attributes', 'application/octet-stream'],
      ['layers/0/nodes/12/textures/0', 'jpeg', 'image/jpeg', false],
      ['layers/0/nodes/12/textures/0_0_1', 'dds', 'image/vnd-ms.dds'],
      ['layers/0/nodes/12/shared', '{}', 'application/json'],
      ['layers/0/nodes/root', '{"id":"root"}', 'application/json'],
      ['layers/0/statistics/f_1/0', '{"stats":{}}', 'application/json'],
      ['layers/0/sublayers/3', '{"id":3}', 'application/json'],
      ['layers/0/sublayers/3/nodes/1/features/0', '{"features":[]}', 'application/json'],
    ];
    for (const [rest, content, type, isPacked = true] of rows) {
      const { statusCode, headers, rawPayload } = await get(rest);
      assert.equal(statusCode, 200, rest);
      assert.equal(headers['content-type'], type, rest);
      assert.equal(headers['content-encoding'], isPacked ? 'gzip' : undefined, rest);
      assert.equal((isPacked ? gunzipSync(rawPayload) : rawPayload).toString(), content, rest);
    }
    const server = (await get('?f=json')).json<{ layers: unknown[]; serviceVersion: string }>();
    assert.deepEqual([server.layers, server.serviceVersion], [[layer], '1.7']);
    for (const rest of ['layers/0/nodes/99', 'layers/0/nodes/12/textures/9', 'layers/0/nodepages/1'])
      assert.equal((await get(rest)).statusCode, 404, rest);
  });
}

test('terrain and vector tiles in a zip file are served like those of a folder', async () => {
  const terrain = await register('qmesh', 'terrain.zip');
  assert.equal((await ask(`/data/${terrain}/layer.json`)).body, '{"tilejson":"2.1.0"}');
  const root = await ask(`/data/${terrain}/0/0/0.terrain`, { headers: gzip });
  assert.deepEqual(
    [root.headers['content-encoding'], gunzipSync(root.rawPayload).toString()],
    ['gzip', 'terrain'],
  );
  const tiles = await register('vectortiles', 'tiles.zip');
  assert.equal((await ask(`/data/${tiles}/0/0/0.pbf`)).body, 'a tile of vectors');
  assert.equal((await ask(`/data/${tiles}/1/0/0.pbf`)).statusCode, 204);
  assert.equal((await ask(`/data/${tiles}/tiles.json`)).json<{ name: string }>().name, 'Zipped');
});

test('MBTiles are served tile by tile, with rows from the north', async () => {
  const id = await register('vectortiles', 'vectors.mbtiles');
  const packedTile = await ask(`/data/${id}/1/0/0.pbf`, { headers: gzip });
  assert.deepEqual(
    [packedTile.statusCode, packedTile.headers['content-encoding'], packedTile.headers['content-type']],
    [200, 'gzip', 'application/vnd.mapbox-vector-tile'],
  );
  assert.equal(gunzipSync(packedTile.rawPayload).toString(), 'a tile of vectors');
  assert.equal((await ask(`/data/${id}/1/0/0.mvt`)).body, 'a tile of vectors');
  const etag = String(packedTile.headers['etag']);
  assert.equal(
    (await ask(`/data/${id}/1/0/0.pbf`, { headers: { ...gzip, 'if-none-match': etag } })).statusCode,
    304,
  );
  for (const rest of ['1/0/1.pbf', '0/0/0.pbf', '99/0/0.pbf'])
    assert.equal((await ask(`/data/${id}/${rest}`)).statusCode, 204, rest);
  for (const rest of ['1/0/0.png', '1/0/0', 'x'])
    assert.equal((await ask(`/data/${id}/${rest}`)).statusCode, 404, rest);
  const tileJson = (await ask(`/data/${id}/tiles.json`)).json<Record<string, unknown>>();
  assert.deepEqual(
    { ...tileJson, tiles: (tileJson['tiles'] as string[]).map((each) => each.replace(/^.*\/data/, '/data')) },
    {
      tilejson: '3.0.0',
      name: 'Town',
      vector_layers: [{ id: 'roads', fields: {} }],
      tiles: [`/data/${id}/{z}/{x}/{y}.pbf`],
      scheme: 'xyz',
      minzoom: 0,
      maxzoom: 1,
      bounds: [-10, -20, 30, 40],
      center: [10, 10, 1],
    },
  );
});

test('images in MBTiles are served with their own type, in a TMS with rows from the south', async () => {
  const [wmts, tms] = [await register('wmts', 'images.mbtiles'), await register('tms', 'images.mbtiles')];
  const sameTile = await ask(`/data/${wmts}/1/0/0.png`);
  assert.deepEqual([sameTile.body, sameTile.headers['content-type']], ['jpeg bytes', 'image/jpeg']);
  const south = await ask(`/data/${tms}/1/0/1.png`);
  assert.deepEqual([south.body, south.headers['content-type']], ['jpeg bytes', 'image/jpeg']);
  assert.equal((await ask(`/data/${tms}/1/0/0.png`)).statusCode, 204);
  const { tiles } = (await ask(`/data/${tms}/tiles.json`)).json<{ tiles: string[] }>();
  assert.match(tiles[0]!, /\.jpg$/);
});

test('an archive that was damaged later is reported as an error of the data, not of the service', async () => {
  const [mesh, tiles] = [
    await register('tileset', 'damaged.3tz'),
    await register('vectortiles', 'damaged.mbtiles'),
  ];
  await upload(
    { 'damaged.3tz': Buffer.from('PK'), 'damaged.mbtiles': Buffer.from('SQLite') },
    { overwrite: true },
  );
  for (const path of [`${mesh}/tileset.json`, `${tiles}/1/0/0.pbf`]) {
    const reply = await ask(`/data/${path}`);
    assert.equal(reply.statusCode, 422, path);
    assert.match(reply.body, /archive behind this datasource is damaged/);
  }
});

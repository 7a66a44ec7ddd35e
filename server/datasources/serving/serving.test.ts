import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { NewDatasource } from '@platen/contract/datasources';
import { startService } from '../../testing.ts';
import { archiveOf, askFor, registerFile, type DataQuery } from './testing.ts';

const world = { name: 'City', description: 'All of it', bbox: [-180, -85, 180, 85] };
const service = startService();
let params: { projectId: string; dataBucketId: string };

const tile = Buffer.from('a tile of vectors '.repeat(10));
const geojson = `{"type":"FeatureCollection","features":[]}${' '.repeat(600_000)}`;

before(async () => {
  const { admin } = await service;
  const { _id, defaultDataBucketId } = await admin.postProject({ body: world });
  params = { projectId: _id, dataBucketId: defaultDataBucketId };
  const archive = archiveOf([
    [0, 0, 0, tile],
    [1, 0, 0, Buffer.from('north-west')],
  ]);
  await upload({
    'places.geojson': geojson,
    'places.pmtiles': archive,
    'mesh/tileset.json': '{"asset":{"version":"1.0"},"root":{}}',
    'mesh/a/b c.b3dm': 'b3dm',
    'mesh/page.html': '<script>alert(1)</script>',
    'mesh/image.svg': '<svg/>',
    'mesh/code.js': 'alert(1)',
    'mesh/packed.json': gzipSync('{"packed":true}'),
    'mesh/bomb.json': gzipSync(Buffer.alloc(17 * 2 ** 20)),
    'mesher/other.txt': 'of another folder',
    'outside.txt': 'outside',
  });
});

async function upload(files: Record<string, string | Buffer>, query = {}) {
  const { admin } = await service;
  const form = new FormData();
  for (const [key, content] of Object.entries(files))
    form.append(key, new Blob([new Uint8Array(Buffer.from(content))]), 'file');
  await admin.postProjectDataBucketUpload({ params, query, body: form });
}

const register = async (type: NewDatasource['type'], key: string) =>
  registerFile(await service, params, type, key);
const ask = async (path: string, options: DataQuery = {}) => askFor(await service, path, options);

test('a file is served whole, by range and by version, with what browsers of other origins need', async () => {
  const id = await register('geojson', 'places.geojson');
  const path = `/data/${id}/places.geojson`;
  const whole = await ask(path);
  assert.equal(whole.statusCode, 200);
  assert.equal(whole.body, geojson);
  assert.equal(whole.headers['content-type'], 'application/geo+json');
  assert.equal(whole.headers['access-control-allow-origin'], '*');
  assert.equal(whole.headers['x-content-type-options'], 'nosniff');
  assert.equal(whole.headers['content-security-policy'], 'sandbox');
  assert.equal(whole.headers['cache-control'], 'private, max-age=0, must-revalidate');
  const etag = String(whole.headers['etag']);
  assert.match(etag, /^"[0-9a-f]{64}"$/);
  const partOf = async (range: string, more = {}) => {
    const { statusCode, body, headers } = await ask(path, { headers: { range, ...more } });
    return [statusCode, body, headers['content-range']];
  };
  assert.deepEqual(await partOf('bytes=2-5'), [206, 'type', `bytes 2-5/${geojson.length}`]);
  assert.deepEqual(await partOf('bytes=2-5', { 'if-range': etag }), [
    206,
    'type',
    `bytes 2-5/${geojson.length}`,
  ]);
  assert.deepEqual((await partOf('bytes=2-5', { 'if-range': '"old"' }))[0], 200);
  assert.deepEqual((await partOf('lines=0-1'))[0], 200);
  const big = await partOf('bytes=1-500000');
  assert.deepEqual([big[0], big[1] === geojson.slice(1, 500_001)], [206, true]);
  const beyond = await ask(path, { headers: { range: 'bytes=9999999-' } });
  assert.deepEqual([beyond.statusCode, beyond.headers['content-range']], [416, `bytes */${geojson.length}`]);
  const same = await ask(path, { headers: { 'if-none-match': etag } });
  assert.deepEqual([same.statusCode, same.body, same.headers['etag']], [304, '', etag]);
  const head = await ask(path, { method: 'HEAD' });
  assert.deepEqual(
    [head.statusCode, head.body, head.headers['content-length']],
    [200, '', String(geojson.length)],
  );
  assert.equal((await ask(`/data/${id}`)).body, geojson);
  assert.equal((await ask(`/data/${id}/other.geojson`)).statusCode, 404);
});

test('a preflight is answered without asking who it is', async () => {
  const { statusCode, headers } = await ask('/data/whatever/a/b', { method: 'OPTIONS', token: undefined });
  assert.equal(statusCode, 204);
  assert.equal(headers['access-control-allow-origin'], '*');
  assert.match(String(headers['access-control-allow-headers']), /Range/);
});

test('members of a folder are served, and nothing outside it', async () => {
  const id = await register('tileset', 'mesh');
  const get = (rest: string) => ask(`/data/${id}/${rest}`);
  assert.equal((await get('a/b%20c.b3dm?v=1')).body, 'b3dm');
  assert.equal((await get('tileset.json')).statusCode, 200);
  const hostile = [
    '../outside.txt',
    '..%2foutside.txt',
    '%2e%2e/outside.txt',
    'a/../../outside.txt',
    '../mesher/other.txt',
    'a//b%20c.b3dm',
    'a%00',
    '',
    'a',
    'missing.b3dm',
  ];
  for (const rest of hostile) assert.equal((await get(rest)).statusCode, 404, rest);
});

test('pages, images with script and code are never run', async () => {
  const id = await register('tileset', 'mesh');
  for (const name of ['page.html', 'image.svg', 'code.js']) {
    const { headers } = await ask(`/data/${id}/${name}`);
    assert.equal(headers['content-disposition'] === 'attachment' || name === 'code.js', true, name);
    assert.doesNotMatch(String(headers['content-type']), /javascript|css/);
    assert.equal(headers['content-security-policy'], 'sandbox');
  }
});

test('files that tilers wrote gzipped are marked as such, and unpacked for whoever cannot', async () => {
  const id = await register('tileset', 'mesh');
  const packed = await ask(`/data/${id}/packed.json`, { headers: { 'accept-encoding': 'br, gzip' } });
  assert.equal(packed.headers['content-encoding'], 'gzip');
  assert.equal(gunzipSync(packed.rawPayload).toString(), '{"packed":true}');
  const plain = await ask(`/data/${id}/packed.json`, { headers: { 'accept-encoding': 'gzip;q=0' } });
  assert.deepEqual([plain.headers['content-encoding'], plain.body], [undefined, '{"packed":true}']);
  assert.notEqual(plain.headers['etag'], packed.headers['etag']);
  assert.match(String(plain.headers['vary']), /Accept-Encoding/);
});

test('a gzip file that unpacks to far more than its length is cut off, and sent packed', async () => {
  const id = await register('tileset', 'mesh');
  const packed = await ask(`/data/${id}/bomb.json`, { headers: { 'accept-encoding': 'gzip' } });
  assert.equal(packed.statusCode, 200);
  assert.ok(packed.rawPayload.length < 20_000);
  await assert.rejects(ask(`/data/${id}/bomb.json`, { headers: {} }));
});

test('a PMTiles archive is served tile by tile', async () => {
  const id = await register('vectortiles', 'places.pmtiles');
  const gzip = { 'accept-encoding': 'gzip' };
  const packed = await ask(`/data/${id}/0/0/0.pbf`, { headers: gzip });
  assert.equal(packed.statusCode, 200);
  assert.equal(packed.headers['content-encoding'], 'gzip');
  assert.equal(packed.headers['content-type'], 'application/vnd.mapbox-vector-tile');
  assert.deepEqual(gunzipSync(packed.rawPayload), tile);
  const plain = await ask(`/data/${id}/0/0/0.mvt`);
  assert.deepEqual([plain.headers['content-encoding'], plain.rawPayload], [undefined, tile]);
  const etag = String(packed.headers['etag']);
  const same = await ask(`/data/${id}/0/0/0.pbf`, { headers: { ...gzip, 'if-none-match': etag } });
  assert.equal(same.statusCode, 304);
  assert.notEqual(plain.headers['etag'], etag);
  const head = await ask(`/data/${id}/0/0/0.pbf`, { method: 'HEAD', headers: gzip });
  assert.deepEqual(
    [head.statusCode, head.body, head.headers['content-length']],
    [200, '', packed.headers['content-length']],
  );
  for (const rest of ['1/1/1.pbf', '9/0/0.pbf', '0/5/5.pbf', '29/0/0.pbf']) {
    const { statusCode, headers } = await ask(`/data/${id}/${rest}`);
    assert.deepEqual([statusCode, headers['access-control-allow-origin']], [204, '*'], rest);
  }
  for (const rest of ['0/0/0.png', '0/0/0', '0/0/-1.pbf', 'x/0/0.pbf']) {
    assert.equal((await ask(`/data/${id}/${rest}`)).statusCode, 404, rest);
  }
  const raw = await ask(`/data/${id}/places.pmtiles`, { headers: { range: 'bytes=0-6' } });
  assert.deepEqual([raw.statusCode, raw.body], [206, 'PMTiles']);
});

test('the TileJSON of an archive names its tiles by their full address', async () => {
  const id = await register('vectortiles', 'places.pmtiles');
  const { body, headers } = await ask(`/data/${id}/tiles.json`, { headers: { host: 'maps.example.org' } });
  assert.match(String(headers['content-type']), /^application\/json/);
  assert.deepEqual(JSON.parse(body), {
    tilejson: '3.0.0',
    name: 'Places',
    vector_layers: [{ id: 'places', fields: { name: 'String' } }],
    tiles: [`http://maps.example.org/data/${id}/{z}/{x}/{y}.pbf`],
    scheme: 'xyz',
    minzoom: 0,
    maxzoom: 1,
    bounds: [-10, -20, 30, 40],
    center: [10, 10, 1],
  });
});

test('requests for external data are redirected', async () => {
  const { admin } = await service;
  const sourceProperties = { type: 'external' as const, url: 'https://example.org/a b.geojson?x=1' };
  const call = admin.postProjectDatasource({
    params,
    body: { name: 'x', type: 'geojson', sourceProperties },
  });
  await assert.rejects(call, { status: 400 });
  const url = 'https://example.org/ä%20b.geojson?x=1';
  const { _id } = await admin.postProjectDatasource({
    params,
    body: { name: 'x', type: 'geojson', sourceProperties: { type: 'external', url } },
  });
  const { statusCode, headers } = await ask(`/data/${_id}`);
  assert.deepEqual([statusCode, headers['location']], [302, 'https://example.org/%C3%A4%20b.geojson?x=1']);
  assert.equal((await ask(`/data/${_id}`, { token: undefined })).statusCode, 404);
});

test('overwritten or deleted data is served accordingly from the next request on', async () => {
  const { admin } = await service;
  await upload({ 'changing.geojson': '{"v":1}' });
  const id = await register('geojson', 'changing.geojson');
  const path = `/data/${id}/changing.geojson`;
  assert.equal((await ask(path)).body, '{"v":1}');
  await upload({ 'changing.geojson': '{"v":2}' }, { overwrite: true });
  assert.equal((await ask(path)).body, '{"v":2}');
  await admin.deleteProjectDataBucketObject({ params, query: { key: 'changing.geojson', force: true } });
  assert.equal((await ask(path)).statusCode, 404);
});

test('an archive that was damaged later is reported as an error of the data, not of the service', async () => {
  await upload({ 'damaged.pmtiles': archiveOf([[0, 0, 0, tile]]) });
  const id = await register('vectortiles', 'damaged.pmtiles');
  await upload({ 'damaged.pmtiles': 'PMTiles' }, { overwrite: true });
  assert.equal((await ask(`/data/${id}/0/0/0.pbf`)).statusCode, 422);
});

test('a file requested before it exists is found once it exists', async () => {
  const id = await register('generic', 'mesh/');
  const path = `/data/${id}/late.txt`;
  assert.equal((await ask(path)).statusCode, 404);
  await upload({ 'mesh/late.txt': 'better late than never' });
  assert.equal((await ask(path)).body, 'better late than never');
});

test('several ranges are answered in one multipart response, and ranges that touch are joined', async () => {
  const id = await register('generic', 'places.geojson');
  const bytes = (await ask(`/data/${id}`)).rawPayload;
  const get = (range: string) => ask(`/data/${id}`, { headers: { range } });
  const { statusCode, headers, rawPayload } = await get('bytes=0-3, 10-14,-2');
  assert.equal(statusCode, 206);
  const [, boundary] = /^multipart\/byteranges; boundary=([\w-]+)$/.exec(String(headers['content-type']))!;
  assert.equal(Number(headers['content-length']), rawPayload.length);
  const parts = rawPayload.toString('latin1').split(`\r\n--${boundary}`);
  const expected = [
    [0, 3],
    [10, 14],
    [bytes.length - 2, bytes.length - 1],
  ].map(
    ([start, end]) =>
      `\r\ncontent-type: application/geo+json\r\ncontent-range: bytes ${start}-${end}/${bytes.length}\r\n\r\n${bytes.toString('latin1', start, end! + 1)}`,
  );
  assert.deepEqual(parts, ['', ...expected, '--\r\n']);
  const joined = await get('bytes=4-9,0-3,2-6');
  assert.deepEqual([joined.statusCode, joined.headers['content-range']], [206, `bytes 0-9/${bytes.length}`]);
  assert.deepEqual(joined.rawPayload, bytes.subarray(0, 10));
  const one = await get('bytes=0-1,99999999-');
  assert.deepEqual([one.statusCode, one.rawPayload.length], [206, 2]);
  assert.equal((await get('bytes=0-1,x')).statusCode, 200);
  const many = Array.from({ length: 33 }, (_, i) => `${i * 2}-${i * 2}`).join();
  assert.equal((await get(`bytes=${many}`)).statusCode, 416);
  const big = await get(`bytes=0-0,2-${bytes.length - 1}`);
  assert.ok(big.rawPayload.includes(bytes.subarray(2)));
});

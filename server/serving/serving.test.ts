import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { NewDatasource } from '@platen/contract/datasources';
import { notify } from '../database/notifications.ts';
import { newId } from '../ids.ts';
import { startService } from '../testing.ts';
import { archiveOf } from './testing.ts';

const world = { name: 'City', description: 'All of it', bbox: [-180, -85, 180, 85] };
const service = startService();
let params: { projectId: string; dataBucketId: string };

const tile = Buffer.from('a tile of vectors '.repeat(10));
const geojson = `{"type":"FeatureCollection","features":[]}${' '.repeat(600_000)}`;

before(async () => {
  const { admin } = await service;
  const { _id, defaultDataBucketId } = await admin.postProject({ body: world });
  params = { projectId: _id, dataBucketId: defaultDataBucketId };
  const archive = await archiveOf([
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

async function register(type: NewDatasource['type'], dataBucketKey: string): Promise<string> {
  const { admin } = await service;
  const sourceProperties = { type: 'internal' as const, dataBucketId: params.dataBucketId, dataBucketKey };
  const { _id } = await admin.postProjectDatasource({
    params,
    body: { name: dataBucketKey, type, sourceProperties },
  });
  return _id;
}

interface Ask {
  readonly token?: string | undefined;
  readonly method?: 'GET' | 'HEAD' | 'OPTIONS';
  readonly headers?: Record<string, string>;
}

/** As the super user unless a token, or nobody, is named. */
async function ask(path: string, { method = 'GET', headers = {}, ...who }: Ask = {}) {
  const { app, adminToken } = await service;
  const token = 'token' in who ? who.token : adminToken;
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return app.inject({ method, url: path, headers: { ...authorization, ...headers } });
}

/** An app that shows the datasource, written into the tables; a function that changes it, and tells as the service does. */
async function appOf(datasourceId: string, memberId: string, isPublic = true) {
  const { context } = await service;
  const { db } = context;
  const [module_id, app_id] = [newId(new Date()), newId(new Date())];
  const { projectId: project_id } = params;
  const now = new Date();
  const stamps = {
    created_at: now,
    created_by: memberId,
    updated_at: now,
    updated_by: memberId,
    revision: 1,
  };
  const common = { project_id, description: '', properties: '{}', member_id: memberId, ...stamps };
  await db
    .insertInto('module')
    .values({ id: module_id, name: 'm', content: '{}', ...common })
    .execute();
  await db
    .insertInto('app')
    .values({
      id: app_id,
      name: 'a',
      map_version: '^6',
      is_public: isPublic,
      publish_task_ids: [],
      ...common,
    })
    .execute();
  await db
    .insertInto('module_datasource')
    .values({ project_id, module_id, datasource_id: datasourceId })
    .execute();
  await db.insertInto('app_module').values({ project_id, app_id, position: 0, module_id }).execute();
  await notify(db, 'accessChanged');
  return {
    app_id,
    async setPublic(to: boolean) {
      await db.updateTable('app').set({ is_public: to }).where('id', '=', app_id).execute();
      await notify(db, 'accessChanged');
    },
  };
}

/** Notifications arrive some milliseconds after the commit; a second is what is promised. */
async function becomes(path: string, status: number, token?: string): Promise<void> {
  const deadline = performance.now() + 1000;
  for (;;) {
    const { statusCode } = await ask(path, { token });
    if (statusCode === status) return;
    assert.ok(performance.now() < deadline, `${path} still answers ${statusCode}, not ${status}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

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
  assert.deepEqual((await partOf('bytes=0-1,4-5'))[0], 200);
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

test('members of a folder are served, and nothing beside it', async () => {
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

test('whoever asks for external data is sent there', async () => {
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

test('data of no public app is read by members only: by GET, HEAD, range and tile alike', async () => {
  const { admin, user } = await service;
  const id = await register('vectortiles', 'places.pmtiles');
  const [member, outsider] = [await user('serving-member'), await user('serving-outsider')];
  const userId = member.id;
  await admin.putProjectUser({ params: { ...params, userId }, body: { roleId: 'projectMember' } });
  const ways: [path: string, options: Ask][] = [
    [`/data/${id}/places.pmtiles`, {}],
    [`/data/${id}/places.pmtiles`, { method: 'HEAD' }],
    [`/data/${id}/places.pmtiles`, { headers: { range: 'bytes=0-3' } }],
    [`/data/${id}/0/0/0.pbf`, {}],
    [`/data/${id}/9/9/9.pbf`, {}],
    [`/data/${id}/tiles.json`, {}],
  ];
  for (const [path, options] of ways) {
    const statusFor = async (token: string | undefined) =>
      (await ask(path, { ...options, token })).statusCode;
    assert.ok((await statusFor(member.token)) < 300, path);
    assert.equal(await statusFor(undefined), 404, path);
    assert.equal(await statusFor(outsider.token), 404, path);
    assert.equal(await statusFor('nonsense'), 401, path);
  }
  await admin.deleteProjectUser({ params: { ...params, userId } });
  await becomes(ways[0]![0], 404, member.token);
});

test('a public app opens its data to all, until it is taken back or its user may no longer read it', async () => {
  const { admin, adminId, user } = await service;
  const id = await register('geojson', 'places.geojson');
  const path = `/data/${id}/places.geojson`;
  assert.equal((await ask(path, { token: undefined })).statusCode, 404);
  const app = await appOf(id, adminId);
  await becomes(path, 200);
  const { headers } = await ask(path, { token: undefined });
  assert.equal(headers['cache-control'], 'public, max-age=0, must-revalidate');
  assert.equal((await ask(path, { token: 'nonsense' })).statusCode, 200);
  await app.setPublic(false);
  await becomes(path, 404);

  const owner = await user('serving-owner');
  const userId = owner.id;
  await admin.putProjectUser({ params: { ...params, userId }, body: { roleId: 'projectMember' } });
  await appOf(id, userId);
  await becomes(path, 200);
  await admin.deleteProjectUser({ params: { ...params, userId } });
  await becomes(path, 404);
});

test('guests of an app read its data, and no other', async () => {
  const { adminId, context, user } = await service;
  const [shown, other] = [
    await register('geojson', 'places.geojson'),
    await register('geojson', 'places.geojson'),
  ];
  const guest = await user('serving-guest');
  const { app_id } = await appOf(shown, adminId, false);
  const row = { project_id: params.projectId, app_id, user_id: guest.id };
  await context.db
    .insertInto('app_guest')
    .values({ ...row, created_at: new Date(), created_by: adminId })
    .execute();
  await notify(context.db, 'accessChanged');
  await becomes(`/data/${shown}`, 200, guest.token);
  assert.equal((await ask(`/data/${other}`, { token: guest.token })).statusCode, 404);
  assert.equal((await ask(`/data/${shown}`, { token: undefined })).statusCode, 404);
});

test('what is overwritten or deleted is served so from the next request on', async () => {
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

test('an archive that was damaged later is told of as the data, not as an error of the service', async () => {
  await upload({ 'damaged.pmtiles': await archiveOf([[0, 0, 0, tile]]) });
  const id = await register('vectortiles', 'damaged.pmtiles');
  await upload({ 'damaged.pmtiles': 'PMTiles' }, { overwrite: true });
  assert.equal((await ask(`/data/${id}/0/0/0.pbf`)).statusCode, 422);
});

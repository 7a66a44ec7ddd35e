import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestFailed } from '@platen/client/client';
import type { Context } from '../../base/context.ts';
import { sampleModule } from '../../apps/modules/testing.ts';
import { archiveOf, registerFile } from '../../datasources/serving/testing.ts';
import { startReplica, startService } from '../../testing.ts';

let offsetMs = 0;
const service = await startService({ now: () => new Date(Date.now() + offsetMs) });
const { admin, app, context } = service;
const replica = await startReplica(context as Context);
const max = await service.user('max');
const gil = await service.user('gil');
const body = { name: 'City', description: '', bbox: [-180, -85, 180, 85] };
const project = await admin.postProject({ body, query: { managerId: max.id } });
const params = { projectId: project._id, dataBucketId: project.defaultDataBucketId };
const geojson = '{"type":"FeatureCollection","features":[]}';
let shown = '';
let tiles = '';
let other = '';
let appId = '';

before(async () => {
  const form = new FormData();
  form.append('places.geojson', new Blob([geojson]), 'file');
  form.append('other.geojson', new Blob([geojson]), 'file');
  const archive = archiveOf([[0, 0, 0, Buffer.from('a tile')]]);
  form.append('places.pmtiles', new Blob([new Uint8Array(archive)]), 'file');
  await admin.postProjectDataBucketUpload({ params, body: form });
  shown = await registerFile(service, params, 'geojson', 'places.geojson');
  other = await registerFile(service, params, 'geojson', 'other.geojson');
  tiles = await registerFile(service, params, 'vectortiles', 'places.pmtiles');
  const layers = [
    { type: 'GeoJSONLayer', name: 'places', datasourceId: shown },
    { type: 'GeoJSONLayer', name: 'by url', datasourceId: shown, url: `/data/${shown}/places.geojson` },
    {
      type: 'VectorTileLayer',
      name: 'tiles',
      datasourceId: tiles,
      tileProvider: { type: 'MVTTileProvider' },
    },
  ];
  const module = await max.client.postProjectModule({ params, body: { ...sampleModule, layers } });
  const made = await max.client.postProjectApp({ params, body: { name: 'Map', moduleIds: [module._id] } });
  appId = made._id;
  await max.client.putIamRole({
    params: { roleId: 'appGuest', resourceId: appId },
    query: { principalIds: [gil.id] },
  });
});

const path = () => ({ projectId: project._id, appId });
const open = (who = gil) => who.client.postProjectAppCapability({ params: path() });
const statusOf = async (url: string, at = app) => (await at.inject({ url })).statusCode;
const statuses = (url: string) => Promise.all([statusOf(url), statusOf(url, replica)]);
const everywhere = (status: number) => [status, status];

test('the path opens what the app shows, without a header or a cookie, and nothing else', async () => {
  const { path: root, expires } = await open();
  assert.match(root, /^\/data\/t\/[\w-]{43}$/);
  assert.ok(Date.parse(expires) > Date.now());
  const answer = await app.inject({ url: `${root}/${shown}/places.geojson` });
  assert.equal(answer.statusCode, 200);
  assert.equal(answer.body, geojson);
  assert.match(String(answer.headers['cache-control']), /^private/);
  assert.equal(answer.headers['referrer-policy'], 'no-referrer');
  assert.deepEqual(await statuses(`${root}/${tiles}/0/0/0.pbf`), everywhere(200));
  assert.deepEqual(await statuses(`${root}/${other}/other.geojson`), everywhere(404));
  assert.deepEqual(await statuses(`${root}/none`), everywhere(404));
  assert.deepEqual(await statuses(`/data/${shown}/places.geojson`), everywhere(404));
  assert.deepEqual(await statuses(`/data/t/${'0'.repeat(43)}/${shown}/places.geojson`), everywhere(404));
});

test('addresses that are made from it keep the path', async () => {
  const { path: root } = await open();
  const answer = await app.inject({ url: `${root}/${tiles}/tiles.json`, headers: { host: 'maps.test' } });
  const { tiles: templates } = answer.json<{ tiles: string[] }>();
  assert.deepEqual(templates, [`http://maps.test${root}/${tiles}/{z}/{x}/{y}.pbf`]);
});

test('the configuration of a private app leads to the data by such a path, the same at each visit', async () => {
  const headers = { authorization: `Bearer ${gil.token}` };
  const url = `/app/${appId}/app.config.json`;
  const first = await app.inject({ url, headers });
  const { path: root } = await open();
  const [, module] = first.json<{
    modules: { layers: { url: string; tileProvider?: { url: string } }[] }[];
  }>().modules;
  const urls = module!.layers.map((layer) => layer.tileProvider?.url ?? layer.url);
  assert.deepEqual(urls, [
    `${root}/${shown}/~1/places.geojson`,
    `${root}/${shown}/~1/places.geojson`,
    `${root}/${tiles}/~1/{z}/{x}/{y}.pbf`,
  ]);
  const fresh = { ...headers, 'if-none-match': String(first.headers['etag']) };
  assert.equal((await replica.inject({ url, headers: fresh })).statusCode, 304);
  await max.client.putProjectAppPublic({ params: path() });
  const plain = await app.inject({ url, headers });
  assert.ok(!plain.body.includes('/data/t/'));
  await max.client.deleteProjectAppPublic({ params: path() });
});

test('two users, and two logins of one, have paths of their own', async () => {
  const { token } = await service.as().postLogin({ body: { username: 'gil', password: 'password of gil' } });
  const again = { ...gil, client: service.as(token) };
  const paths = await Promise.all([open(), open(again), open(max)]);
  assert.equal(new Set(paths.map((one) => one.path)).size, 3);
});

/** Runs `close` on an open path and expects it to be shut on both replicas at once. */
async function shutsBy(close: () => Promise<unknown>, who = gil): Promise<string> {
  const { path: root } = await open(who);
  const url = `${root}/${shown}/places.geojson`;
  assert.deepEqual(await statuses(url), everywhere(200));
  await close();
  // the other replica hears of it by a notification
  const until = Date.now() + 1000;
  while ((await statuses(url)).includes(200) && Date.now() < until) await sleep(10);
  assert.deepEqual(await statuses(url), everywhere(404));
  return url;
}

test('a path is closed at once by its creator, and by users who may change the app', async () => {
  const closed = await shutsBy(() => gil.client.deleteProjectAppCapability({ params: path() }));
  const { path: root } = await open();
  assert.ok(!closed.startsWith(root), 'the next one is another');
  await shutsBy(() => max.client.deleteProjectAppCapabilities({ params: path() }));
  const refused = gil.client.deleteProjectAppCapabilities({ params: path() });
  await assert.rejects(refused, (error: RequestFailed) => error.status === 403);
});

test('the response to closing a path is sent when it is closed', async () => {
  for (const close of [
    () => gil.client.deleteProjectAppCapability({ params: path() }),
    () => max.client.deleteProjectAppCapabilities({ params: path() }),
  ]) {
    const { path: root } = await open();
    const url = `${root}/${shown}/places.geojson`;
    assert.equal(await statusOf(url), 200);
    await close();
    assert.equal(await statusOf(url), 404);
  }
});

test('a path ends with the permission to see the app, with the login, and with the account', async () => {
  const guest = { params: { roleId: 'appGuest', resourceId: appId }, query: { principalIds: [gil.id] } };
  await shutsBy(() => max.client.deleteIamRole(guest));
  await max.client.putIamRole(guest);
  const { token } = await service.as().postLogin({ body: { username: 'gil', password: 'password of gil' } });
  const client = service.as(token);
  await shutsBy(() => client.getLogout(), { ...gil, client });
  const tia = await service.user('tia');
  await max.client.putIamRole({ ...guest, query: { principalIds: [tia.id] } });
  await shutsBy(() => admin.putUserActive({ params: { userId: tia.id }, body: { isActive: false } }), tia);
});

test('a path ends when it is unused for an hour, and each use extends it', async () => {
  const { path: root } = await open();
  const url = `${root}/${shown}/places.geojson`;
  const minute = 60_000;
  const at = async (minutes: number) => {
    offsetMs = minutes * minute;
    return statusOf(url, await startReplica(context as Context)); // of what a replica remembers for moments nothing counts
  };
  assert.equal(await at(40), 200);
  assert.equal(await at(80), 200);
  assert.equal(await at(141), 404);
  offsetMs = 0;
});

test('watching a map keeps a session from ending as idle', async () => {
  const payload = { username: 'gil', password: 'password of gil' };
  const sessionOf = async () => {
    const reply = await app.inject({ method: 'POST', url: '/api/v1/session', payload });
    return [reply.headers['set-cookie'] ?? []].flat()[0]!.split(/[=;]/)[1]!;
  };
  const [watching, idle] = [await sessionOf(), await sessionOf()];
  const { path: root } = await service.as(watching).postProjectAppCapability({ params: path() });
  for (offsetMs = 0; offsetMs < 200 * 60_000; offsetMs += 40 * 60_000) {
    const at = await startReplica(context as Context);
    assert.equal(await statusOf(`${root}/${shown}/places.geojson`, at), 200);
  }
  await service.as(watching).getUserWhoami();
  await assert.rejects(service.as(idle).getUserWhoami(), { status: 401 });
  offsetMs = 0;
});

test('the path does not appear in responses', async () => {
  const { token, path: root } = await open();
  const answer = await app.inject({ url: `${root}/${other}/other.geojson` });
  assert.equal(answer.statusCode, 404);
  assert.ok(!answer.body.includes(token));
});

test('an invalid token is not found', async () => {
  for (const token of ['%00', '..', 'a'.repeat(2000), "';--", '%ff', '~'])
    assert.ok([400, 404, 414].includes(await statusOf(`/data/t/${token}/${shown}/places.geojson`)), token);
});

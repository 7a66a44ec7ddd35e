import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { installedEngines } from '@platen/viewer/engines';
import type { FastifyInstance } from 'fastify';
import { createApp } from '../../app.ts';
import { defaultSettings } from '../../base/config.ts';
import { sampleModule } from '../modules/testing.ts';
import { startService, startReplica } from '../../testing.ts';

const service = await startService();
const { admin, app, context } = service;
/** Another replica of the service on the same database. */
const replica = await startReplica(context);

const max = await service.user('max');
const mia = await service.user('mia');
const outsider = await service.user('olga');
const guest = await service.user('gil');
const body = { name: 'City', description: '', bbox: [-180, -85, 180, 85] };
const { _id: projectId } = await admin.postProject({ body, query: { managerId: max.id } });
const params = { projectId };
const assign = (userId: string, roleId: string) =>
  max.client.putProjectUser({ params: { projectId, userId }, body: { roleId } });
await assign(mia.id, 'projectMember');
const module = await max.client.postProjectModule({
  params,
  body: Object.assign({ ownKey: { b: 1, a: 2 } }, sampleModule),
});
const newApp = async (name = 'Trees & <more>') =>
  (await max.client.postProjectApp({ params, body: { name, moduleIds: [module._id] } }))._id;

interface Visitor {
  readonly token?: string;
  readonly headers?: Record<string, string>;
  readonly at?: FastifyInstance;
}
const visit = (url: string, { token, headers = {}, at = app }: Visitor = {}) =>
  at.inject({
    url,
    headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
  });
const browser = { headers: { accept: 'text/html,*/*;q=0.8' } };

test('before an app is public, only users who may read it find it, on every replica', async () => {
  const appId = await newApp();
  await max.client.putIamRole({
    params: { roleId: 'appGuest', resourceId: appId },
    query: { principalIds: [guest.id] },
  });
  const seen = async (token?: string) => {
    const visitor = token === undefined ? {} : { token };
    const answers = await Promise.all(
      [app, replica].flatMap((at) => [
        visit(`/app/${appId}/`, { ...visitor, at }),
        visit(`/app/${appId}/app.config.json`, { ...visitor, at }),
      ]),
    );
    const [first, ...others] = answers.map(({ statusCode }) => statusCode);
    assert.ok(others.every((status) => status === first));
    return first;
  };
  const statuses = async () => ({
    anonymous: await seen(),
    forged: await seen('0'.repeat(43)),
    outsider: await seen(outsider.token),
    member: await seen(mia.token),
    guest: await seen(guest.token),
    manager: await seen(max.token),
    admin: await seen(service.adminToken),
  });
  const hidden = { anonymous: 404, forged: 404, outsider: 404, member: 404 };
  const forReaders = { guest: 200, manager: 200, admin: 200 };
  assert.deepEqual(await statuses(), { ...hidden, ...forReaders });
  const appParams = { ...params, appId };
  await max.client.putProjectAppPublic({ params: appParams });
  const shown = { anonymous: 200, forged: 200, outsider: 200, member: 200 };
  assert.deepEqual(await statuses(), { ...shown, ...forReaders });
  await max.client.deleteProjectAppPublic({ params: appParams });
  assert.deepEqual(await statuses(), { ...hidden, ...forReaders });
  await max.client.deleteProjectApp({ params: appParams });
  assert.equal(await seen(max.token), 404);
});

test('an app that a user may not see looks like one that does not exist', async () => {
  const appId = await newApp();
  const neutral = (answer: { body: string; headers: object }, id: string) => ({
    body: answer.body.replaceAll(id, '<id>').replace(/"requestId":"[^"]+"/, ''),
    headers: { ...answer.headers, date: '', 'x-request-id': '', 'content-length': '' },
  });
  for (const path of ['', '/', '/app.config.json']) {
    for (const visitor of [{}, browser]) {
      const hidden = await visit(`/app/${appId}${path}`, visitor);
      const absent = await visit(`/app/none${path}`, visitor);
      assert.equal(hidden.statusCode, path === '' ? 308 : 404);
      const same = neutral(hidden, appId);
      assert.equal(hidden.statusCode, absent.statusCode);
      assert.equal(same.body, neutral(absent, 'none').body);
    }
  }
  const page = await visit(`/app/${appId}/`, browser);
  assert.match(String(page.headers['content-type']), /^text\/html/);
  assert.match(String(page.headers['content-security-policy']), /^default-src 'none'/);
  assert.equal(page.headers['cache-control'], 'no-store');
  for (const id of ['%00', '..%2f..', 'x'.repeat(300), '%ff', "'; drop table app"])
    assert.ok([400, 404].includes((await visit(`/app/${id}/`)).statusCode), id);
});

test('the creator of an app sees it by the browser session, until they leave the project', async () => {
  const { _id: appId } = await mia.client.postProjectApp({ params, body: { name: 'Hers' } });
  const headers = { cookie: `platen-session=${mia.token}` };
  const status = async () => (await visit(`/app/${appId}/`, { headers, at: replica })).statusCode;
  assert.equal(await status(), 200);
  await max.client.deleteProjectUser({ params: { projectId, userId: mia.id } });
  assert.equal(await status(), 404);
  await assign(mia.id, 'projectMember');
});

test('the configuration contains the world base layer and then every complete module', async () => {
  const appId = await newApp();
  await max.client.putProjectAppPublic({ params: { ...params, appId } });
  const url = `/app/${appId}/app.config.json`;
  const answer = await visit(url);
  const { modules } = answer.json<{ modules: object[] }>();
  const { warnings: _, ...expected } = module;
  assert.equal((modules[0] as { _id: string })._id, 'platen-world');
  assert.equal(JSON.stringify(modules[1]), JSON.stringify(expected));
  assert.equal(answer.headers['cache-control'], 'no-cache');
  const etag = String(answer.headers['etag']);
  const again = { headers: { 'if-none-match': etag } };
  assert.equal((await visit(url, again)).statusCode, 304);
  const zipped = await visit(url, { headers: { 'accept-encoding': 'gzip, br' } });
  assert.equal(zipped.headers['content-encoding'], 'gzip');
  assert.equal(gunzipSync(zipped.rawPayload).toString(), answer.body);
  const moduleParams = { ...params, moduleId: module._id };
  await max.client.putProjectModule({ params: moduleParams, body: { description: 'changed' } });
  assert.equal((await visit(url, { ...again, at: replica })).statusCode, 200);
  await max.client.putProjectModule({ params: moduleParams, body: { description: module.description } });
});

test('an app shows only what its user may read at that moment', async () => {
  const tom = await service.user('tom');
  await assign(tom.id, 'projectManager');
  const { _id: appId } = await tom.client.postProjectApp({
    params,
    body: { name: 'Toms', moduleIds: [module._id] },
  });
  await max.client.putProjectAppPublic({ params: { ...params, appId } });
  const shown = async () => {
    const answer = await visit(`/app/${appId}/app.config.json`, { at: replica });
    return answer.json<{ modules: { _id: string }[] }>().modules.map(({ _id }) => _id);
  };
  assert.deepEqual(await shown(), ['platen-world', module._id]);
  await assign(tom.id, 'projectMember');
  assert.deepEqual(await shown(), ['platen-world']);
  await assign(tom.id, 'projectManager');
  assert.deepEqual(await shown(), ['platen-world', module._id]);
  await max.client.deleteProjectUser({ params: { projectId, userId: tom.id } });
  assert.deepEqual(await shown(), ['platen-world']);
});

test('the page escapes the name of its app, links to existing files, and has a policy without eval', async () => {
  const appId = await newApp();
  await max.client.putProjectAppPublic({ params: { ...params, appId } });
  const redirect = await visit(`/app/${appId}?state=1`);
  assert.equal(redirect.statusCode, 308);
  assert.equal(redirect.headers.location, `/app/${appId}/?state=1`);
  const page = await visit(`/app/${appId}/`, browser);
  assert.equal(page.headers['referrer-policy'], 'same-origin');
  assert.equal(page.headers['x-content-type-options'], 'nosniff');
  const policy = String(page.headers['content-security-policy']);
  assert.match(policy, /script-src 'self' 'wasm-unsafe-eval';/);
  assert.match(policy, /frame-ancestors 'self'/);
  assert.match(policy, /connect-src [^;]* https:\/\/\*\.tile\.openstreetmap\.org/);
  assert.match(page.body, /<title>Trees &amp; &lt;more&gt;<\/title>/);
  const baseHref = /<base href="([^"]+)">/.exec(page.body)![1]!;
  const scripts = [...page.body.matchAll(/(?:modulepreload" href|module" src)="([^"]+)"/g)].map(([, path]) =>
    path!.startsWith('/') ? path! : baseHref + path!,
  );
  assert.ok(scripts.length > 3);
  for (const path of [...scripts, `${baseHref}assets/ui.js`]) {
    const script = await visit(path, { headers: { 'accept-encoding': 'gzip' } });
    assert.equal(script.statusCode, 200, path);
    assert.equal(script.headers['content-type'], 'text/javascript; charset=utf-8');
    assert.match(String(script.headers['cache-control']), /immutable/);
  }
});

test('with its own address, the page loads scripts only from the engines, and links use that address', async () => {
  const appId = await newApp();
  await max.client.putProjectAppPublic({ params: { ...params, appId } });
  const settings = {
    ...defaultSettings,
    baseUrl: 'https://platen.example.org',
    publicUrl: 'https://maps.example.org',
  };
  const own = await createApp({ ...context, settings });
  const page = await visit(`/app/${appId}/`, { at: own, headers: { host: 'maps.example.org' } });
  const policy = String(page.headers['content-security-policy']);
  assert.match(policy, /script-src https:\/\/maps\.example\.org\/engines\/ /);
  assert.match(policy, /frame-ancestors 'self' https:\/\/platen\.example\.org/);
  const other = await visit(`/app/${appId}/`, { at: own, headers: { host: 'localhost' } });
  assert.match(String(other.headers['content-security-policy']), /script-src 'self' /);
  const described = await visit(`/api/v1/project/${projectId}/app/${appId}`, { at: own, token: max.token });
  const { slug, url } = described.json<{ slug: string; url: string }>();
  assert.equal(url, `https://maps.example.org/app/${slug}/`);
  await own.close();
});

test('engine files are served compressed and unchanged, and cached for a year', async () => {
  const { version } = installedEngines()[0]!;
  const path = `/engines/${version}/assets/ui.js`;
  const large = `/engines/${version}/assets/cesium/Assets/approximateTerrainHeights.json`;
  const plain = await visit(large);
  assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable');
  assert.equal(plain.headers['content-encoding'], undefined);
  const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
  const brotli = await visit(large, { headers: { 'accept-encoding': 'gzip, deflate, br' } });
  assert.equal(brotli.headers['content-encoding'], 'br');
  assert.equal(digest(brotliDecompressSync(brotli.rawPayload)), digest(plain.rawPayload));
  const gzip = await visit(large, { headers: { 'accept-encoding': 'gzip, br;q=0' } });
  assert.equal(digest(gunzipSync(gzip.rawPayload)), digest(plain.rawPayload));
  const etag = String(plain.headers['etag']);
  assert.equal((await visit(large, { headers: { 'if-none-match': etag } })).statusCode, 304);
  assert.equal((await visit(path)).statusCode, 200);
});

test('only files of installed engines are served below /engines', async () => {
  const { version } = installedEngines()[0]!;
  for (const path of [
    '/engines/',
    `/engines/${version}`,
    `/engines/${version}/`,
    `/engines/${version}/assets`,
    '/engines/9.9.9/assets/ui.js',
    `/engines/${version}/../../package.json`,
    `/engines/${version}/..%2f..%2fpackage.json`,
    `/engines/${version}/%2e%2e/package.json`,
    `/engines/${version}/assets/..\\..\\package.json`,
    `/engines/${version}/index.html`,
    '/engines/platen/start.ts',
    '/engines/%00',
    '/engines/%c0%ae%c0%ae/',
    `/engines/${version}//etc/passwd`,
  ]) {
    const { statusCode } = await visit(path);
    assert.ok(statusCode === 404 || statusCode === 400, `${path}: ${statusCode}`);
  }
});

test('the world base layer has every tile up to its last zoom and none beyond', async () => {
  for (const path of ['0/0/0', '2/3/3', '5/31/31']) {
    const tile = await visit(`/basemap/world/${path}.png`);
    assert.equal(tile.statusCode, 200, path);
    assert.equal(tile.headers['content-type'], 'image/png');
    assert.deepEqual([...tile.rawPayload.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
    const etag = String(tile.headers['etag']);
    const again = await visit(`/basemap/world/${path}.png`, { headers: { 'if-none-match': etag } });
    assert.equal(again.statusCode, 304);
  }
  for (const path of [
    '6/0/0.png',
    '0/1/0.png',
    '0/0/0.jpg',
    '-1/0/0.png',
    '1/1e0/0.png',
    'a/b/c.png',
    '0/0/..',
  ])
    assert.equal((await visit(`/basemap/world/${path}`)).statusCode, 404, path);
});

test('the world base layer is also served as lines, compressed for clients that accept it', async () => {
  for (const path of ['0/0/0', '4/8/5', '5/31/31']) {
    const url = `/basemap/world-lines/${path}.mvt`;
    const plain = await visit(url);
    assert.equal(plain.statusCode, 200, path);
    assert.equal(plain.headers['content-type'], 'application/vnd.mapbox-vector-tile');
    assert.equal(plain.headers['content-encoding'], undefined);
    const packed = await visit(url, { headers: { 'accept-encoding': 'gzip, br' } });
    assert.equal(packed.headers['content-encoding'], 'gzip');
    assert.deepEqual(gunzipSync(packed.rawPayload), plain.rawPayload);
  }
  assert.match((await visit('/basemap/world-lines/4/8/5.mvt')).payload, /Berlin/);
  assert.match((await visit('/basemap/world-detail/5/17/10.mvt')).payload, /water.*land.*border.*coast/s);
  const namesIn = async (locale: string) =>
    (await visit(`/basemap/world-names-${locale}/5/17/11.mvt`)).payload;
  assert.match(await namesIn('de'), /Wien/);
  for (const locale of ['en', 'fr']) assert.match(await namesIn(locale), /Vienna/, locale);
  for (const path of ['6/0/0.mvt', '0/0/0.png', 'a/b/c.mvt'])
    for (const form of ['world-lines', 'world-names-de'])
      assert.equal((await visit(`/basemap/${form}/${path}`)).statusCode, 404, path);
});

test('the first view of an app is at most 4.5 MB over the wire', async () => {
  const { version } = installedEngines()[0]!;
  const appId = await newApp();
  const page = await visit(`/app/${appId}/`, { token: max.token });
  const preloaded = [...page.body.matchAll(/modulepreload" href="([^"]+)"/g)].map(([, path]) => path!);
  assert.ok(preloaded.length > 5);
  const sizes = await Promise.all(
    preloaded.map(async (path) => {
      const { rawPayload } = await visit(`/engines/${version}/${path}`, {
        headers: { 'accept-encoding': 'br, gzip' },
      });
      return rawPayload.length;
    }),
  );
  const scriptBytes = sizes.reduce((sum, size) => sum + size, 0);
  // The sky box, moon, icon fonts and terrain heights, which are already compressed, are 1.5 MB.
  assert.ok(scriptBytes < 3_000_000, `${scriptBytes} bytes of scripts`);
});

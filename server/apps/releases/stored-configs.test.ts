import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { notify } from '../../base/database/notifications.ts';
import { newPlace } from '../../files/revisions/testing.ts';
import { startService } from '../../testing.ts';
import { forgetStoredConfigs } from './stored-configs.ts';
import { newMap, newModule } from './testing.ts';

const service = await startService();
const { admin, app, context } = service;
const place = await newPlace(service);
const { params, appId, moduleId } = await newMap(service, place, ['places']);
await admin.putProjectModule({
  params: { ...params, moduleId },
  body: { properties: { filler: 'x'.repeat(2000) } },
});
await admin.putProjectAppPublic({ params });
await admin.postProjectAppRelease({ params, body: {} });

const ask = (headers: Record<string, string> = {}) =>
  app.inject({ url: `/app/${appId}/app.config.json`, headers });
/** So that no answer from before is given again. */
const notifyAccess = () => notify(context.db, 'accessChanged');
const stored = () => context.db.selectFrom('app_release_config').selectAll().execute();

test('the response is the same in every encoding, and 304 the next time', async () => {
  const plain = await ask();
  const [brotli, gzip] = [
    await ask({ 'accept-encoding': 'gzip, br' }),
    await ask({ 'accept-encoding': 'gzip' }),
  ];
  assert.equal(brotli.headers['content-encoding'], 'br');
  assert.equal(gzip.headers['content-encoding'], 'gzip');
  assert.equal(plain.headers['content-encoding'], undefined);
  assert.equal(brotliDecompressSync(brotli.rawPayload).toString(), plain.body);
  assert.equal(gunzipSync(gzip.rawPayload).toString(), plain.body);
  const etag = String(plain.headers['etag']);
  assert.deepEqual([brotli.headers['etag'], gzip.headers['etag']], [etag, etag]);
  assert.equal(plain.headers['cache-control'], 'no-cache');
  assert.match(String(plain.headers['content-type']), /^application\/json/);
  const again = await ask({ 'if-none-match': etag, 'accept-encoding': 'br' });
  assert.deepEqual([again.statusCode, again.body], [304, '']);
});

test('the stored configuration equals a compilation, and is made again if it is missing or outdated', async () => {
  const before = await ask();
  const [first] = await stored();
  await forgetStoredConfigs(context.db);
  await notifyAccess();
  assert.equal((await ask()).body, before.body);
  assert.deepEqual(await stored(), [first]);
  await context.db.updateTable('app_release_config').set({ made_by: '0', etag: 'W/"old"' }).execute();
  await notifyAccess();
  const answers = await Promise.all([1, 2, 3, 4].map(() => ask()));
  for (const answer of answers)
    assert.deepEqual([answer.body, answer.headers['etag']], [before.body, before.headers['etag']]);
  assert.deepEqual(await stored(), [first]);
});

test('a member whose app shows only modules of their own needs no permission to read those of others', async () => {
  const max = await service.user('max');
  const membership = { params: { projectId: place.projectId, userId: max.id } };
  await admin.putProjectUser({ ...membership, body: { roleId: 'projectMember' } });
  const { _id: own } = await newModule(max.client, place, {});
  const { _id: maxApp } = await max.client.postProjectApp({
    params: place,
    body: { name: 'Own', moduleIds: [own] },
  });
  const where = { ...place, appId: maxApp };
  await admin.putProjectAppPublic({ params: where });
  await admin.postProjectAppRelease({ params: where });
  const isStored = async () => {
    await context.db.updateTable('app_release_config').set({ etag: 'W/"stored"' }).execute();
    await notifyAccess();
    const { statusCode, headers } = await app.inject({ url: `/app/${maxApp}/app.config.json` });
    assert.equal(statusCode, 200);
    return headers['etag'] === 'W/"stored"';
  };
  assert.equal(await isStored(), true);
  await admin.putProjectUser({ ...membership, body: { roleId: 'projectManager' } });
  await admin.putProjectApp({ params: where, body: { moduleIds: [own, moduleId] } });
  await admin.postProjectAppRelease({ params: where });
  assert.equal(await isStored(), true);
  await admin.putProjectUser({ ...membership, body: { roleId: 'projectMember' } });
  assert.equal(await isStored(), false);
  await admin.deleteProjectApp({ params: where });
  await forgetStoredConfigs(context.db);
  await ask();
});

test('the stored configuration is deleted with its release', async () => {
  await admin.postProjectAppRelease({ params, body: {} });
  assert.equal((await stored()).length, 2);
  await admin.deleteProjectAppRelease({ params: { ...params, releaseId: '1' } });
  assert.equal((await stored()).length, 1);
});

test('a release whose version of the map viewer is not installed any more is shown by another in its range', async () => {
  await context.db.updateTable('app_release').set({ engine_version: '6.0.0' }).execute();
  await notifyAccess();
  assert.equal((await ask()).statusCode, 200);
  const page = await app.inject({ url: `/app/${appId}/` });
  assert.match(page.body, /<base href="\/engines\/6\./);
  await context.db.updateTable('app_release').set({ map_version: '6.0.0' }).execute();
  await notifyAccess();
  const missing = await app.inject({ url: `/app/${appId}/`, headers: { accept: 'text/html' } });
  assert.equal(missing.statusCode, 503);
  await admin.deleteProjectAppShownRelease({ params });
  await assert.rejects(admin.postProjectAppReleaseRestore({ params: { ...params, releaseId: '2' } }), {
    status: 422,
  });
});

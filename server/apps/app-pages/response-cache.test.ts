import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { notify } from '../../base/database/notifications.ts';
import { untilAccessNotified, untilSomeoneWaits } from '../../base/database/testing.ts';
import { startService } from '../../testing.ts';

const { app, admin, context } = await startService();
const { db } = context;
const { _id: projectId } = await admin.postProject({
  body: { name: 'P', description: '', bbox: [0, 0, 1, 1] },
});
const module = { name: 'm', maps: [{ type: 'CesiumMap', name: 'globe' }] };
const { _id: moduleId } = await admin.postProjectModule({ params: { projectId }, body: module });

async function publicApp({ isReleased }: { isReleased: boolean }) {
  const body = { name: 'Map', moduleIds: [moduleId] };
  const { _id: appId } = await admin.postProjectApp({ params: { projectId }, body });
  const params = { projectId, appId };
  if (isReleased) await admin.postProjectAppRelease({ params, body: {} });
  await admin.putProjectAppPublic({ params, body: {} });
  await untilAccessNotified(context);
  return { params, paths: [`/app/${appId}/`, `/app/${appId}/app.config.json`] };
}

const statusesOf = async (paths: readonly string[], headers = {}) => {
  const answers = await Promise.all(paths.map((url) => app.inject({ url, headers })));
  return answers.map(({ statusCode }) => statusCode);
};

/** As nobody does, so that only what is kept can still be given. */
const hideSilently = (appId: string) => sql`update app set is_public = false where id = ${appId}`.execute(db);

test('the response of an app with a release is cached until a change is notified', async () => {
  const { params, paths } = await publicApp({ isReleased: true });
  const first = await Promise.all(
    paths.map((url) => app.inject({ url, headers: { 'accept-encoding': 'br' } })),
  );
  await hideSilently(params.appId);
  const headers = { 'accept-encoding': 'br' };
  const again = await Promise.all(paths.map((url) => app.inject({ url, headers })));
  const compared = ['content-security-policy', 'content-encoding', 'content-type', 'etag', 'cache-control'];
  for (const [index, { statusCode, headers: given, rawPayload }] of again.entries()) {
    assert.equal(statusCode, 200);
    assert.deepEqual(rawPayload, first[index]!.rawPayload);
    for (const name of compared) assert.equal(given[name], first[index]!.headers[name], name);
    assert.notEqual(given['x-request-id'], first[index]!.headers['x-request-id']);
    const known = { ...headers, 'if-none-match': String(given['etag']) };
    assert.deepEqual(await statusesOf([paths[index]!], known), [304]);
  }
  await notify(db, 'accessChanged');
  assert.deepEqual(await statusesOf(paths, headers), [404, 404]);
});

test('each language, encoding and address has its own', async () => {
  const { paths } = await publicApp({ isReleased: true });
  const [url = ''] = paths;
  const bodyFor = async (headers: Record<string, string>) => (await app.inject({ url, headers })).body;
  for (let round = 0; round < 2; round++) {
    assert.match(
      await bodyFor({ 'accept-language': 'de', host: 'one.example' }),
      /lang="de"[^]*http:\/\/one\.example/,
    );
    assert.match(
      await bodyFor({ 'accept-language': 'en', host: 'two.example' }),
      /lang="en"[^]*http:\/\/two\.example/,
    );
  }
});

test('the response of an app without a release is never cached, because its modules may change', async () => {
  const { params, paths } = await publicApp({ isReleased: false });
  assert.deepEqual(await statusesOf(paths), [200, 200]);
  await hideSilently(params.appId);
  assert.deepEqual(await statusesOf(paths), [404, 404]);
});

test('a response looked up before a notified change is not cached', async () => {
  const { params, paths } = await publicApp({ isReleased: true });
  const late = await db.transaction().execute(async (tx) => {
    await sql`lock table app_release in access exclusive mode`.execute(tx);
    const answers = statusesOf(paths);
    await untilSomeoneWaits(tx);
    await untilAccessNotified(context);
    return { answers };
  });
  assert.deepEqual(await late.answers, [200, 200]);
  await hideSilently(params.appId);
  assert.deepEqual(await statusesOf(paths), [404, 404]);
});

test('a new name or embedding origin is visible in the next response', async () => {
  const { params, paths } = await publicApp({ isReleased: true });
  const [url = ''] = paths;
  await statusesOf(paths);
  await admin.putProjectApp({ params, body: { frameOrigins: ['https://one.example'] } });
  const page = await app.inject({ url });
  assert.match(String(page.headers['content-security-policy']), /https:\/\/one\.example/);
  await admin.deleteProjectAppPublic({ params });
  assert.deepEqual(await statusesOf(paths), [404, 404]);
});

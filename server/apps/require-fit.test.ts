import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { sampleModule } from './modules/testing.ts';
import { startService } from '../testing.ts';

const service = await startService();
const { admin, app, context, adminToken } = service;
const { _id: projectId } = await admin.postProject({
  body: { name: 'City', description: '', bbox: [-180, -85, 180, 85] },
});
const params = { projectId };

const newModule = async () => (await admin.postProjectModule({ params, body: sampleModule }))._id;
const newApp = async (moduleIds: string[]) =>
  (await admin.postProjectApp({ params, body: { name: 'Map', moduleIds } }))._id;
const change = (appId: string, body: object) => admin.putProjectApp({ params: { ...params, appId }, body });

/** Makes each of the modules a little larger than 8 MiB. */
async function grow(...ids: string[]) {
  const larger = sql<string>`(content::jsonb || jsonb_build_object('a', repeat('x', 8388608)))::json`;
  await context.db.updateTable('module').set({ content: larger }).where('id', 'in', ids).execute();
}

const detail =
  'The modules of the app have 17 MiB in total. The limit is 16 MiB. Remove modules, or move large content to datasources.';
const tooLarge = { status: 413, errors: [{ pointer: '/moduleIds', code: 'too_large', detail }] };

test('an app of modules that are too large together is neither made nor changed', async () => {
  const [one, two] = [await newModule(), await newModule()];
  await grow(one, two);
  await assert.rejects(newApp([one, two]), tooLarge);
  const appId = await newApp([one]);
  await assert.rejects(change(appId, { moduleIds: [one, two] }), tooLarge);
  const { moduleIds } = await admin.getProjectApp({ params: { ...params, appId } });
  assert.deepEqual(moduleIds, [one]);
});

test('an app whose modules have grown too large is not shown until some are taken out', async () => {
  const [one, two] = [await newModule(), await newModule()];
  const appId = await newApp([one, two]);
  const path = { params: { ...params, appId } };
  await grow(one, two);
  const visit = (url: string, accept: string) =>
    app.inject({ url, headers: { authorization: `Bearer ${adminToken}`, accept } });
  const page = await visit(`/app/${appId}/`, 'text/html,*/*;q=0.8');
  assert.equal(page.statusCode, 413);
  assert.match(page.body, /<h1>This map is too large<\/h1>/);
  for (const url of [`/app/${appId}/`, `/app/${appId}/app.config.json`]) {
    const problem = await visit(url, '*/*');
    assert.deepEqual([problem.statusCode, problem.json<{ code: string }>().code], [413, 'too_large']);
  }
  await assert.rejects(admin.getProjectAppCompiled(path), tooLarge);
  await assert.rejects(admin.putProjectAppPublic(path), tooLarge);
  await assert.rejects(change(appId, { name: 'Other' }), tooLarge);
  await change(appId, { moduleIds: [two] });
  assert.equal((await visit(`/app/${appId}/`, 'text/html')).statusCode, 200);
  assert.equal((await admin.getProjectAppCompiled(path)).modules.length, 1);
});

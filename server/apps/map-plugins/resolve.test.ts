import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installedEngines } from '@platen/viewer/engines';
import { loadContent } from '../content.ts';
import { findApp } from '../store.ts';
import { startService } from '../../testing.ts';
import { pluginFilesOf } from './resolve.ts';
import { formOf, packPlugin } from './testing.ts';

const service = await startService();
const { admin, app, context } = service;
const [v63, v62, v50] = installedEngines().map(({ version }) => version);
const body = { name: 'City', description: '', bbox: [-180, -85, 180, 85] };
const { _id: projectId } = await admin.postProject({ body });
const params = { projectId };

const upload = async (plugin: Parameters<typeof packPlugin>[0]) =>
  admin.postMapPlugin({ body: formOf(await packPlugin(plugin)) });
const maps = [{ type: 'OpenlayersMap', name: 'flat' }];

async function newApp(plugins: object[], mapVersion = '^6.3') {
  const module = { name: 'Lamps', maps, plugins };
  const { _id: moduleId } = await admin.postProjectModule({ params, body: module as never });
  const made = await admin.postProjectApp({
    params,
    body: { name: 'City', mapVersion, moduleIds: [moduleId] },
  });
  await admin.putProjectAppPublic({ params: { projectId, appId: made._id } });
  return { appId: made._id, moduleId, warnings: made.warnings ?? [] };
}

/** The plugins that a map viewer is told of. */
async function pluginsOfConfig(appId: string) {
  const answer = await app.inject({ url: `/app/${appId}/app.config.json` });
  const { modules } = answer.json<{ modules: { plugins?: { name: string; entry: string }[] }[] }>();
  return modules.flatMap(({ plugins = [] }) => plugins);
}

await upload({ name: '@city/lamps', version: '1.0.0', mapVersion: '>=5' });
await upload({ name: '@city/lamps', version: '1.2.0', mapVersion: '^6.0' });
await upload({ name: '@city/lamps', version: '2.0.0', mapVersion: '^6.3' });

const lamps = (engine: string | undefined, version: string) =>
  `/engines/${engine}/plugins/@city/lamps@${version}/index.js`;

test('a plugin address points to the highest version in the range that runs on the engine; all else is unchanged', async () => {
  for (const [mapVersion, range, expected] of [
    ['^6.3', undefined, lamps(v63, '2.0.0')],
    ['^6.3', '', lamps(v63, '2.0.0')],
    ['^6.3', '^1.0', lamps(v63, '1.2.0')],
    ['~6.2', '*', lamps(v62, '1.2.0')],
    ['^5', undefined, lamps(v50, '1.0.0')],
  ] as const) {
    const config = { colour: { day: '#fff', night: ['a', { b: 1 }] }, on: true };
    const plugin = {
      zebra: 1,
      name: '@city/lamps',
      ...config,
      ...(range !== undefined && { version: range }),
    };
    const { appId, warnings } = await newApp([plugin], mapVersion);
    assert.deepEqual(warnings, []);
    assert.equal(
      JSON.stringify(await pluginsOfConfig(appId)),
      JSON.stringify([{ ...plugin, entry: expected }]),
    );
    assert.equal((await app.inject({ url: expected })).statusCode, 200);
  }
});

test('entries in the registry are taken as map viewers write them, and as we do', async () => {
  for (const [entry, expected] of [
    ['plugins/@city/lamps/index.js', '2.0.0'],
    ['./plugins/@city/lamps/index.js?version=1', '2.0.0'],
    ['/engines/6.2.1/plugins/@city/lamps@1.2.0/index.js', '1.2.0'],
    ['/engines/6.2.1/plugins/@city/lamps/index.js', '2.0.0'],
  ] as const) {
    const { appId, warnings } = await newApp([{ name: '@city/lamps', entry }]);
    assert.deepEqual(warnings, []);
    assert.deepEqual(await pluginsOfConfig(appId), [{ name: '@city/lamps', entry: lamps(v63, expected) }]);
  }
});

const elsewhere = [
  'https://plugins.example.org/lamps/index.js',
  'http://localhost/_test',
  '_dev',
  '//plugins.example.org/plugins/@city/lamps/index.js',
  'data:text/javascript,export default alert',
  'javascript:alert(1)',
  'blob:https://maps.example.org/1',
  '/data/01/evil.js',
  '/app/plugins/@city/lamps/index.js',
  'plugins/@city/lamps/../../../../data/01/evil.js',
  'plugins/@city/lamps/other.js',
  'plugins/@city/lamps@../index.js',
  'plugins/@city/lamps@1.0.0/../../x/index.js',
  'plugins/@city/other/index.js',
  '/engines/../data/plugins/@city/lamps/index.js',
  'index.js',
  '\u0009plugins/@city/lamps/index.js',
];

test('whatever names another place for its code never reaches the map viewer, nor the policy of its page', async () => {
  const { appId, moduleId, warnings } = await newApp(
    elsewhere.map((entry, at) => ({ name: at ? `p${at}` : '@city/lamps', entry })),
  );
  assert.deepEqual(await pluginsOfConfig(appId), []);
  assert.deepEqual(new Set(warnings.map(({ code }) => code)), new Set(['pluginEntry']));
  assert.equal(warnings.length, elsewhere.length);
  const named = await newApp(elsewhere.slice(0, 1).map((entry) => ({ name: '@city/lamps', entry })));
  assert.deepEqual(await pluginsOfConfig(named.appId), []);
  const page = await app.inject({ url: `/app/${appId}/`, headers: { accept: 'text/html' } });
  assert.doesNotMatch(String(page.headers['content-security-policy']), /example|localhost/);
  const module = await admin.getProjectModule({ params: { projectId, moduleId } });
  assert.deepEqual(
    module.plugins?.map(({ entry }) => entry),
    elsewhere,
  );
});

test('each of those entries is refused under a name that the registry has', async () => {
  for (const entry of elsewhere) {
    const { appId, warnings } = await newApp([{ name: '@city/lamps', entry }]);
    assert.deepEqual(await pluginsOfConfig(appId), [], entry);
    assert.match(warnings[0]!.code, /^plugin(Entry|Version)$/, entry);
  }
});

test('a plugin missing in the registry is omitted, and the warning disappears when it is uploaded', async () => {
  const name = '@city/late';
  const { appId, warnings } = await newApp([{ name, version: '^1.0' }, { name: '__proto__' }]);
  const codes = async () =>
    (await admin.getProjectApp({ params: { projectId, appId } })).warnings?.map(({ code }) => code);
  assert.match(warnings[0]!.detail, /“Lamps”: \/plugins\/0: “@city\/late” is not in the plugin registry/);
  await upload({ name, version: '2.0.0' });
  assert.deepEqual(await pluginsOfConfig(appId), []);
  assert.deepEqual(await codes(), ['pluginVersion', 'pluginMissing']);
  await upload({ name, version: '1.5.0' });
  assert.equal((await pluginsOfConfig(appId))[0]?.entry, `/engines/${v63}/plugins/${name}@1.5.0/index.js`);
  assert.deepEqual(await codes(), ['pluginMissing']);
  await admin.deleteMapPlugin({ query: { name, force: true } });
  assert.deepEqual(await pluginsOfConfig(appId), []);
  assert.deepEqual(await codes(), ['pluginMissing', 'pluginMissing']);
});

test('a used version is deleted only by force', async () => {
  const name = '@city/used';
  for (const version of ['1.0.0', '1.1.0', '2.0.0']) await upload({ name, version });
  const { appId } = await newApp([{ name, version: '^1.0' }]);
  const remove = (query: object) => admin.deleteMapPlugin({ query: { name, ...query } });
  await remove({ version: '2.0.0' });
  await remove({ version: '1.0.0' });
  await assert.rejects(remove({ version: '1.1.0' }), { status: 409, message: /the app “City”/ });
  await assert.rejects(remove({}), { status: 409 });
  assert.equal((await pluginsOfConfig(appId)).length, 1);
  await remove({ version: '1.1.0', force: true });
  assert.deepEqual(await pluginsOfConfig(appId), []);
});

test('a release keeps the versions it was made with, and nothing deletes them but force', async () => {
  const name = '@city/released';
  await upload({ name, version: '1.0.0' });
  const { appId, moduleId } = await newApp([{ name }, { name: '@city/released-later' }]);
  const appParams = { projectId, appId };
  const entry = (version: string) => `/engines/${v63}/plugins/${name}@${version}/index.js`;
  const entries = async () => (await pluginsOfConfig(appId)).map((plugin) => plugin.entry);
  await admin.postProjectAppRelease({ params: appParams, body: {} });
  await upload({ name, version: '1.1.0' });
  await upload({ name: '@city/released-later' });
  assert.deepEqual(await entries(), [entry('1.0.0')]);
  const shown = await loadContent(context.db, (await findApp(context.db, projectId, appId))!, 'current');
  const files = await pluginFilesOf(context.db, shown.modules, v63!, shown.plugins);
  assert.deepEqual(
    files.map(({ servedPath }) => servedPath),
    [entry('1.0.0')],
  );
  await admin.putProjectModule({ params: { projectId, moduleId }, body: { plugins: [] } });
  await assert.rejects(admin.deleteMapPlugin({ query: { name, version: '1.0.0' } }), {
    status: 409,
    message: /the release “City, 1”/,
  });
  assert.deepEqual(await entries(), [entry('1.0.0')]);
  await admin.deleteMapPlugin({ query: { name, version: '1.0.0', force: true } });
  assert.deepEqual(await entries(), []);
});

test('a bundle needs each file of the plugins once', async () => {
  const name = '@city/bundled';
  await upload({ name, files: { 'dist/index.js': 'export default 1', 'plugin-assets/a/b.png': 'png' } });
  const module = { name: 'A', plugins: [{ name }, { name, version: '^1' }, { name: 'absent' }] };
  const files = await pluginFilesOf(context.db, [module, module] as never, v62!);
  const folder = `/engines/${v62}/plugins/${name}@1.0.0/`;
  assert.deepEqual(
    files.map(({ servedPath, contentType, size }) => [servedPath, contentType, size]),
    [
      [`${folder}index.js`, 'text/javascript; charset=utf-8', 16],
      [`${folder}plugin-assets/a/b.png`, 'image/png', 3],
    ],
  );
  for (const { blobId, size } of files) assert.equal((await context.store.head(blobId))?.size, size);
  assert.deepEqual(await pluginFilesOf(context.db, [{ name: 'B' }] as never, v62!), []);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '../../testing.ts';
import { archiveOf, formOf, packPlugin } from './testing.ts';

const { admin } = await startService();
const send = (archive: Buffer<ArrayBuffer>) => admin.postMapPlugin({ body: formOf(archive) });

test('plugins are listed in pages, by name and by the versions that match', async () => {
  const archives = [
    { name: '@listed/one', version: '1.0.0', mapVersion: '^5.2' },
    { name: '@listed/one', version: '2.0.0', mapVersion: '^6.1' },
    { name: '@listed/two', version: '2.1.0-beta.1', mapVersion: '>=5' },
  ];
  for (const one of archives) await send(await packPlugin(one));
  const find = async (query: object) => {
    const { items } = await admin.getMapPlugins({ query: { name: ['@LISTED'], ...query } });
    return items.map(({ name, versions }) => `${name} ${versions.map(({ version }) => version).join(' ')}`);
  };
  assert.deepEqual(await find({}), ['@listed/one 2.0.0 1.0.0', '@listed/two 2.1.0-beta.1']);
  assert.deepEqual(await find({ mapVersion: '^6.3' }), ['@listed/one 2.0.0', '@listed/two 2.1.0-beta.1']);
  assert.deepEqual(await find({ version: '^1.0.0' }), ['@listed/one 1.0.0']);
  assert.deepEqual(await find({ limit: 1, page: 1, sort: 'asc' }), ['@listed/two 2.1.0-beta.1']);
  assert.deepEqual(await find({ limit: 1, sort: 'desc' }), ['@listed/two 2.1.0-beta.1']);
  const query = { name: '@listed/one', version: '1' };
  const { versions } = await admin.getMapPlugin({ query });
  assert.deepEqual(
    versions.map(({ version, hasReadme, hasChangelog }) => [version, hasReadme, hasChangelog]),
    [['1.0.0', true, false]],
  );
  await assert.rejects(admin.getMapPlugin({ query: { ...query, version: '3' } }), { status: 404 });
  for (const name of ['version', 'mapVersion'])
    await assert.rejects(find({ [name]: 'newest' }), {
      status: 400,
      message: `${name}: It must be a semver range such as ^6.3.`,
    });
  const alternatives = (count: number) => Array.from({ length: count }, (_, i) => `^${i + 1}`).join(' || ');
  for (const name of ['version', 'mapVersion'])
    await assert.rejects(find({ [name]: alternatives(11) }), {
      status: 400,
      message: `${name}: It must not have more than 10 alternatives (||).`,
    });
  assert.equal((await find({ mapVersion: alternatives(10) })).length, 2);
});

test('a bundle brings several plugins, and leaves those that are the same as they are', async () => {
  const [one, two] = [await packPlugin({ name: '@bundled/one' }), await packPlugin({ name: '@bundled/two' })];
  await admin.postMapPluginUpload({ body: formOf(one) });
  const entries = { 'one.tgz': one, 'plugins/two.tgz': two, 'README.md': Buffer.from('#') };
  const bundle = await archiveOf(Object.entries(entries).map(([name, bytes]) => ({ name, content: bytes })));
  await admin.postMapPluginUploadBundle({ body: formOf(bundle) });
  const { items } = await admin.getMapPlugins({ query: { name: ['@bundled/'] } });
  assert.deepEqual(
    items.map(({ name }) => name),
    ['@bundled/one', '@bundled/two'],
  );
  const other = await packPlugin({ name: '@bundled/two', files: { 'dist/index.js': 'export default 1;' } });
  await assert.rejects(admin.postMapPluginUploadBundle({ body: formOf(other) }), { status: 409 });
  await assert.rejects(admin.postMapPluginUploadBundle({ body: formOf('text') }), { status: 400 });
  await assert.rejects(admin.postMapPluginUploadBundle({ body: new FormData() }), { status: 400 });
});

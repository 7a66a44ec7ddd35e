import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { installedEngines } from '@platen/viewer/engines';
import { superUser } from '../../base/database/testing.ts';
import { sweep } from '../../project/retention/sweep.ts';
import { startService } from '../../testing.ts';
import { archiveOf, formOf, packPlugin } from './testing.ts';
import { uploadPlugin } from './upload.ts';

const service = await startService();
const { admin, app, context } = service;
const [newest, , oldest] = installedEngines().map(({ version }) => version);
const max = await service.user('max');

const upload = async (...plugin: Parameters<typeof packPlugin>) =>
  admin.postMapPlugin({ body: formOf(await packPlugin(...plugin)) });
const send = (archive: Buffer<ArrayBuffer>) => admin.postMapPlugin({ body: formOf(archive) });
const get = (url: string, headers = {}) => app.inject({ url, headers });
const blobs = async () => {
  const rows = await context.db.selectFrom('blob').select('id').where('project_id', '=', '').execute();
  return rows.map(({ id }) => id);
};
const stored = async () => {
  const ids: string[] = [];
  for await (const { id } of context.store.list()) ids.push(id);
  return ids;
};

const index = (name: string) =>
  `import { VcsUiApp } from '../../../assets/ui.js';\nexport default () => '${name}';\n`;

test('a plugin is listed with its versions, served below each engine to be kept, and nothing else of it is', async () => {
  const name = '@city/served';
  const files = {
    'dist/index.js': index(name).repeat(50),
    'dist/chunks/a-1.js': 'export const a = 1;',
    'dist/index.js.map': '{}',
    'dist/page.html': '<script>alert(1)</script>',
    'plugin-assets/icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
  };
  const uploaded = await upload({ name, files });
  assert.deepEqual(uploaded.leftOut.toSorted(), ['dist/index.js.map', 'dist/page.html']);
  assert.equal(uploaded.numberOfFiles, 3);
  assert.deepEqual(
    uploaded.engines,
    installedEngines()
      .map((one) => one.version)
      .filter((one) => one.startsWith('6.')),
  );
  await upload({ name, version: '1.10.0', mapVersion: '^6.3' });
  await upload({ name, version: '1.9.0' });
  const plugin = await max.client.getMapPlugin({ query: { name } });
  assert.deepEqual(
    plugin.versions.map(({ version, mapVersion }) => [version, mapVersion]),
    [
      ['1.10.0', '^6.3'],
      ['1.9.0', '^6.0'],
      ['1.0.0', '^6.0'],
    ],
  );
  assert.ok((await max.client.getMapPlugins()).items.some((one) => one.name === name));
  for (const engine of installedEngines()) {
    const folder = `/engines/${engine.version}/plugins/${name}@1.0.0`;
    const script = await get(`${folder}/index.js?version=1&mapVersion=6.3.11`);
    assert.equal(script.statusCode, 200);
    assert.equal(script.body, files['dist/index.js']);
    assert.equal(script.headers['content-type'], 'text/javascript; charset=utf-8');
    assert.equal(script.headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.equal(script.headers['x-content-type-options'], 'nosniff');
    const brotli = await get(`${folder}/index.js`, { 'accept-encoding': 'br' });
    assert.equal(brotli.headers['content-encoding'], 'br');
    const etag = String(script.headers['etag']);
    assert.equal((await get(`${folder}/index.js`, { 'if-none-match': etag })).statusCode, 304);
    assert.equal((await get(`${folder}/chunks/a-1.js`)).body, 'export const a = 1;');
    const icon = await get(`${folder}/plugin-assets/icon.svg`);
    assert.equal(icon.headers['content-type'], 'image/svg+xml');
    assert.match(String(icon.headers['content-security-policy']), /default-src 'none'.*sandbox/);
    for (const path of [
      'page.html',
      'index.js.map',
      'package.json',
      'src/index.ts',
      '../../package.json',
      '',
      '%00',
      '%2e%2e/index.js',
    ])
      assert.equal((await get(`${folder}/${path}`)).statusCode, 404, path);
  }
  assert.equal((await get(`/engines/9.9.9/plugins/${name}@1.0.0/index.js`)).statusCode, 404);
  assert.equal((await get(`/engines/${newest}/plugins/${name}@1.0.1/index.js`)).statusCode, 404);
});

test('without a version, the highest one in the range that runs on the engine is used', async () => {
  const name = '@city/led';
  for (const [version, mapVersion] of [
    ['1.0.0', '>=5'],
    ['1.1.0', '^6.0'],
    ['2.0.0', '^6.3'],
    ['3.0.0-rc.1', '^6.3'],
  ] as const)
    await upload({ name, version, mapVersion });
  const ledTo = async (engine: string, query = '') => {
    const answer = await get(`/engines/${engine}/plugins/${name}/index.js${query}`);
    if (answer.statusCode !== 302) return answer.statusCode;
    assert.equal(answer.headers['cache-control'], 'no-cache');
    const [, version] = /@([^/@]+)\/index\.js$/.exec(String(answer.headers['location']))!;
    return version;
  };
  assert.equal(await ledTo(newest!), '2.0.0');
  assert.equal(await ledTo(newest!, '?version=%5E1.0&mapVersion=6.3.11'), '1.1.0');
  assert.equal(await ledTo(newest!, '?version=3.0.0-rc.1'), '3.0.0-rc.1');
  assert.equal(await ledTo(oldest!), '1.0.0');
  assert.equal(await ledTo(oldest!, '?version=%5E2'), 404);
  assert.equal(await ledTo(newest!, '?version=latest'), 404);
  assert.equal(await ledTo(newest!, '?version=1&version=2'), 404);
  assert.equal(await ledTo('9.9.9'), 404);
  const alternatives = (count: number) => `?version=${Array(count).fill('^1').join('||')}`;
  assert.equal(await ledTo(newest!, alternatives(10)), '1.1.0');
  assert.equal(await ledTo(newest!, alternatives(11)), 404);
});

test('a version is created exactly once, also by simultaneous uploads', async () => {
  const name = '@city/once';
  const first = { name, files: { 'dist/index.js': index('first') } };
  const outcomes = await Promise.allSettled([upload(first), upload(first), upload(first)]);
  const statuses = outcomes.map((one) =>
    one.status === 'fulfilled' ? 201 : (one.reason as { status: number }).status,
  );
  assert.deepEqual(
    statuses.toSorted((one, other) => one - other),
    [201, 409, 409],
  );
  await assert.rejects(upload({ name, files: { 'dist/index.js': index('second') } }), { status: 409 });
  assert.equal((await get(`/engines/${newest}/plugins/${name}@1.0.0/index.js`)).body, index('first'));
});

test('the bytes of the slower of two uploads are not kept', async () => {
  const archive = await packPlugin({ name: '@city/late' });
  const { store } = context;
  const put: typeof store.put = async (...bytes) => {
    await send(archive).catch(() => {}); // the second file finds it there
    return store.put(...bytes);
  };
  const slow = { ...context, store: Object.assign(Object.create(store) as typeof store, { put }) };
  const late = { body: Readable.from([archive]), signal: new AbortController().signal };
  await assert.rejects(uploadPlugin(slow, superUser(service.adminId), late), { code: 'conflict' });
  assert.deepEqual((await stored()).toSorted(), (await blobs()).toSorted());
});

test('a deleted version disappears at once, and can only be uploaded again unchanged', async () => {
  const name = '@city/deleted';
  const path = `/engines/${newest}/plugins/${name}@1.0.0/index.js`;
  const plugin = { name, files: { 'dist/index.js': index('deleted') } };
  await upload(plugin);
  await upload({ ...plugin, version: '2.0.0' });
  await assert.rejects(admin.deleteMapPlugin({ query: { name, version: '3.0.0' } }), { status: 404 });
  assert.deepEqual(await admin.deleteMapPlugin({ query: { name, version: '1.0.0' } }), {
    numberOfDeletedItems: 1,
  });
  assert.equal((await get(path)).statusCode, 404);
  assert.equal((await get(path.replace('@1', '@2'))).statusCode, 200);
  await assert.rejects(upload({ name, files: { 'dist/index.js': index('other') } }), {
    status: 409,
    message: /different content/,
  });
  await upload(plugin);
  assert.equal((await get(path)).body, index('deleted'));
  assert.deepEqual(await admin.deleteMapPlugin({ query: { name } }), { numberOfDeletedItems: 2 });
  await assert.rejects(admin.getMapPlugin({ query: { name } }), { status: 404 });
  const { items } = await admin.getAudit({ query: { targetId: [`${name}@1.0.0`] } });
  const actions = items.map(({ action }) => action).toSorted();
  assert.deepEqual(actions, ['mapPlugin.delete', 'mapPlugin.delete', 'mapPlugin.upload', 'mapPlugin.upload']);
});

test('bytes are kept as long as a version needs them, equal ones once, and none without a row', async () => {
  const before = await blobs();
  const name = '@city/bytes';
  const files = { 'dist/index.js': index('bytes'), 'dist/same.js': index('bytes') };
  await upload({ name, files });
  await upload({ name, version: '1.1.0', files: { 'dist/index.js': index('bytes') } });
  const made = (await blobs()).filter((id) => !before.includes(id));
  assert.equal(made.length, 1);
  assert.deepEqual((await stored()).toSorted(), (await blobs()).toSorted());
  const later = { ...context, now: () => new Date(Date.now() + 7_200_000) };
  await admin.deleteMapPlugin({ query: { name, version: '1.0.0' } });
  await sweep(later);
  assert.ok((await stored()).includes(made[0]!));
  await admin.deleteMapPlugin({ query: { name } });
  await sweep(later);
  assert.ok(!(await stored()).includes(made[0]!));
});

const manifest = (more: object = {}) =>
  JSON.stringify({ name: '@city/hostile', version: '1.0.0', mapVersion: '^6.0', ...more });
const whole = [
  { name: 'package/package.json', content: manifest() },
  { name: 'package/dist/index.js', content: 'export default 1;' },
];
const withManifest = (content: string) => archiveOf([{ name: 'package/package.json', content }, whole[1]!]);

type Case = readonly [what: string, status: number, archive: () => Promise<Buffer<ArrayBuffer>>];
const hostile: readonly Case[] = [
  ['no gzip', 400, async () => Buffer.from('PK\u0003\u0004')],
  ['nothing', 400, async () => Buffer.alloc(0)],
  [
    'a gzip that breaks off',
    400,
    async () => (await archiveOf(whole)).subarray(0, 100) as Buffer<ArrayBuffer>,
  ],
  ['a gzip of no tar', 400, async () => gzipSync('x'.repeat(2000)) as Buffer<ArrayBuffer>],
  ['a symbolic link', 400, () => archiveOf([...whole, { name: 'package/dist/a.js', type: '2' }])],
  ['a hard link', 400, () => archiveOf([...whole, { name: 'package/dist/a.js', type: '1' }])],
  ['a device', 400, () => archiveOf([...whole, { name: 'package/dist/a.js', type: '3' }])],
  ['a path upwards', 400, () => archiveOf([...whole, { name: 'package/dist/../../../a.js' }])],
  ['an absolute path', 400, () => archiveOf([...whole, { name: '/package/dist/a.js' }])],
  ['a path outside', 400, () => archiveOf([...whole, { name: 'other/dist/a.js' }])],
  ['a backslash', 400, () => archiveOf([...whole, { name: 'package/dist\\..\\a.js' }])],
  ['a control character', 400, () => archiveOf([...whole, { name: 'package/dist/a\n.js' }])],
  ['a long path', 400, () => archiveOf([...whole, { name: `package/dist/${'a/'.repeat(300)}a.js` }])],
  ['a file twice', 400, () => archiveOf([...whole, whole[1]!])],
  ['two manifests', 400, () => archiveOf([...whole, whole[0]!])],
  ['no manifest', 422, () => archiveOf([whole[1]!])],
  ['no script', 422, () => archiveOf([whole[0]!, { name: 'package/dist/other.js', content: '1' }])],
  ['an empty script', 422, () => archiveOf([whole[0]!, { name: 'package/dist/index.js' }])],
  ['a manifest that is no JSON', 422, () => withManifest('{')],
  ['a manifest that is a list', 422, () => withManifest('[]')],
  ['a manifest with __proto__', 422, () => withManifest('{"__proto__":{"name":"a"}}')],
  ['a large manifest', 413, () => withManifest(manifest({ x: 'x'.repeat(1024 * 1024) }))],
  ...['', 'Upper', '../a', '@a/b/c', 'a b', '@/a', 'a%2fb', '.a', 'a'.repeat(215), 7].map((name): Case => [
    `the name ${JSON.stringify(name).slice(0, 20)}`,
    422,
    () => withManifest(manifest({ name })),
  ]),
  ...['', '1', 'v1.0.0', '1.0.0+1', '1.0.0/..', 'latest', ' 1.0.0', 1, null].map((version): Case => [
    `the version ${JSON.stringify(version)}`,
    422,
    () => withManifest(manifest({ version })),
  ]),
  ...['', 'x y', 6, { a: 1 }, `${'1 || '.repeat(100)}1`].map((mapVersion): Case => [
    `the mapVersion ${JSON.stringify(mapVersion).slice(0, 20)}`,
    422,
    () => withManifest(manifest({ mapVersion })),
  ]),
  [
    'many files',
    413,
    () =>
      archiveOf([...whole, ...Array.from({ length: 2001 }, (_, at) => ({ name: `package/dist/${at}.js` }))]),
  ],
  [
    'many entries',
    413,
    () => archiveOf([...whole, ...Array.from({ length: 10_001 }, (_, at) => ({ name: `package/${at}` }))]),
  ],
  ['a bomb', 413, async () => gzipSync(Buffer.alloc(80 * 1024 * 1024)) as Buffer<ArrayBuffer>],
  ['a large archive', 413, async () => Buffer.alloc(34 * 1024 * 1024)],
];

for (const [what, status, archive] of hostile) {
  test(`an archive with ${what} is refused, and nothing of it is kept`, async () => {
    const before = await stored();
    await assert.rejects(send(await archive()), { status });
    assert.deepEqual(await stored(), before);
    assert.ok(!(await admin.getMapPlugins()).items.some(({ name }) => name.includes('hostile')));
  });
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toolNames } from '@platen/contract/tools';
import { newPlace } from '../files/revisions/testing.ts';
import { startService } from '../testing.ts';
import { formOf, packPlugin } from './map-plugins/testing.ts';
import { configAt, newMap } from './releases/testing.ts';

const service = await startService();
const { admin, app } = service;
const place = await newPlace(service);

interface ToolsModule {
  readonly name: string;
  readonly plugins?: readonly { readonly name: string; readonly entry: string }[];
}

async function pluginsAt(url: string) {
  const { modules } = await configAt(service, url);
  const [first] = modules as unknown as ToolsModule[];
  return first?.name === 'platen-tools' ? first.plugins! : [];
}

const namesAt = async (url: string) => (await pluginsAt(url)).map(({ name }) => name);

test('the map viewers say which tools they support', async () => {
  const { items } = await admin.getMapVersions();
  const six2 = toolNames.filter((name) => name !== 'measurement' && name !== 'draw');
  assert.deepEqual(
    items.map(({ tools }) => tools),
    [[...toolNames], six2, ['search']],
  );
  const packages = items[0]!.toolPackages;
  assert.deepEqual(
    packages.map(({ tool }) => tool),
    toolNames.filter((name) => name !== 'search'),
  );
  for (const { name, version, license } of packages)
    assert.match(`${name} ${version} ${license}`, /^@vcmap\/[a-z-]+ \d+\.\d+\.\d+ MIT$/);
});

test('the map loads the tools of its app from this service, and a release keeps them', async () => {
  const { params, appId } = await newMap(service, place, ['tools']);
  const path = { params };
  const made = await admin.putProjectApp({ ...path, body: { tools: ['shadow', 'print'] } });
  assert.deepEqual(made.tools, ['shadow', 'print']);
  assert.ok(made.warnings!.every(({ code }) => code !== 'toolUnavailable'));
  await admin.putProjectAppPublic(path);
  const plugins = await pluginsAt(`/app/${appId}/`);
  assert.deepEqual(
    plugins.map(({ name }) => name),
    ['@vcmap/shadow', '@vcmap/print'],
  );
  for (const { entry } of plugins) {
    const { statusCode, headers } = await app.inject({ url: entry });
    assert.equal(statusCode, 200, entry);
    assert.match(String(headers['content-type']), /^text\/javascript/);
    assert.match(String(headers['cache-control']), /immutable/);
  }
  const release = await admin.postProjectAppRelease({ ...path, body: {} });
  await admin.putProjectAppPublic({ ...path, body: { releaseId: release._id } });
  await admin.putProjectApp({ ...path, body: { tools: ['swipe'] } });
  assert.deepEqual(await namesAt(`/app/${appId}/`), ['@vcmap/shadow', '@vcmap/print']);
  const diff = await admin.getProjectAppReleaseDiff({
    params: { ...params, releaseId: release._id },
    query: { with: 'draft' },
  });
  assert.deepEqual(
    diff.app.map(({ pointer }) => pointer),
    ['/tools/0', '/tools/1'],
  );
  await admin.deleteProjectAppPublic(path);
});

test('the search brings its towns along, for every map viewer', async () => {
  const { params, appId } = await newMap(service, place, ['towns']);
  const { warnings } = await admin.putProjectApp({ params, body: { mapVersion: '^5', tools: ['search'] } });
  assert.ok(warnings!.every(({ code }) => code !== 'toolUnavailable'));
  await admin.putProjectAppPublic({ params });
  const { modules } = await configAt(service, `/app/${appId}/`);
  const [{ properties }] = modules as unknown as [{ properties: { placeSearch: string } }];
  const answer = await app.inject({ url: `/engines/platen/${properties.placeSearch}` });
  assert.match(String(answer.headers['cache-control']), /immutable/);
  assert.match(answer.json<{ places: string }>().places, /^Shanghai\t/);
});

test('a tool that the map viewer does not support is left out with a warning', async () => {
  const { params, appId } = await newMap(service, place, ['old']);
  const body = { mapVersion: '~6.2', tools: ['print', 'draw'] as const };
  const { warnings } = await admin.putProjectApp({ params, body: { ...body, tools: [...body.tools] } });
  assert.deepEqual(
    warnings!.filter(({ code }) => code === 'toolUnavailable').map(({ pointer }) => pointer),
    ['/tools/1'],
  );
  assert.match(
    warnings![0]!.detail,
    /^The tool draw is left out because map viewer 6\.2\.\d+ does not support it/,
  );
  await admin.putProjectAppPublic({ params });
  assert.deepEqual(await namesAt(`/app/${appId}/`), ['@vcmap/print']);
  await admin.putProjectApp({ params, body: { mapVersion: '^5' } });
  assert.deepEqual(await namesAt(`/app/${appId}/`), []);
});

test('a tool that a module brings along as a plugin is not loaded twice', async () => {
  const { params, appId, moduleId } = await newMap(service, place, ['own']);
  await admin.putProjectApp({ params, body: { tools: ['print', 'shadow'] } });
  await admin.postMapPlugin({ body: formOf(await packPlugin({ name: '@vcmap/print', version: '9.0.0' })) });
  await admin.putProjectModule({
    params: { ...place, moduleId },
    body: { plugins: [{ name: '@vcmap/print' }] },
  });
  await admin.putProjectAppPublic({ params });
  assert.deepEqual(await namesAt(`/app/${appId}/`), ['@vcmap/shadow']);
});

test('unknown and repeated tools are refused, and files that no tool has do not exist', async () => {
  for (const tools of [['hammer'], ['print', 'print'], 'print'])
    await assert.rejects(
      admin.postProjectApp({ params: place, body: { name: 'Wrong', tools: tools as never } }),
      { status: 400 },
    );
  const [{ version } = { version: '' }] = (await admin.getMapVersions()).items;
  for (const path of ['print@0.0.1/index.js', 'print@4.0.3/package.json', 'print@4.0.3/../package.json', ''])
    assert.equal(
      (await app.inject({ url: `/engines/${version}/plugins/tools/${path}` })).statusCode,
      404,
      path,
    );
});

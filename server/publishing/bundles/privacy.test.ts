import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile as readLocal, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { zipOf } from '@platen/formats/zip/testing';
import { archiveOf } from '../../datasources/serving/testing.ts';
import { startService } from '../../testing.ts';
import {
  addApp,
  addDatasource,
  listAll,
  projectForBundles,
  publishing,
  putFiles,
  readFile,
} from './testing.ts';

const run = promisify(execFile);
const baseUrl = 'https://platen.secret-host.example';
const service = await startService({ settings: { baseUrl, publicUrl: 'https://maps.secret-host.example' } });
const { admin, adminId, adminToken, as, context } = service;
const params = await projectForBundles(service);
const geojson = '{"type":"FeatureCollection","features":[]}';
await putFiles(service, params, {
  'trees.geojson': geojson,
  'private.geojson': geojson,
  'places.pmtiles': archiveOf([[0, 0, 0, Buffer.from('tile')]]),
  'large.zip': zipOf([
    {
      name: 'tileset.json',
      content:
        '{"asset":{"version":"1.1"},"geometricError":1,"root":{"boundingVolume":{"region":[0,0,1,1,0,1]},"geometricError":0}}',
    },
    { name: 'large.glb', content: gzipSync(Buffer.alloc(3_000_000, 'glTF')), method: 8 },
  ]).bytes,
});
const datasourceId = await addDatasource(service, params, { type: 'geojson', key: 'trees.geojson' });

async function member(name: string) {
  const user = await service.user(name);
  await admin.putUser({ params: { userId: user.id }, body: { email: `${name}@mail.example` } as never });
  await admin.putProjectUser({ params: { ...params, userId: user.id }, body: { roleId: 'projectMember' } });
  return user;
}

test('a bundle contains nothing about its creator, the service or its secrets', async () => {
  const olivia = await member('olivia-original');
  const layer = await admin.getProjectDatasourceConfig({ params: { ...params, datasourceId } });
  const capability = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFG';
  const data = `/data/t/${capability}/${datasourceId}/trees.geojson`;
  const copied = { type: 'GeoJSONLayer', name: 'copied', url: data };
  const sources = { tiles: { type: 'vector', url: 'tiles.json' }, copied: { type: 'geojson', data } };
  const tilesId = await addDatasource(service, params, {
    type: 'vectortiles',
    key: 'places.pmtiles',
    properties: { style: { version: 8, sources, layers: [] } },
  });
  const tiles = { type: 'VectorTileLayer', name: 'tiles', datasourceId: tilesId };
  const layers = [layer, copied, tiles];
  const appId = await addApp(service, params, [{ layers, properties: { note: 'kept' } }]);
  await admin.putProjectAppPublic({ params: { ...params, appId } });
  await admin.putProjectUser({
    params: { ...params, userId: olivia.id },
    body: { roleId: 'projectManager' },
  });
  const held = await publishing(service, params, { jobType: 'PublishApp', appId });
  const app = await admin.getProjectApp({ params: { ...params, appId } });
  const named = [adminId, adminToken, olivia.id, olivia.token, held.token, capability, params.projectId];
  const places = ['olivia-original', '@mail.example', 'secret-host', params.dataBucketId, appId];
  const identifying = [...named, ...places, app.createdAt, app.memberId];
  const keys = ['createdBy', 'updatedBy', 'createdAt', 'updatedAt', 'memberId', 'projectId', 'warnings'];
  const secrets = [...identifying, ...keys, '/data/', '/api/'];
  const files = await listAll(held);
  for (const name of ['/trees.geojson', '/style.json', '/tiles.json'])
    assert.ok(files.some(({ path }) => path.endsWith(name)));
  for (const { path } of files.filter((file) => !/^(?:engines\/\d|basemap)/.test(file.path))) {
    const bytes = await readFile(held, path);
    for (const secret of secrets) {
      const isCopied = secret === '/data/' && /^(?:app-|README|data\/.*\/style\.json$)/.test(path);
      assert.ok(isCopied || !bytes.includes(secret), `${secret} is in ${path}`);
      assert.ok(!path.includes(secret), `${secret} is in the name of ${path}`);
    }
  }
  for (const { path } of files.filter((file) => /^engines\/\d/.test(file.path)).slice(0, 400)) {
    const bytes = await readFile(held, path);
    for (const secret of identifying) assert.ok(!bytes.includes(secret), `${secret} is in ${path}`);
  }
  const config = (await readFile(held, files.find(({ path }) => path.startsWith('app-'))!.path)).toString();
  assert.match(config, /"note":"kept"/);
  assert.match(
    (await readFile(held, 'README.txt')).toString(),
    /- The data at .*\/trees\.geojson of the original service/,
  );
});

test('a copied address of the service as that of a datasource opens nothing either', async () => {
  const capability = 'zyxwvutsrqponmlkjihgfedcbaZYXWVUTSRQPONMLKJ';
  const url = `https://platen.example.org/data/t/${capability}/somewhere/trees.geojson`;
  const { _id: elsewhere } = await admin.postProjectDatasource({
    params,
    body: { name: 'Elsewhere', type: 'geojson', sourceProperties: { type: 'external', url } },
  });
  const encoded = `https://frames.example.org/?show=${encodeURIComponent(url)}`;
  const layers = [{ type: 'GeoJSONLayer', name: 'copied', datasourceId: elsewhere, properties: { encoded } }];
  const appId = await addApp(service, params, [{ layers }], { name: `Of ${url}`, description: url });
  const held = await publishing(service, params, { jobType: 'PublishApp', appId });
  const files = await listAll(held);
  for (const { path } of files.filter((file) => /^(?:app-|README|index)/.test(file.path)))
    assert.ok(!(await readFile(held, path)).includes(capability), path);
  assert.match(
    (await readFile(held, 'README.txt')).toString(),
    /Elsewhere: https:\/\/platen\.example\.org\/data\/t\/removed\//,
  );
});

test('a bundle omits what the member with whose permissions an app reads may not read', async () => {
  const max = await member('max');
  const secret = await addDatasource(service, params, { type: 'geojson', key: 'private.geojson' });
  const layers = [{ type: 'GeoJSONLayer', name: 'private', datasourceId: secret }];
  const appId = await addApp(service, params, [{ layers }], {});
  await context.db.updateTable('app').set({ member_id: max.id }).where('id', '=', appId).execute();
  const readable = async () => {
    const held = await publishing(service, params, { jobType: 'PublishApp', appId });
    return (await listAll(held)).some(({ path }) => path.includes(secret));
  };
  assert.equal(await readable(), false, 'a member reads no modules of others');
  await admin.putProjectUser({ params: { ...params, userId: max.id }, body: { roleId: 'projectManager' } });
  assert.equal(await readable(), true);
  await admin.putUserActive({ params: { userId: max.id }, body: { isActive: false } });
  assert.equal(await readable(), false);
});

test('the download of an app is its bundle in a folder of its name, for those who may publish it', async (t) => {
  const large = await addDatasource(service, params, { type: 'tileset', key: 'large.zip' });
  const layers = [{ type: 'CesiumTilesetLayer', name: 'large', datasourceId: large }];
  const appId = await addApp(service, params, [{ layers }], { name: 'Our: city/2026. ' });
  const held = await publishing(service, params, { jobType: 'PublishApp', appId });
  const files = await listAll(held);
  const reply = await admin.getProjectAppDownload({ params: { ...params, appId } });
  assert.match(reply.headers.get('content-disposition')!, /filename="Our city 2026.tar.gz"/);
  const folder = await mkdtemp(join(tmpdir(), 'platen-download-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'a.tar.gz'), new Uint8Array(await reply.arrayBuffer()));
  await run('tar', ['-xzf', 'a.tar.gz'], { cwd: folder });
  const own = join(folder, 'Our city 2026');
  const unpacked = (await readdir(own, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(own.length + 1));
  assert.deepEqual(unpacked.toSorted(), files.map(({ path }) => path).toSorted());
  for (const path of [`data/${large}/~1/large.glb`, 'index.html', 'basemap/world/0/0/0.png'])
    assert.deepEqual(await readLocal(join(own, path)), await readFile(held, path), path);
  assert.equal((await readLocal(join(own, `data/${large}/~1/large.glb`))).length, 3_000_000);
  const mia = await member('mia');
  await assert.rejects(mia.client.getProjectAppDownload({ params: { ...params, appId } }), { status: 403 });
  await assert.rejects(as().getProjectAppDownload({ params: { ...params, appId } }), { status: 401 });
});

test('a scenario is published as one file of modules, with its data', async () => {
  const layer = await admin.getProjectDatasourceConfig({ params: { ...params, datasourceId } });
  const { _id: moduleId } = await admin.postProjectModule({
    params,
    body: { name: 'Variant', layers: [layer] } as never,
  });
  const { _id: scenarioId } = await admin.postProjectScenario({
    params,
    body: { name: 'Variant A', moduleIds: [moduleId] },
  });
  const held = await publishing(service, params, { jobType: 'PublishScenario', scenarioId });
  const files = await listAll(held);
  const data = `data/${datasourceId}/~1/trees.geojson`;
  assert.deepEqual(
    files.map(({ path, isEntry }) => [path, isEntry]),
    [
      [data, undefined],
      ['README.txt', undefined],
      ['scenario.json', true],
    ],
  );
  const text = (await readFile(held, 'scenario.json')).toString();
  const { modules, addresses } = JSON.parse(text) as {
    modules: { layers: { url: string }[] }[];
    addresses: string[];
  };
  assert.equal(modules[0]!.layers[0]!.url, data);
  assert.deepEqual(addresses, ['/modules/0/layers/0/url']);
  assert.ok(!text.includes(adminId));
  const reply = await admin.getProjectScenarioDownload({ params: { ...params, scenarioId } });
  assert.match(reply.headers.get('content-disposition')!, /filename="Variant A.tar.gz"/);
  await reply.arrayBuffer();
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askFor } from '../../datasources/serving/testing.ts';
import { startService } from '../../testing.ts';
import { transfersOf } from './testing-transfer.ts';

const service = await startService();
const { admin, context } = service;
const { bucketOf, upload, move, secondBucket } = transfersOf(service);
const geojson = '{"type":"FeatureCollection","features":[]}';

test('a datasource serves moved data, under its old address too', async () => {
  const params = await bucketOf({
    'in/places.geojson': geojson,
    'tiles/set/tileset.json': tileset,
    'tiles/set/0.b3dm': 'x',
  });
  const register = (type: 'geojson' | 'generic' | 'tileset', dataBucketKey: string) =>
    admin.postProjectDatasource({
      params,
      body: {
        name: type,
        type,
        sourceProperties: { type: 'internal', dataBucketId: params.dataBucketId, dataBucketKey },
      },
    });
  const [file, folder, entry] = [
    await register('geojson', 'in/places.geojson'),
    await register('generic', 'tiles/set/'),
    await register('tileset', 'tiles/set/tileset.json'),
  ];
  const ask = async (path: string) => (await askFor(service, path, {})).statusCode;
  const get = (datasourceId: string) => admin.getProjectDatasource({ params: { ...params, datasourceId } });
  assert.equal(await ask(file.uri), 200);

  const dataBucketId = await secondBucket(params);
  await move(params, { key: 'in/', to: 'out/deep/', dataBucketId });
  await move({ ...params, dataBucketId }, { key: 'out/deep/places.geojson', to: 'out/renamed.geojson' });
  assert.equal(await ask(file.uri), 200);
  const moved = await get(file._id);
  assert.deepEqual(moved.sourceProperties, {
    type: 'internal',
    dataBucketId,
    dataBucketKey: 'out/renamed.geojson',
  });
  assert.deepEqual([moved.uri, moved.revision], [`/data/${file._id}/renamed.geojson`, file.revision + 2]);
  for (const path of [moved.uri, file.uri]) assert.equal(await ask(path), 200, path);
  assert.equal(await ask(`/data/${file._id}/other.geojson`), 404);

  await move(params, { key: 'tiles/', to: 'models/new/' });
  assert.deepEqual((await get(folder._id)).sourceProperties, {
    type: 'internal',
    dataBucketId: params.dataBucketId,
    dataBucketKey: 'models/new/set/',
  });
  assert.equal((await get(entry._id)).uri, entry.uri);
  for (const path of [entry.uri, `/data/${folder._id}/0.b3dm`, `/data/${entry._id}/0.b3dm`])
    assert.equal(await ask(path), 200, path);
});

test('a part of a folder that a datasource serves is moved only with force', async () => {
  const params = await bucketOf({ 'set/tileset.json': tileset, 'set/0/0.b3dm': 'x' });
  const sourceProperties = {
    type: 'internal',
    dataBucketId: params.dataBucketId,
    dataBucketKey: 'set/tileset.json',
  } as const;
  const datasource = await admin.postProjectDatasource({
    params,
    body: { name: 'Set', type: 'tileset', sourceProperties },
  });
  for (const body of [
    { key: 'set/0/0.b3dm', to: 'set/1.b3dm' },
    { key: 'set/0/', to: 'other/' },
    { key: 'set/tileset.json', to: 'tileset.json' },
  ]) {
    await assert.rejects(move(params, body), (error: { status: number; errors: { pointer: string }[] }) => {
      assert.deepEqual([error.status, error.errors[0]?.pointer], [409, `datasource/${datasource._id}`]);
      return true;
    });
  }
  await move(params, { key: 'set/tileset.json', to: 'set/root.json' });
  const { uri } = await admin.getProjectDatasource({ params: { ...params, datasourceId: datasource._id } });
  assert.equal(uri, `/data/${datasource._id}/root.json`);
  for (const path of [uri, datasource.uri]) assert.equal((await askFor(service, path, {})).statusCode, 200);
  await move(params, { key: 'set/0/', to: 'other/', force: true });
});

const tileset = JSON.stringify({
  asset: { version: '1.0' },
  geometricError: 1,
  root: { boundingVolume: { region: [0, 0, 0.1, 0.1, 0, 1] }, geometricError: 0, refine: 'ADD' },
});

test('tasks and waiting jobs follow a folder that was moved', async () => {
  const params = await bucketOf({ 'scans/a.geojson': geojson, scans: geojson, 'one.geojson': geojson });
  const source = (dataBucketKey: string) => ({
    type: 'internal',
    dataBucketId: params.dataBucketId,
    dataBucketKey,
  });
  const options = {
    input: [source('/scans/a.geojson'), source('scans/'), source('scans'), source('one.geojson')],
    tiling: { minZoom: 1 },
    output: { prefix: 'scans/tiles' },
  };
  const task = await admin.postProjectTask({
    params,
    body: {
      name: 'T',
      jobType: 'platenTilesVector',
      schedule: { type: 'scheduled', scheduled: '2099-01-01T00:00:00Z' },
      parameters: { datasource: { command: 'create', name: 'D' }, options },
    },
  });
  const path = { projectId: params.projectId, taskId: task._id };
  const job = await admin.postProjectTaskRun({ params: path });
  await admin.deleteProjectDataBucketObject({ params, query: { key: 'scans', force: true } });
  await upload(params, { scans: geojson });
  const dataBucketId = await secondBucket(params);
  await move(params, { key: 'scans/', to: 'kept/2026/', dataBucketId });
  await move(params, { key: 'one.geojson', to: 'two.geojson' });
  const elsewhere = (dataBucketKey: string) => ({ type: 'internal', dataBucketId, dataBucketKey });
  const expected = {
    datasource: { command: 'create', name: 'D' },
    options: {
      input: [
        elsewhere('kept/2026/a.geojson'),
        elsewhere('kept/2026/'),
        source('scans'),
        source('two.geojson'),
      ],
      tiling: { minZoom: 1 },
      output: { prefix: 'kept/2026/tiles', dataBucketId },
    },
  };
  const changed = await admin.getProjectTask({ params: path });
  assert.deepEqual(changed.parameters, expected);
  assert.equal(changed.revision, task.revision + 2);
  const waiting = await admin.getProjectJob({ params: { projectId: params.projectId, jobId: job._id } });
  assert.deepEqual(waiting.parameters, expected);
});

test('a task of a type that is no longer installed does not prevent its file from being moved', async () => {
  const params = await bucketOf({ 'one.geojson': geojson });
  const { projectId, dataBucketId } = params;
  const input = (dataBucketKey: string) => ({ type: 'internal', dataBucketId, dataBucketKey });
  const { _id: taskId } = await admin.postProjectTask({
    params,
    body: {
      name: 'T',
      jobType: 'platenTilesVector',
      schedule: { type: 'scheduled', scheduled: '2099-01-01T00:00:00Z' },
      parameters: {
        datasource: { command: 'create', name: 'D' },
        options: { input: input('one.geojson') },
      },
    },
  });
  await context.db.updateTable('task').set({ job_type: 'platenGone' }).where('id', '=', taskId).execute();
  await move(params, { key: 'one.geojson', to: 'two.geojson' });
  const { parameters } = await admin.getProjectTask({ params: { projectId, taskId } });
  assert.deepEqual(parameters['options'], { input: input('two.geojson') });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newPlace, read, write, type BucketPath } from '../../files/revisions/testing.ts';
import { askFor } from '../../datasources/serving/testing.ts';
import { tilingTask } from '../../jobs/tasks/testing.ts';
import { startService } from '../../testing.ts';

const service = await startService();
const { admin, context, user } = service;

const trashOf = async (place: BucketPath) => (await admin.getProjectTrash({ params: place })).items;
const remove = (params: BucketPath, key: string, force = false) =>
  admin.deleteProjectDataBucketObject({ params, query: { key, force } });

/** Restores what was deleted last. */
async function restoreLast(place: BucketPath, query = {}) {
  const [last] = await trashOf(place);
  return admin.postProjectTrashItemRestore({ params: { ...place, trashId: last!._id }, query });
}

async function register(params: BucketPath, dataBucketKey: string) {
  const sourceProperties = { type: 'internal' as const, dataBucketId: params.dataBucketId, dataBucketKey };
  const body = { name: dataBucketKey, type: 'generic' as const, sourceProperties };
  return (await admin.postProjectDatasource({ params, body }))._id;
}

test('a restored bucket has its files, and datasources that point to it find their data again', async () => {
  const place = await newPlace(service);
  const { projectId } = place;
  const bucket = await admin.postProjectDataBucket({
    params: place,
    body: { name: 'scans', properties: { z: 1, a: [2] } },
  });
  const params = { projectId, dataBucketId: bucket._id };
  await write(admin, params, { 'a.json': '{}', 'b/c.json': '{}' });
  const datasourceId = await register(params, 'a.json');
  await assert.rejects(admin.deleteProjectDataBucket({ params }), {
    status: 409,
    errors: [{ pointer: `datasource/${datasourceId}`, code: 'in_use', detail: 'a.json' }],
  });
  const path = `/data/${datasourceId}/a.json`;
  assert.equal((await askFor(service, path)).statusCode, 200);
  await admin.deleteProjectDataBucket({ params, query: { force: true } });
  assert.equal((await askFor(service, path)).statusCode, 404);
  const there = { params: { projectId, datasourceId } };
  assert.equal((await admin.getProjectDatasource(there)).uri, path);
  assert.equal(await read(admin, params, 'a.json'), 404);
  const { numberOfFiles } = await restoreLast(place);
  assert.equal(numberOfFiles, 2);
  assert.deepEqual(await admin.getProjectDataBucket({ params }), bucket);
  assert.equal(await read(admin, params, 'b/c.json'), '{}');
  assert.equal((await askFor(service, path)).statusCode, 200);
  const { items } = await admin.getProjectDataBucketObjects({ params, query: { delimiter: '/' } });
  assert.deepEqual(
    items.map(({ key }) => key),
    ['a.json', 'b/'],
  );
});

test('restoring a bucket whose data a public app would show requires the permission to publish', async () => {
  const place = await newPlace(service);
  const { projectId } = place;
  const owner = await user(`owner in ${projectId}`);
  const assign = (roleId: string) =>
    admin.putProjectUser({ params: { projectId, userId: owner.id }, body: { roleId } });
  await assign('projectManager');
  const { _id } = await owner.client.postProjectDataBucket({ params: place, body: { name: 'scans' } });
  const params = { projectId, dataBucketId: _id };
  await write(owner.client, params, { 'a.json': '{}' });
  const datasourceId = await register(params, 'a.json');
  const content = {
    layers: [{ type: 'GeoJSONLayer', name: 'a', datasourceId }],
    maps: [{ type: 'CesiumMap', name: 'globe' }],
  };
  const module = await admin.postProjectModule({ params: place, body: { name: 'M', ...content } });
  const body = { name: 'A', description: '', mapVersion: '^6.3.0', moduleIds: [module._id] };
  const app = await admin.postProjectApp({ params: place, body });
  await admin.putProjectAppPublic({ params: { projectId, appId: app._id } });
  await admin.deleteProjectDataBucket({ params, query: { force: true } });
  await assign('projectMember');
  const [ofBucket] = await trashOf(place);
  const path = { params: { projectId, trashId: ofBucket!._id } };
  await assert.rejects(owner.client.postProjectTrashItemRestore(path), {
    status: 403,
    message: /content of an app that is public/,
  });
  assert.equal(await read(admin, params, 'a.json'), 404);
  await assign('projectManager');
  await owner.client.postProjectTrashItemRestore(path);
  assert.equal((await fetchPublic(datasourceId)).statusCode, 200);
});

/** As anybody may. */
const fetchPublic = (datasourceId: string) =>
  service.app.inject({ method: 'GET', url: `/data/${datasourceId}/a.json` });

test('a restored datasource is in the modules that name it, and without its data only by force', async () => {
  const place = await newPlace(service);
  const { projectId } = place;
  await write(admin, place, { 'a.json': '{}' });
  const datasourceId = await register(place, 'a.json');
  const layer = { type: 'GeoJSONLayer', name: 'a', datasourceId };
  const module = await admin.postProjectModule({ params: place, body: { name: 'M', layers: [layer] } });
  const before = await admin.getProjectDatasource({ params: { projectId, datasourceId } });
  await admin.deleteProjectDatasource({ params: { projectId, datasourceId }, query: { force: true } });
  assert.equal((await askFor(service, `/data/${datasourceId}/a.json`)).statusCode, 404);
  await remove(place, 'a.json');
  const [, ofDatasource] = await trashOf(place);
  const params = { projectId, trashId: ofDatasource!._id };
  await assert.rejects(admin.postProjectTrashItemRestore({ params }), { status: 409, message: /“a.json”/ });
  await restoreLast(place);
  await admin.postProjectTrashItemRestore({ params });
  assert.deepEqual(await admin.getProjectDatasource({ params: { projectId, datasourceId } }), before);
  assert.equal((await askFor(service, `/data/${datasourceId}/a.json`)).statusCode, 200);
  const uses = await admin.getProjectDatasourceUsedBy({ params: { projectId, datasourceId } });
  assert.deepEqual(
    uses.items.map(({ _id }) => _id),
    [module._id],
  );
});

test('a datasource whose bucket was deleted later is restored by force, and works again with the bucket', async () => {
  const place = await newPlace(service);
  const { projectId } = place;
  const { _id } = await admin.postProjectDataBucket({ params: place, body: { name: 'scans' } });
  const params = { projectId, dataBucketId: _id };
  await write(admin, params, { 'a.json': '{}' });
  const datasourceId = await register(params, 'a.json');
  await admin.deleteProjectDatasource({ params: { projectId, datasourceId } });
  await admin.deleteProjectDataBucket({ params });
  const [ofBucket, ofDatasource] = await trashOf(place);
  const path = { params: { projectId, trashId: ofDatasource!._id } };
  await assert.rejects(admin.postProjectTrashItemRestore(path), { status: 409, message: /bucket/ });
  await admin.postProjectTrashItemRestore({ ...path, query: { force: true } });
  assert.equal((await askFor(service, `/data/${datasourceId}/a.json`)).statusCode, 404);
  await admin.postProjectTrashItemRestore({ params: { projectId, trashId: ofBucket!._id } });
  assert.equal((await askFor(service, `/data/${datasourceId}/a.json`)).statusCode, 200);
});

test('a formerly public app is restored for its members and guests only, with the existing modules', async () => {
  const place = await newPlace(service);
  const { projectId } = place;
  const [one, two] = [
    await admin.postProjectModule({ params: place, body: { name: 'one' } }),
    await admin.postProjectModule({
      params: place,
      body: { name: 'two', maps: [{ type: 'CesiumMap', name: 'globe' }] },
    }),
  ];
  const body = { name: 'A', description: '', mapVersion: '^6.3.0', moduleIds: [one._id, two._id] };
  const { _id: appId } = await admin.postProjectApp({ params: place, body });
  const guest = await user(`guest of ${projectId}`);
  const grant = { roleId: 'appGuest', resourceId: appId };
  await admin.putIamRole({ params: grant, query: { principalIds: [guest.id] } });
  await admin.putProjectAppPublic({ params: { projectId, appId } });
  await admin.deleteProjectApp({ params: { projectId, appId } });
  await admin.deleteProjectModule({ params: { projectId, moduleId: one._id } });
  const [, ofApp] = await trashOf(place);
  await admin.postProjectTrashItemRestore({ params: { projectId, trashId: ofApp!._id } });
  const restored = await admin.getProjectApp({ params: { projectId, appId } });
  assert.deepEqual([restored.isPublic, restored.moduleIds], [false, [two._id]]);
  assert.equal((await guest.client.getProjectApp({ params: { projectId, appId } }))._id, appId);
  const { items } = await admin.getAudit({ query: { targetId: [guest.id] } });
  assert.equal(items.filter(({ action }) => action === 'guest.add').length, 2);
  await restoreLast(place);
  const { moduleIds } = await admin.getProjectApp({ params: { projectId, appId } });
  assert.deepEqual(moduleIds, [two._id], 'a module does not go back into apps');
});

test('a restored task has its ended jobs, and does not make up for missed runs', async () => {
  const place = await newPlace(service);
  const { projectId, dataBucketId } = place;
  await write(admin, place, { 'cities.geojson': '{}' });
  const schedule = { type: 'cron' as const, cron: '0 4 * * *' };
  const { _id: taskId } = await admin.postProjectTask({
    params: place,
    body: { ...tilingTask(dataBucketId), schedule },
  });
  const params = { projectId, taskId };
  const ended = await admin.postProjectTaskRun({ params });
  await admin.putProjectJobAbort({ params: { projectId, jobId: ended._id } });
  const { _id: queued } = await admin.postProjectTaskRun({ params });
  const log = await admin.getProjectJobLog({ params: { projectId, jobId: ended._id } });
  await context.db
    .updateTable('task')
    .set({ next_run_at: new Date(0) })
    .where('id', '=', taskId)
    .execute();
  await admin.deleteProjectTask({ params });
  await assert.rejects(admin.getProjectTask({ params }), { status: 404 });
  await restoreLast(place);
  const restored = await admin.getProjectTask({ params });
  assert.equal(restored.lastJobId, ended._id);
  assert.ok(Date.parse(restored.nextRunAt!) > Date.now());
  assert.deepEqual(await admin.getProjectJobLog({ params: { projectId, jobId: ended._id } }), log);
  await assert.rejects(admin.getProjectJob({ params: { projectId, jobId: queued } }), { status: 404 });
  const uses = await admin.getProjectDataBucketObjectUsedBy({
    params: place,
    query: { key: 'cities.geojson' },
  });
  assert.deepEqual(
    uses.items.map(({ _id, blocks }) => [_id, blocks]),
    [[taskId, true]],
  );
});

test('free-form objects are restored in their order', async () => {
  const place = await newPlace(service);
  const properties = { z: 1, a: { 10: 'ten', b: null }, deep: [[{ y: 0.1, x: 1e20 }]] };
  const made = await admin.postProjectModule({ params: place, body: { name: 'M', properties } });
  await admin.deleteProjectModule({ params: { projectId: place.projectId, moduleId: made._id } });
  await restoreLast(place);
  const got = await admin.getProjectModule({ params: { projectId: place.projectId, moduleId: made._id } });
  assert.equal(JSON.stringify(got.properties), JSON.stringify(made.properties));
});

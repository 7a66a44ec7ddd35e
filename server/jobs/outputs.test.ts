import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeRunner, newPlace, read, register, write, type BucketPath } from '../files/revisions/testing.ts';
import { askFor } from '../datasources/serving/testing.ts';
import { digestOf, startService } from '../testing.ts';

const service = await startService();
const { admin, context, user } = service;

const files = { 'tiles/0/0/0.pbf': 'zero', 'tiles/1/0/0.pbf': 'one', 'style.json': '{}' };

/** A job that has created a datasource of three files. */
async function madeByJob(prefix?: string) {
  const place = await newPlace(service);
  const { run, prepare } = await makeRunner(service, place);
  const { complete, jobId, taskId } = await prepare({
    command: { command: 'create', name: 'Made' },
    files,
    ...(prefix !== undefined && { prefix }),
  });
  const { datasourceId } = await complete();
  const params = { ...place, jobId };
  const job = await admin.getProjectJob({ params });
  const keys = job.outputItems.flatMap(({ dataBucketKey }) => dataBucketKey ?? []);
  return { place, params, taskId, datasourceId, job, keys, run };
}

const remove = (params: BucketPath & { jobId: string }, query = {}) =>
  admin.deleteProjectJob({ params, query: { outputs: true, ...query } });
const trashOf = async (place: BucketPath) => (await admin.getProjectTrash({ params: place })).items;
const contentOf = async (place: BucketPath, keys: readonly string[]) =>
  Promise.all(keys.map((key) => read(admin, place, key)));

test('a job is deleted with its files and the datasource that it created, and all are restored unchanged', async () => {
  const { place, params, taskId, datasourceId, job, keys } = await madeByJob();
  assert.equal(keys.length, 3);
  assert.match(job.outputItems[0]!.sha256!, /^[0-9a-f]{64}$/);
  const there = { params: { ...place, datasourceId } };
  const datasource = await admin.getProjectDatasource(there);
  const log = await admin.getProjectJobLog({ params });
  const tile = `/data/${datasourceId}/0/0/0.pbf`;
  assert.equal((await askFor(service, tile)).statusCode, 200);
  assert.deepEqual(await remove(params), { numberOfDeletedItems: 5 });
  assert.deepEqual(await contentOf(place, keys), [404, 404, 404]);
  await assert.rejects(admin.getProjectDatasource(there), { status: 404 });
  await assert.rejects(admin.getProjectJob({ params }), { status: 404 });
  assert.equal((await askFor(service, tile)).statusCode, 404);
  const [item, ...others] = await trashOf(place);
  assert.deepEqual(others, []);
  assert.deepEqual(
    [item!.type, item!.name, item!.resourceId, item!.numberOfFiles],
    ['job', 'Tiles', params.jobId, 3],
  );

  const restored = await admin.postProjectTrashItemRestore({ params: { ...place, trashId: item!._id } });
  assert.deepEqual([restored.type, restored.numberOfFiles], ['job', 3]);
  assert.deepEqual(await contentOf(place, keys), ['{}', 'zero', 'one']);
  assert.deepEqual(await admin.getProjectDatasource(there), datasource);
  assert.deepEqual(await admin.getProjectJob({ params }), job);
  assert.deepEqual(await admin.getProjectJobLog({ params }), log);
  assert.equal((await admin.getProjectTask({ params: { ...place, taskId } })).lastJobId, params.jobId);
  assert.equal((await askFor(service, tile)).statusCode, 200);
  assert.deepEqual(await trashOf(place), []);
});

test('without outputs=true a job is deleted alone', async () => {
  const { place, params, datasourceId, keys } = await madeByJob();
  assert.deepEqual(await admin.deleteProjectJob({ params }), { numberOfDeletedItems: 1 });
  assert.deepEqual(await contentOf(place, keys), ['{}', 'zero', 'one']);
  await admin.getProjectDatasource({ params: { ...place, datasourceId } });
});

test('a file replaced since then stays, and one with the same content is deleted', async () => {
  const { place, params, keys } = await madeByJob('made');
  assert.deepEqual(keys, ['made/style.json', 'made/tiles/0/0/0.pbf', 'made/tiles/1/0/0.pbf']);
  await write(admin, place, { 'made/style.json': '[]', 'made/tiles/0/0/0.pbf': 'zero', 'made/mine': '' });
  assert.deepEqual(await remove(params), { numberOfDeletedItems: 4 });
  assert.deepEqual(await contentOf(place, [...keys, 'made/mine']), ['[]', 404, 404, '']);
});

test('a file that a later job has made again with the same content is that job’s', async () => {
  const place = await newPlace(service);
  const { prepare } = await makeRunner(service, place);
  const jobIds: string[] = [];
  for (const made of [files, { 'tiles/0/0/0.pbf': 'zero', 'style.json': '[]' }]) {
    const command = { command: 'create', name: 'Again' } as const;
    const { complete, jobId } = await prepare({ command, files: made, prefix: 'made' });
    assert.equal((await complete()).state, 'succeeded');
    jobIds.push(jobId);
  }
  const [earlier, later] = jobIds;
  const keys = ['made/tiles/0/0/0.pbf', 'made/tiles/1/0/0.pbf', 'made/style.json'];
  await remove({ ...place, jobId: earlier! }, { force: true });
  assert.deepEqual(await contentOf(place, keys), ['zero', 404, '[]']);
  await remove({ ...place, jobId: later! }, { force: true });
  assert.deepEqual(await contentOf(place, keys), [404, 404, 404]);
});

test('files of old jobs, whose hashes are unknown, are deleted unless they were written again', async () => {
  const { place, params, keys } = await madeByJob();
  const { outputItems } = await admin.getProjectJob({ params });
  const without = JSON.stringify(outputItems.map(({ sha256: _sha256, ...output }) => output));
  await context.db.updateTable('job').set({ outputs: without }).where('id', '=', params.jobId).execute();
  await write(admin, place, { [keys[0]!]: '[]' }); // of the same size
  assert.deepEqual(await remove(params), { numberOfDeletedItems: 4 });
  assert.deepEqual(await contentOf(place, keys), ['[]', 404, 404]);
});

test('used outputs are reported, and nothing is deleted unless forced', async () => {
  const { place, params, datasourceId, keys } = await madeByJob('made');
  const other = await register(service, place, 'made/tiles/');
  const layers = [{ type: 'VectorTileLayer', name: 'a', datasourceId }];
  const module = await admin.postProjectModule({ params: place, body: { name: 'M', layers } });
  const input = { type: 'internal', dataBucketId: place.dataBucketId, dataBucketKey: keys[0]! };
  const reader = await admin.postProjectTask({
    params: place,
    body: {
      name: 'Reader',
      jobType: 'platenTilesVector',
      schedule: { type: 'cron', cron: '0 0 1 1 *' },
      parameters: { datasource: { command: 'create', name: 'R' }, options: { input } },
    },
  });
  const before = await digestOf(context);
  await assert.rejects(remove(params), (error: { status: number; errors: { pointer: string }[] }) => {
    assert.equal(error.status, 409);
    assert.deepEqual(error.errors.map(({ pointer }) => pointer).toSorted(), [
      `datasource/${other._id}`,
      `module/${module._id}`,
      `task/${reader._id}`,
    ]);
    return true;
  });
  assert.equal(await digestOf(context), before);
  assert.deepEqual(await remove(params, { force: true }), { numberOfDeletedItems: 5 });
  const [item] = await trashOf(place);
  await admin.postProjectTrashItemRestore({ params: { ...place, trashId: item!._id } });
  assert.deepEqual(await contentOf(place, keys), ['{}', 'zero', 'one']);
  const uses = await admin.getProjectDatasourceUsedBy({ params: { ...place, datasourceId } });
  assert.deepEqual(
    uses.items.map(({ _id }) => _id),
    [module._id],
    'the module shows it again',
  );
});

test('a datasource that a job overwrote is not deleted, and one with newer data stays, too', async () => {
  const { place, params, datasourceId, keys, run } = await madeByJob();
  const there = { params: { ...place, datasourceId } };
  await run({ command: { command: 'overwrite', datasourceId }, files });
  const { items } = await admin.getProjectJobs({ params: place, query: { limit: 1 } });
  const later = { ...params, jobId: items[0]!._id };
  await assert.rejects(remove(later), {
    status: 409,
    errors: [{ pointer: `datasource/${datasourceId}`, code: 'in_use', detail: 'Made' }],
  });
  // it shows what the later job made by now
  assert.deepEqual(await remove(params), { numberOfDeletedItems: 4 });
  await admin.getProjectDatasource(there);
  assert.deepEqual(await contentOf(place, keys), [404, 404, 404]);
  assert.deepEqual(await remove(later, { force: true }), { numberOfDeletedItems: 4 });
  await admin.getProjectDatasource(there);
});

test('a datasource stays if a later job has created it again in the same place', async () => {
  const { place, params, datasourceId, keys } = await madeByJob('made');
  await context.db
    .updateTable('datasource')
    .set({ job_ids: [params.jobId, 'later'] })
    .where('id', '=', datasourceId)
    .execute();
  await write(admin, place, Object.fromEntries(keys.map((key) => [key, 'anew'])));
  assert.deepEqual(await remove(params), { numberOfDeletedItems: 1 });
  await admin.getProjectDatasource({ params: { ...place, datasourceId } });
  assert.deepEqual(await contentOf(place, keys), ['anew', 'anew', 'anew']);
});

test('a running job cannot be deleted, and one without outputs goes to the trash alone', async () => {
  const place = await newPlace(service);
  const { prepare } = await makeRunner(service, place);
  const { jobId } = await prepare({ command: { command: 'create', name: 'X' }, files });
  await assert.rejects(remove({ ...place, jobId }), { status: 409, message: /running/ });
  const next = await prepare({ command: { command: 'create', name: 'Y' }, files: { other: '' } });
  await next.complete(); // it names a folder that it did not make
  assert.deepEqual(await remove({ ...place, jobId: next.jobId }), { numberOfDeletedItems: 1 });
  const [item] = await trashOf(place);
  await admin.postProjectTrashItemRestore({ params: { ...place, trashId: item!._id } });
  assert.equal((await admin.getProjectJob({ params: { ...place, jobId: next.jobId } })).state, 'failed');
});

test('outputs whose task no longer exists are restored without the job', async () => {
  const { place, params, taskId, datasourceId, keys } = await madeByJob();
  await remove(params);
  const [item] = await trashOf(place);
  await admin.deleteProjectTask({ params: { ...place, taskId } });
  await admin.postProjectTrashItemRestore({ params: { ...place, trashId: item!._id } });
  assert.deepEqual(await contentOf(place, keys), ['{}', 'zero', 'one']);
  await admin.getProjectDatasource({ params: { ...place, datasourceId } });
  await assert.rejects(admin.getProjectJob({ params }), { status: 404 });
});

test('restoring conflicts with newer files, unless they may be replaced', async () => {
  const { place, params, keys } = await madeByJob();
  await remove(params);
  const [item] = await trashOf(place);
  await write(admin, place, { [keys[1]!]: 'mine' });
  const there = { ...place, trashId: item!._id };
  await assert.rejects(admin.postProjectTrashItemRestore({ params: there }), { status: 409 });
  assert.deepEqual(await contentOf(place, keys), [404, 'mine', 404]);
  await admin.postProjectTrashItemRestore({ params: there, query: { overwrite: true } });
  assert.deepEqual(await contentOf(place, keys), ['{}', 'zero', 'one']);
});

test('users who may not delete files or datasources may not delete them with a job, nor restore them', async () => {
  const { place, params } = await madeByJob();
  const mia = await user('mia');
  await admin.putProjectUser({ params: { ...place, userId: mia.id }, body: { roleId: 'projectMember' } });
  const byMia = { params, query: { outputs: true } };
  await assert.rejects(mia.client.deleteProjectJob(byMia), { status: 403 });
  await remove(params);
  const [item] = await trashOf(place);
  const restore = mia.client.postProjectTrashItemRestore({ params: { ...place, trashId: item!._id } });
  await assert.rejects(restore, { status: 403, message: /abortJob and editDataBucket and deleteDatasource/ });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Permission } from '@platen/contract/permission';
import { superUser } from '../base/database/testing.ts';
import { startService } from '../testing.ts';
import { enrolledRunner, holdNext, putOutput } from './queue/testing.ts';
import { projectWithCities, tilingTask } from './tasks/testing.ts';
import { checkParameters } from './types/check-parameters.ts';
import { resolveReferences } from './types/references.ts';

const service = await startService();
const { admin, adminId, context } = service;
const { db } = context;
const { projectId, bucketId } = await projectWithCities(service);
const params = { projectId };
const runner = await enrolledRunner(service, 'runner');
const made = (path: string, type = 'flatgeobuf') => ({
  type,
  path,
  typeProperties: {},
  properties: { path },
});

interface Run {
  readonly command: Record<string, string>;
  /** Keys of the further datasources, which are their files without the ending, too. */
  readonly further: readonly string[];
  readonly type?: string;
  readonly jobType?: string;
}

/** Runs a job that makes these datasources, as a runner would. */
async function run({ command, further, type, jobType = 'platenConvertVector' }: Run) {
  const { parameters } = tilingTask(bucketId);
  const body = tilingTask(bucketId, { jobType, parameters: { ...parameters, datasource: command } });
  const { lastJobId: jobId } = await admin.postProjectTask({ params, body });
  const held = (await holdNext(service, runner))!;
  const primary = jobType === 'platenTilesVector' ? made('a.pmtiles', 'vectortiles') : made('main.fgb');
  for (const path of [primary.path, ...further.map((key) => `${key}.fgb`)]) await putOutput(held, path, path);
  const furtherDatasources = further.map((key) => ({
    key,
    title: `the ${key}`,
    ...made(`${key}.fgb`, type),
  }));
  const completion = { datasource: primary, furtherDatasources, warnings: [] };
  await held.client.postRunnerJobComplete({ params: held.params, body: completion });
  const job = await admin.getProjectJob({ params: { projectId, jobId: jobId! } });
  const datasources = job.outputItems.flatMap(({ datasourceId = '', resultKey = '' }) =>
    datasourceId === '' ? [] : [[resultKey, datasourceId] as const],
  );
  return { job, ids: Object.fromEntries(datasources), order: datasources.map(([key]) => key) };
}

const read = (datasourceId: string) => admin.getProjectDatasource({ params: { projectId, datasourceId } });
const count = async () => (await admin.getProjectDatasources({ params, query: {} })).totalCount;

test('a job makes several datasources, the primary one first, and an update makes new revisions of the same', async () => {
  const { ids, order, job } = await run({
    command: { command: 'create', name: 'Terrain' },
    further: ['shade', 'contours'],
  });
  assert.deepEqual(order, ['', 'shade', 'contours']);
  const primaryId = ids['']!;
  const [primary, shade] = [await read(primaryId), await read(ids['shade']!)];
  assert.deepEqual(
    [primary.name, primary.resultKey, primary.primaryDatasourceId],
    ['Terrain', undefined, undefined],
  );
  assert.deepEqual(
    [shade.name, shade.resultKey, shade.primaryDatasourceId, shade.properties, shade.jobIds],
    ['Terrain – the shade', 'shade', primaryId, { path: 'shade.fgb' }, [job._id]],
  );
  await admin.putProjectDatasource({
    params: { projectId, datasourceId: shade._id },
    body: { name: 'Shade', properties: { mine: 1 } },
  });
  const updated = await run({
    command: { command: 'update', name: 'Terrain' },
    further: ['contours', 'shade'],
  });
  assert.deepEqual(updated.ids, ids);
  const after = await read(shade._id);
  assert.deepEqual(
    [after.name, after.dataRevision, after.properties, after.jobIds],
    ['Shade', 2, { mine: 1, path: 'shade.fgb' }, [job._id, updated.job._id]],
  );
  assert.match(after.uri, new RegExp(`shade|${shade._id}`));
  const overwritten = await run({
    command: { command: 'overwrite', datasourceId: primaryId },
    further: ['shade'],
  });
  assert.deepEqual(overwritten.ids, { '': primaryId, shade: shade._id });
  assert.deepEqual((await read(shade._id)).properties, { path: 'shade.fgb' });
  assert.equal((await read(ids['contours']!)).dataRevision, 2, 'what the job no longer makes stays');
  assert.deepEqual(
    await admin
      .postProjectDatasource({
        params,
        body: { name: 'x', type: 'generic', sourceProperties: after.sourceProperties },
      })
      .then(({ resultKey }) => resultKey),
    undefined,
  );
});

test('further datasources of a long name differ by their titles', async () => {
  const { ids } = await run({ command: { command: 'create', name: 'n'.repeat(255) }, further: ['a', 'b'] });
  const names = await Promise.all(['a', 'b'].map(async (key) => (await read(ids[key]!)).name));
  assert.deepEqual(
    names,
    ['a', 'b'].map((key) => `${'n'.repeat(247)} – the ${key}`),
  );
});

test('a further datasource that was deleted is made again, and the newer one counts if it is restored', async () => {
  const { ids } = await run({ command: { command: 'create', name: 'Again' }, further: ['shade'] });
  const primaryId = ids['']!;
  const command = { command: 'update', datasourceId: primaryId };
  await admin.deleteProjectDatasource({ params: { projectId, datasourceId: ids['shade']! }, query: {} });
  const second = (await run({ command, further: ['shade'] })).ids['shade']!;
  assert.notEqual(second, ids['shade']);
  const { items } = await admin.getProjectTrash({ params });
  await admin.postProjectTrashItemRestore({ params: { projectId, trashId: items[0]!._id } });
  assert.equal((await run({ command, further: ['shade'] })).ids['shade'], second);
  assert.equal((await read(ids['shade']!)).dataRevision, 1);
});

test('two jobs that end at once make a further datasource only once', async () => {
  const { ids } = await run({ command: { command: 'create', name: 'Twice' }, further: [] });
  const before = await count();
  const { parameters } = tilingTask(bucketId);
  const datasource = { command: 'update', datasourceId: ids['']! };
  const body = tilingTask(bucketId, {
    jobType: 'platenConvertVector',
    parameters: { ...parameters, datasource },
  });
  const complete = await Promise.all(
    [1, 2, 3].map(async () => {
      await admin.postProjectTask({ params, body });
      const held = (await holdNext(service, runner))!;
      for (const path of ['main.fgb', 'a.fgb']) await putOutput(held, path, path);
      const furtherDatasources = [{ key: 'a', title: 'a', ...made('a.fgb') }];
      const completion = { datasource: made('main.fgb'), furtherDatasources, warnings: [] };
      return () => held.client.postRunnerJobComplete({ params: held.params, body: completion });
    }),
  );
  const ends = await Promise.all(complete.map((end) => end()));
  assert.deepEqual(
    ends.map(({ state }) => state),
    ['succeeded', 'succeeded', 'succeeded'],
  );
  assert.equal(await count(), before + 1);
});

test('a job is deleted with all datasources that it created, and all are restored', async () => {
  const before = await count();
  const { job, ids } = await run({ command: { command: 'create', name: 'Gone' }, further: ['a', 'b'] });
  const modules = [ids['a']!, ids['b']!].map((datasourceId) => ({
    type: 'FlatGeobufLayer',
    name: datasourceId,
    datasourceId,
  }));
  const module = await admin.postProjectModule({ params, body: { name: 'M', layers: modules } });
  const remove = (query: { force?: boolean }) =>
    admin.deleteProjectJob({ params: { projectId, jobId: job._id }, query: { outputs: true, ...query } });
  await assert.rejects(remove({}), (error: { errors: { pointer: string }[] }) => {
    assert.deepEqual(
      error.errors.map(({ pointer }) => pointer),
      [`module/${module._id}`],
    );
    return true;
  });
  assert.deepEqual(await remove({ force: true }), { numberOfDeletedItems: 3 + 3 + 1 });
  assert.equal(await count(), before);
  const [item] = (await admin.getProjectTrash({ params })).items;
  await admin.postProjectTrashItemRestore({ params: { projectId, trashId: item!._id } });
  assert.equal(await count(), before + 3);
  assert.equal((await read(ids['b']!)).primaryDatasourceId, ids['']);
  for (const datasourceId of [ids['a']!, ids['b']!]) {
    const uses = await admin.getProjectDatasourceUsedBy({ params: { projectId, datasourceId } });
    assert.deepEqual(
      uses.items.map(({ _id }) => _id),
      [module._id],
    );
  }
});

test('deleting a job that updated datasources deletes only those that it created', async () => {
  const { ids } = await run({ command: { command: 'create', name: 'Part' }, further: ['a'] });
  const updated = await run({ command: { command: 'update', name: 'Part' }, further: ['a', 'b'] });
  await admin.deleteProjectJob({
    params: { projectId, jobId: updated.job._id },
    query: { outputs: true, force: true },
  });
  await read(ids['']!);
  await read(ids['a']!);
  await assert.rejects(read(updated.ids['b']!), { status: 404 });
});

test('two results of one key, and types that the job type does not make, fail the job without effects', async () => {
  const before = await count();
  for (const [change, message] of [
    [{ further: ['a', 'a'] }, /same key to several/],
    [{ further: ['a'], type: 'tileset' }, /of type tileset instead of flatgeobuf or geojson or generic/],
    [{ further: ['a'], jobType: 'platenTilesVector' }, /of type flatgeobuf\./],
  ] as const) {
    const { job } = await run({ command: { command: 'create', name: 'None' }, ...change });
    assert.equal(job.state, 'failed');
    assert.match(job.errorMessage!, message);
  }
  assert.equal(await count(), before);
});

test('an update takes the permission to edit all of the datasources, and to create further ones', async () => {
  const { ids, job } = await run({ command: { command: 'create', name: 'Mine' }, further: ['a'] });
  const parameters = checkParameters(job.jobType, {
    ...job.parameters,
    datasource: { command: 'update', datasourceId: ids['']! },
  });
  const resolve = (...permissions: Permission[]) => {
    const rights = { isAdmin: false, isSuperUser: false, permissions: new Set(permissions) };
    const caller = { ...superUser(adminId), ...rights };
    return resolveReferences({ db, projectId, caller }, parameters);
  };
  const inputs = await resolve('getProject', 'getDataBucket', 'createDatasource');
  assert.equal(inputs.length, 1, 'who created them may edit them');
  await assert.rejects(resolve('getProject', 'getDataBucket'), /createDatasource/);
  await db.updateTable('datasource').set({ created_by: 'other' }).where('id', '=', ids['a']!).execute();
  await assert.rejects(resolve('getProject', 'getDataBucket', 'createDatasource'), /editDatasource/);
  await resolve('getProject', 'getDataBucket', 'createDatasource', 'editDatasource');
});

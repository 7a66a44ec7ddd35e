import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newPlace, write, type BucketPath } from '../revisions/testing.ts';
import { tilingTask } from '../../jobs/tasks/testing.ts';
import { startService } from '../../testing.ts';

const service = await startService();
const { admin, context } = service;

const daily = { type: 'cron' as const, cron: '0 4 * * *' };

async function register(
  params: BucketPath,
  dataBucketKey: string,
  type: 'generic' | 'vectortiles' = 'generic',
) {
  const sourceProperties = { type: 'internal' as const, dataBucketId: params.dataBucketId, dataBucketKey };
  return (
    await admin.postProjectDatasource({ params, body: { name: dataBucketKey, type, sourceProperties } })
  )._id;
}

async function addTask(params: BucketPath, name: string, change: Record<string, unknown> = {}) {
  const body = { ...tilingTask(params.dataBucketId), name, ...change };
  return (await admin.postProjectTask({ params, body }))._id;
}

const reading = ({ dataBucketId }: BucketPath, dataBucketKey: string) => ({
  datasource: { command: 'create', name: 'T' },
  options: { input: { type: 'internal', dataBucketId, dataBucketKey } },
});

/** `type name role`, with ! where it blocks. */
const summaryOf = ({ items }: { items: { type: string; name: string; role: string; blocks: boolean }[] }) =>
  items.map(({ type, name, role, blocks }) => `${type} ${name} ${role}${blocks ? '!' : ''}`).toSorted();

const usesOfKey = async (params: BucketPath, key: string) =>
  summaryOf(await admin.getProjectDataBucketObjectUsedBy({ params, query: { key } }));

test('the uses of a file are what serves or reads it, directly or with a folder that contains it', async () => {
  const place = await newPlace(service);
  await write(admin, place, {
    'town/a.json': '1',
    'town/deep/b.json': '2',
    'townhall/a.json': '3',
    'other.json': '4',
  });
  await register(place, 'town/');
  await register(place, 'town/a.json');
  await addTask(place, 'once', { parameters: reading(place, '/town/a.json') });
  await addTask(place, 'daily', { parameters: reading(place, 'town'), schedule: daily });
  const output = { dataBucketId: place.dataBucketId, prefix: 'town/deep' };
  const { options } = reading(place, 'other.json');
  await addTask(place, 'writer', { parameters: { ...reading(place, ''), options: { ...options, output } } });

  const around = ['datasource town/ data!', 'task daily input!'];
  const ofFile = [...around, 'datasource town/a.json data!', 'task once input'].toSorted();
  assert.deepEqual(await usesOfKey(place, 'town/a.json'), ofFile);
  assert.deepEqual(await usesOfKey(place, 'town/deep/b.json'), [...around, 'task writer output']);
  assert.deepEqual(await usesOfKey(place, 'town/'), [...ofFile, 'task writer output'].toSorted());
  assert.deepEqual(await usesOfKey(place, 'town/deep/'), [...around, 'task writer output']);
  assert.deepEqual(await usesOfKey(place, 'townhall/'), []);
  assert.deepEqual(await usesOfKey(place, 'other.json'), ['task writer input']);
  await assert.rejects(usesOfKey(place, 'absent'), { status: 404 });
  const ofBucket = summaryOf(await admin.getProjectDataBucketUsedBy({ params: place }));
  const project = 'project City defaultDataBucket';
  assert.deepEqual(ofBucket, [...ofFile, project, 'task writer input', 'task writer output'].toSorted());
});

test('a used resource is deleted only by force, and the error lists its uses', async () => {
  const place = await newPlace(service);
  await write(admin, place, { 'town/a.json': '1', 'b.json': '2', 'c.json': '3' });
  const datasourceId = await register(place, 'town/');
  const taskId = await addTask(place, 'daily', { parameters: reading(place, 'b.json'), schedule: daily });
  await addTask(place, 'once', { parameters: reading(place, 'c.json') });
  const remove = (key: string, force = false) =>
    admin.deleteProjectDataBucketObject({ params: place, query: { key, force } });
  const served = { pointer: `datasource/${datasourceId}`, code: 'in_use', detail: 'town/' };
  const refused = { status: 409, errors: [served] };
  await assert.rejects(remove('town/a.json'), refused);
  await assert.rejects(remove('town/'), refused);
  const read = { pointer: `task/${taskId}`, code: 'in_use', detail: 'daily' };
  await assert.rejects(remove('b.json'), { status: 409, errors: [read] });
  assert.equal(
    (await admin.getProjectTrash({ params: place })).totalCount,
    0,
    'what was refused is no trash',
  );
  await remove('c.json'); // the task that reads it does not run by itself
  await remove('town/', true);
  await remove('b.json', true);
});

test('a bucket in which a scheduled task puts files, or that it reads, is deleted only by force', async () => {
  const place = await newPlace(service);
  const { projectId } = place;
  await write(admin, place, { 'a.json': '1' });
  const [input, output] = await Promise.all(
    ['in', 'out'].map((name) => admin.postProjectDataBucket({ params: place, body: { name } })),
  );
  const read = { projectId, dataBucketId: input!._id };
  const written = { projectId, dataBucketId: output!._id };
  await write(admin, read, { 'a.json': '1' });
  const parameters = reading(read, 'a.json');
  await addTask(place, 'daily', {
    schedule: daily,
    parameters: { ...parameters, options: { ...parameters.options, output: { dataBucketId: output!._id } } },
  });
  for (const params of [read, written]) {
    await assert.rejects(admin.deleteProjectDataBucket({ params }), { status: 409, message: /“daily”/ });
    await admin.deleteProjectDataBucket({ params, query: { force: true } });
  }
});

test('a datasource is used by modules and by tasks that read or change it, a module by apps', async () => {
  const place = await newPlace(service);
  const { projectId } = place;
  await write(admin, place, { 'tiles/0/0/0.pbf': '1', 'cities.geojson': '{}' });
  const datasourceId = await register(place, 'tiles/', 'vectortiles');
  const params = { projectId, datasourceId };
  const layers = [{ type: 'VectorTileLayer', name: 'a', datasourceId }];
  const module = await admin.postProjectModule({ params, body: { name: 'M', layers } });
  const input = { type: 'datasource', datasourceId };
  const { parameters } = tilingTask(place.dataBucketId);
  const reader = await addTask(place, 'reader', { parameters: { ...parameters, options: { input } } });
  const datasource = { command: 'overwrite', datasourceId };
  const maker = await addTask(place, 'maker', { parameters: { ...parameters, datasource }, schedule: daily });
  const uses = async () => summaryOf(await admin.getProjectDatasourceUsedBy({ params }));
  assert.deepEqual(await uses(), ['module M layer!', 'task maker target!', 'task reader input']);
  const ofTask = await admin.getProjectTaskUsedBy({ params: { projectId, taskId: maker } });
  assert.deepEqual(summaryOf(ofTask), ['datasource tiles/ maintained']);
  assert.deepEqual(
    summaryOf(await admin.getProjectTaskUsedBy({ params: { projectId, taskId: reader } })),
    [],
  );
  await assert.rejects(admin.deleteProjectDatasource({ params }), { status: 409, message: /“M”.*“maker”/ });

  const ofModule = { projectId, moduleId: module._id };
  assert.deepEqual(summaryOf(await admin.getProjectModuleUsedBy({ params: ofModule })), []);
  const body = { name: 'A', description: '', mapVersion: '^6.3.0', moduleIds: [module._id] };
  const app = await admin.postProjectApp({ params, body });
  assert.deepEqual(summaryOf(await admin.getProjectModuleUsedBy({ params: ofModule })), ['app A module!']);
  const inUse = { pointer: `app/${app._id}`, code: 'in_use', detail: 'A' };
  await assert.rejects(admin.deleteProjectModule({ params: ofModule }), { status: 409, errors: [inUse] });

  // what a task names follows its parameters
  await admin.putProjectTask({
    params: { projectId, taskId: maker },
    query: { overwriteParameters: true },
    body: { parameters },
  });
  assert.deepEqual(await uses(), ['module M layer!', 'task reader input']);
});

test('a datasource is maintained by the task whose job has made it', async () => {
  const place = await newPlace(service);
  const { projectId } = place;
  await write(admin, place, { 'cities.geojson': '{}' });
  const taskId = await addTask(place, 'maker');
  const { lastJobId } = await admin.getProjectTask({ params: { projectId, taskId } });
  const datasourceId = await register(place, 'cities.geojson');
  await context.db
    .updateTable('datasource')
    .set({ job_ids: [lastJobId!] })
    .where('id', '=', datasourceId)
    .execute();
  const uses = await admin.getProjectTaskUsedBy({ params: { projectId, taskId } });
  assert.deepEqual(summaryOf(uses), ['datasource cities.geojson maintained']);
});

test('uses are listed by pages', async () => {
  const place = await newPlace(service);
  await write(admin, place, { 'a.json': '1' });
  for (let n = 0; n < 5; n++) await register(place, 'a.json');
  const query = { key: 'a.json', limit: 2, page: 2 };
  const { items, totalCount } = await admin.getProjectDataBucketObjectUsedBy({ params: place, query });
  assert.deepEqual([items.length, totalCount], [1, 5]);
});

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { enrolledRunner, holdNext, idle } from '../../jobs/queue/testing.ts';
import { adminPassword, startService } from '../../testing.ts';
import { internalData, typeValues } from './testing-datasources.ts';
import { createReferenceClient } from './testing-client.ts';
import { alternativesOf } from './testing-facts.ts';
import { sampleOf } from './testing-values.ts';

const service = await startService();
const runner = await enrolledRunner(service, 'one');
const { call, session } = createReferenceClient(service.app);

const login = new URLSearchParams({ username: 'admin', password: adminPassword });
session.token = (await call('POST /login', { form: login })).token;
const body = { name: 'City', description: '', bbox: [-180, -85, 180, 85] };
const project = await call('POST /project', { body });
const params = { projectId: project._id as string, dataBucketId: project.defaultDataBucketId as string };

const names = (page: { items: { name?: string; key?: string }[] }) =>
  page.items.map(({ name, key }) => name ?? key);

beforeEach(async () => {
  for (let held; (held = await holdNext(service, runner));) await held.complete();
});

test('a client of the reference finds its project by filters, and its user by name', async () => {
  const found = await call('GET /projects', {
    query: {
      name: 'ity',
      createdAt: 'gte:2020-01-01T00:00:00Z',
      orderBy: 'name,createdAt',
      sort: 'desc',
      bbox: '0,0,1,1',
    },
  });
  assert.deepEqual(names(found), ['City']);
  const later = await call('GET /projects', { query: { createdAt: 'lt:2020-01-01T00:00:00Z' } });
  assert.equal(later.totalCount, 0);
  const users = await call('GET /users', { query: { username: ['admin', 'nobody'] } });
  assert.deepEqual([users.items[0].username, users.totalCount], ['admin', 1]);
  const { items } = await call('GET /iam/roles', { query: { permissions: 'getProject' } });
  assert.deepEqual(items.map(({ name }: { name: string }) => name).toSorted(), [
    'projectManager',
    'projectMember',
  ]);
});

test('it fills a data bucket, by parts of any name, and empties it', async () => {
  const { _id: dataBucketId } = await call('POST /project/{projectId}/data-bucket', {
    params,
    body: { name: 'Files', description: 'd', properties: { a: 1 } },
  });
  const path = { ...params, dataBucketId };
  const bucket = '/project/{projectId}/data-bucket/{dataBucketId}';
  const form = new FormData();
  form.append('upload[]', new Blob(['one']), 'one.txt');
  await call(`POST ${bucket}/upload`, { params: path, form });
  await call(`POST ${bucket}/object`, { params: path, body: { key: 'empty.txt', type: 'file' } });
  await call(`POST ${bucket}/object`, { params: path, body: { key: 'folder', type: 'directory' } });
  const listed = await call(`GET ${bucket}/objects`, {
    params: path,
    query: { orderBy: 'alpha', sort: 'asc' },
  });
  assert.equal(listed.totalCount, 2);
  const keys: string[] = names(listed).map(String);
  const uploaded = keys.find((key) => key !== 'empty.txt')!;
  const info = await call(`GET ${bucket}/object`, { params: path, query: { key: uploaded } });
  assert.equal(info.type, 'file');
  for (const key of keys)
    await call(`DELETE ${bucket}/object`, { params: path, query: { key, force: 'true' } });
  await call(`DELETE ${bucket}`, { params: path });
});

test('it registers, reads, changes and deletes a datasource of each type, with all properties of the type', async () => {
  const form = new FormData();
  for (const [key, content] of Object.entries(internalData.files))
    form.append(key, new Blob([content]), 'file');
  await call('POST /project/{projectId}/data-bucket/{dataBucketId}/upload', { params, form });
  const ids = new Map<string, string>();
  for (const [type, shape, source] of internalData.types) {
    const values = typeValues(type, ids);
    const [fields] = alternativesOf(shape);
    const typeProperties = typeof fields === 'object' ? sampleOf(fields, values) : { any: 'thing' };
    const sourceProperties =
      'url' in source
        ? { type: 'external', ...source }
        : { type: 'internal', dataBucketId: params.dataBucketId, ...source };
    const made = await call('POST /project/{projectId}/datasource', {
      params,
      body: { name: type, type, typeProperties, sourceProperties, bbox: [0, 0, 1, 1], properties: {} },
    });
    assert.deepEqual(made.typeProperties, typeProperties);
    ids.set(type, made._id);
    const path = { ...params, datasourceId: made._id };
    const changed = await call('PUT /project/{projectId}/datasource/{datasourceId}', {
      params: path,
      query: { updateData: 'false' },
      body: { description: 'changed' },
    });
    assert.equal(changed.description, 'changed');
  }
  assert.equal(ids.size, 11);
  const query = { type: ['geojson', 'wms'], orderBy: 'name' };
  assert.deepEqual(names(await call('GET /project/{projectId}/datasources', { params, query })), [
    'geojson',
    'wms',
  ]);
  const summary = await call('GET /project/{projectId}/datasources/summary', { params });
  assert.equal(summary.numberOfItems, 11);
  for (const datasourceId of ids.values())
    await call('DELETE /project/{projectId}/datasource/{datasourceId}', {
      params: { ...params, datasourceId },
      query: { force: 'true' },
    });
});

test('it runs a task with nulls in its schedule, follows the job and reads its operations', async () => {
  const schedule = { type: 'immediate', scheduled: null, cron: null, suspended: null };
  const input = { type: 'internal', dataBucketId: params.dataBucketId, dataBucketKey: '/' };
  const parameters = { datasource: { command: 'create', name: 'All' }, options: { input } };
  const task = await call('POST /project/{projectId}/task', {
    params,
    body: { name: 'T', jobType: 'platenTilesVector', parameters, schedule, tags: { a: 1 }, priority: 2 },
  });
  const path = { ...params, jobId: task.lastJobId };
  const read = () => call('GET /project/{projectId}/job/{jobId}', { params: path });
  assert.deepEqual([(await read()).status, (await read()).tags], [1, { a: 1 }]);
  const held = (await holdNext(service, runner))!;
  const { members } = await held.client.getRunnerJobInputMembers({ params: { ...held.params, index: '0' } });
  assert.ok(members.length > 0 && members.every(({ name }) => !name.startsWith('.jobs/')));
  const progress = { phase: 'read', done: 1, total: 2 };
  const phases = [{ n: 1, name: 'read', done: 1, total: 2, startedSecondsAgo: 0 }];
  await held.client.postRunnerJobProgress({ params: held.params, body: { progress, phases, warnings: [] } });
  assert.deepEqual([(await read()).status, (await read()).jobStages], [2, ['read']]);
  const [set] = await call('GET /project/{projectId}/job/{jobId}/operation-sets', { params: path });
  const operations = await call('GET /project/{projectId}/job/{jobId}/operations', {
    params: path,
    query: { operationSetId: set._id, status: '2', operationType: 'read' },
  });
  assert.equal(operations.length, 1);
  await held.fail({ code: 'broken', message: 'It is broken.' });
  const ended = await read();
  assert.deepEqual([ended.status, ended.errorMessage], [4, 'It is broken.']);
  const jobs = await call('GET /project/{projectId}/jobs', {
    params,
    query: { status: ['4', '5'], jobType: 'platenTilesVector', endTime: 'gte:2020-01-01T00:00:00Z' },
  });
  assert.equal(jobs.totalCount, 1);
  await call('DELETE /project/{projectId}/job/{jobId}', { params: path });
});

test('it waits for a task, and gets the status and the outputs of the job', async () => {
  const done = holdNext(service, runner, 20).then((held) => held!.complete());
  const answer = await call('POST /project/{projectId}/task/sync', { params, body: { name: 'S', ...idle } });
  await done;
  assert.deepEqual([answer.status, answer.error, typeof answer.output], [3, undefined, 'object']);
});

test('it publishes an app by credentials and a login of its own, cancels that, and deletes everything', async () => {
  const user = { type: 'userPassword', name: 'Web', access: 'web', secret: 'hush' };
  const { _id: loginId } = await call('POST /login-credential', { body: user });
  const destination = { type: 'sftp', host: 'web.example.org', defaultPath: 'www', gzip: true, loginId };
  const createCredential = (name: string) =>
    call('POST /project/{projectId}/credential', { params, body: { name, ...destination } });
  const credential = await createCredential('Web');
  const module = await call('POST /project/{projectId}/module', { params, body: { name: 'M', layers: [] } });
  const app = await call('POST /project/{projectId}/app', {
    params,
    body: { name: 'A', moduleIds: [module._id] },
  });
  const path = { ...params, appId: app._id };
  const publish = '/project/{projectId}/app/{appId}/publish';
  const task = await call(`PUT ${publish}`, {
    params: path,
    body: { credentialsId: credential._id, destination: 'a', numThreads: 2, lib: true, plugins: true },
  });
  const state = await call(`GET ${publish}`, { params: path, query: { taskId: task._id } });
  assert.deepEqual([state.task._id, state.job.status], [task._id, 1]);
  await call(`DELETE ${publish}`, { params: path });
  assert.equal((await call(`GET ${publish}`, { params: path })).job.status, 5);
  const compiled = await call('GET /project/{projectId}/app/{appId}/compiled', {
    params: path,
    query: { edit: 'true' },
  });
  assert.equal(compiled.modules.length, 1);
  await call('DELETE /project/{projectId}/app/{appId}', { params: path });
  const moduleId = module._id as string;
  await call('DELETE /project/{projectId}/module/{moduleId}', { params: { ...params, moduleId } });
  const other = await createCredential('Unused');
  const gone = await call('DELETE /project/{projectId}/credential/{projectCredentialId}', {
    params: { ...params, projectCredentialId: other._id },
  });
  assert.equal(gone.loginId, loginId);
});

test('it deletes its project and logs out', async () => {
  const deleted = await call('DELETE /project/{projectId}', { params });
  assert.equal(deleted.name, 'City');
  await call('GET /logout');
  await assert.rejects(call('GET /projects'), /status 200/);
});

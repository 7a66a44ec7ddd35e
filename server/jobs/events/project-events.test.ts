import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProjectEvent } from '@platen/contract/events';
import { startService, type ApiClient } from '../../testing.ts';
import { projectWithCities } from '../tasks/testing.ts';
import { hear, listening } from './testing.ts';

const service = await startService();
const { adminToken, user, admin } = service;
const { as } = await listening(service);

type ReceivedEvent = { event: string; data: object; id: string };

const changesOf = (events: readonly ReceivedEvent[]) =>
  events.filter(({ event }) => event === 'change').map(({ data }) => data as ProjectEvent);
const short = (events: readonly ReceivedEvent[]) =>
  changesOf(events).map(
    ({ type, action, count }) => `${type} ${action}${count === undefined ? '' : ` ${count}`}`,
  );

async function followed(client: ApiClient, projectId: string, lastEventId?: string) {
  const heard = hear<ReceivedEvent>((signal) =>
    client.getProjectEvents({
      params: { projectId },
      signal,
      ...(lastEventId !== undefined && { query: { lastEventId } }),
    }),
  );
  if (lastEventId === undefined) await heard.until((events) => events.length > 0, 'it begins');
  return heard;
}

const newTask = (dataBucketId: string) => ({
  name: 'Tiles',
  jobType: 'platenTilesVector',
  schedule: { type: 'scheduled' as const, scheduled: '2099-01-01T00:00:00Z' },
  parameters: {
    datasource: { command: 'create', name: 'Tiles' },
    options: { input: { type: 'internal', dataBucketId, dataBucketKey: 'cities.geojson' } },
  },
});

test('every change in a project is reported once, in order, with its resource and its user', async () => {
  const { projectId, bucketId } = await projectWithCities(service);
  const client = as(adminToken);
  const heard = await followed(client, projectId);
  assert.equal(heard.events[0]!.event, 'ready');
  const params = { projectId };

  const bucket = await client.postProjectDataBucket({ params, body: { name: 'B' } });
  const inBucket = { ...params, dataBucketId: bucket._id };
  const form = new FormData();
  for (const name of ['a.txt', 'b.txt', 'c.txt']) form.append('file', new Blob([name]), name);
  await client.postProjectDataBucketUpload({ params: inBucket, body: form });
  const { _id: datasourceId } = await client.postProjectDatasource({
    params,
    body: {
      name: 'D',
      type: 'geojson',
      typeProperties: {},
      sourceProperties: { type: 'internal', dataBucketId: bucketId, dataBucketKey: 'cities.geojson' },
    },
  });
  await client.putProjectDatasource({ params: { ...params, datasourceId }, body: { name: 'D2' } });
  const module = await client.postProjectModule({ params, body: { name: 'M' } });
  const app = await client.postProjectApp({
    params,
    body: { name: 'A', description: '', mapVersion: '^6.3.0', moduleIds: [module._id] },
  });
  const task = await client.postProjectTask({ params, body: newTask(bucketId) });
  const job = await client.postProjectTaskRun({ params: { ...params, taskId: task._id } });
  await client.putProjectJobAbort({ params: { ...params, jobId: job._id } });
  await client.deleteProjectApp({ params: { ...params, appId: app._id } });
  await client.putProject({ params, body: { name: 'Town' } });
  const { id: userId } = await user('newcomer');
  await client.putProjectUser({ params: { ...params, userId }, body: { roleId: 'projectMember' } });
  await client.deleteProjectUser({ params: { ...params, userId } });
  await client.deleteProjectDataBucket({ params: inBucket, query: { force: true } });

  await heard.until((events) => short(events).at(-1) === 'data-bucket deleted', 'all is told');
  // files that came at the same time may be told together
  const files = short(heard.events).filter((text) => text.startsWith('objects created'));
  assert.equal(
    files.reduce((sum, text) => sum + Number(text.split(' ')[2]), 0),
    3,
  );
  assert.deepEqual(
    short(heard.events).filter((text) => !text.startsWith('objects')),
    [
      'data-bucket created',
      'datasource created',
      'datasource changed',
      'module created',
      'app created',
      'task created',
      'job created',
      'job changed',
      'app deleted',
      'project changed',
      'member created',
      'member deleted',
      'data-bucket deleted',
    ],
  );
  const changes = changesOf(heard.events);
  const aborted = changes.find(({ type, action }) => type === 'job' && action === 'changed')!;
  assert.deepEqual(
    { ...aborted, at: '' },
    {
      type: 'job',
      action: 'changed',
      _id: job._id,
      taskId: task._id,
      state: 'aborted',
      revision: 2,
      by: service.adminId,
      at: '',
    },
  );
  const deleted = changes.find(({ type, action }) => type === 'app' && action === 'deleted')!;
  assert.deepEqual([deleted._id, deleted.by], [app._id, service.adminId]);
  const ids = heard.events.map(({ id }) => Number(id));
  assert.deepEqual(
    ids,
    [...new Set(ids)].toSorted((a, b) => a - b),
    'ids rise',
  );
  heard.stop();
});

test('a client that returns with an id receives what it missed, and nothing twice', async () => {
  const { projectId } = await projectWithCities(service);
  const client = as(adminToken);
  const heard = await followed(client, projectId);
  const params = { projectId };
  const make = (name: string) => client.postProjectModule({ params, body: { name } });
  const first = await make('1');
  await heard.until((events) => changesOf(events).length === 1, 'the first');
  heard.stop();
  const missed = [await make('2'), await make('3')];
  const again = await followed(client, projectId, heard.events.at(-1)!.id);
  await again.until((events) => changesOf(events).length === 2, 'what was missed');
  const live = await make('4');
  await again.until((events) => changesOf(events).length === 3, 'what comes then');
  assert.deepEqual(
    again.events.map(({ event, data }) => [event, (data as ProjectEvent)._id]),
    [...missed, live].map(({ _id }) => ['change', _id]),
  );
  assert.ok(!changesOf(again.events).some(({ _id }) => _id === first._id));
  again.stop();
});

test('no event of transactions that commit out of order is missed', async () => {
  const { projectId } = await projectWithCities(service);
  const { db } = service.context;
  const heard = await followed(as(adminToken), projectId);
  const insert = (id: string) => ({
    project_id: projectId,
    id,
    name: id,
    description: '',
    properties: '{}',
    revision: 1,
    created_at: new Date(),
    created_by: 'x',
    updated_at: new Date(),
    updated_by: 'x',
  });
  const slow = await db.startTransaction().execute();
  await slow
    .insertInto('data_bucket')
    .values(insert(`slow${projectId}`))
    .execute();
  await db
    .insertInto('data_bucket')
    .values(insert(`fast${projectId}`))
    .execute();
  await heard.until((events) => changesOf(events).length === 1, 'the one that was faster');
  // told, and gone by: nothing may rest on the order of what is written
  await sleep(600);
  await slow.commit().execute();
  await heard.until((events) => changesOf(events).length === 2, 'the one that was slower');
  assert.deepEqual(
    changesOf(heard.events).map(({ _id }) => _id),
    [`fast${projectId}`, `slow${projectId}`],
  );
  heard.stop();
});

test('a change that is rolled back is not reported', async () => {
  const { projectId, bucketId } = await projectWithCities(service);
  const heard = await followed(as(adminToken), projectId);
  const { db } = service.context;
  const tx = await db.startTransaction().execute();
  await tx.updateTable('data_bucket').set({ revision: 99 }).where('id', '=', bucketId).execute();
  await tx.rollback().execute();
  await admin.postProjectModule({ params: { projectId }, body: { name: 'after' } });
  await heard.until((events) => changesOf(events).length > 0, 'what came after');
  assert.deepEqual(short(heard.events), ['module created']);
  heard.stop();
});

test('users who may not see jobs, members or files receive the other events, and no one those of other projects', async () => {
  const { projectId, bucketId } = await projectWithCities(service);
  const other = await projectWithCities(service);
  const { id: userId, token } = await user('plain');
  const params = { projectId };
  await admin.putProjectUser({ params: { ...params, userId }, body: { roleId: 'projectMember' } });
  const plain = await followed(as(token), projectId);
  const all = await followed(as(adminToken), projectId);
  const task = await admin.postProjectTask({ params, body: newTask(bucketId) });
  await admin.postProjectTaskRun({ params: { ...params, taskId: task._id } });
  const form = new FormData();
  form.append('file', new Blob(['x']), 'x.txt');
  await admin.postProjectDataBucketUpload({ params: { ...params, dataBucketId: bucketId }, body: form });
  await admin.postProjectModule({ params: { projectId: other.projectId }, body: { name: 'elsewhere' } });
  await admin.postProjectModule({ params, body: { name: 'here' } });
  const isDone = (events: ReceivedEvent[]) => short(events).includes('module created');
  await plain.until(isDone, 'the member hears');
  await all.until(isDone, 'the admin hears');
  assert.deepEqual(short(plain.events), ['task created', 'module created']);
  assert.deepEqual(short(all.events), ['task created', 'job created', 'objects created 1', 'module created']);
  plain.stop();
  all.stop();
});

test('the creator of a data bucket receives events of its files without the permission', async () => {
  const { projectId } = await projectWithCities(service);
  const { id: userId, token } = await user('owner');
  const params = { projectId };
  const assign = (roleId: string) =>
    admin.putProjectUser({ params: { ...params, userId }, body: { roleId } });
  await assign('projectManager');
  const { _id: dataBucketId } = await as(token).postProjectDataBucket({ params, body: { name: 'Mine' } });
  await assign('projectMember');
  const heard = await followed(as(token), projectId);
  const form = new FormData();
  form.append('file', new Blob(['x']), 'x.txt');
  await admin.postProjectDataBucketUpload({ params: { ...params, dataBucketId }, body: form });
  await heard.until((events) => short(events).includes('objects created 1'), 'it is told');
  heard.stop();
});

test('however many files a statement changes, they are one event of their bucket', async () => {
  const { projectId, bucketId } = await projectWithCities(service);
  const client = as(adminToken);
  const heard = await followed(client, projectId);
  const params = { projectId, dataBucketId: bucketId };
  const form = new FormData();
  for (let i = 0; i < 40; i++) form.append('file', new Blob([`${i}`]), `many/${i}.txt`);
  await client.postProjectDataBucketUpload({ params, body: form });
  const sum = (events: ReceivedEvent[], action: string) =>
    changesOf(events)
      .filter((one) => one.action === action)
      .reduce((total, { count = 0 }) => total + count, 0);
  await heard.until((events) => sum(events, 'created') === 40, 'all have come');
  const before = heard.events.length;
  await client.deleteProjectDataBucketObject({ params, query: { key: 'many/' } });
  await heard.until((events) => sum(events, 'deleted') === 40, 'all have gone');
  assert.equal(heard.events.length, before + 1);
  const deleted = changesOf(heard.events).at(-1)!;
  assert.deepEqual([deleted._id, deleted.by], [bucketId, service.adminId]);
  heard.stop();
});

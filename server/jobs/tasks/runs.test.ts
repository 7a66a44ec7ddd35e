import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@platen/client/client';
import { apiEndpoints } from '@platen/contract/api';
import { enrolledRunner, holdNext, idle } from '../queue/testing.ts';
import { startService } from '../../testing.ts';
import { projectWithCities, tilingTask } from './testing.ts';
import { afterFile } from '../../../checks/clean-up.ts';

const service = await startService();
const { admin, adminToken, app, context, user } = service;
const { projectId, bucketId } = await projectWithCities(service);
const params = { projectId };
const runner = await enrolledRunner(service, 'one');

const baseUrl = await app.listen({ port: 0, host: '127.0.0.1' });
afterFile(() => app.close());
const overHttp = createClient(apiEndpoints, { baseUrl, token: adminToken });

const later = { type: 'scheduled' as const, scheduled: '2100-01-01T00:00:00.000Z' };
const optionsOf = (parameters: object | undefined) =>
  (parameters as { options: Record<string, unknown> }).options;
const refusedAt = (status: number, pointer: string) => (error: { status: number; errors: object[] }) => {
  assert.deepEqual(
    [error.status, (error.errors[0] as { pointer?: string } | undefined)?.pointer],
    [status, pointer],
  );
  return true;
};

const newTask = async (change: object = {}) =>
  (await admin.postProjectTask({ params, body: tilingTask(bucketId, { schedule: later, ...change }) }))._id;

test('a run may differ from its task, which stays as it is', async () => {
  const taskId = await newTask({ priority: 3, labels: ['big'], timeoutSeconds: 60 });
  const path = { projectId, taskId };
  const before = await admin.getProjectTask({ params: path });
  const plain = await admin.postProjectTaskRun({ params: path });
  assert.deepEqual([plain.priority, plain.labels, plain.debugLevel], [3, ['big'], 0]);
  assert.deepEqual([plain.parameters, plain.timeoutSeconds], [before.parameters, 60]);
  const body = {
    parameters: { options: { tiling: { maxZoom: 3 } } },
    priority: -1,
    labels: [],
    debugLevel: 2,
  };
  const job = await admin.postProjectTaskRun({ params: path, body });
  assert.deepEqual([job.priority, job.labels, job.debugLevel, job.taskId], [-1, [], 2, taskId]);
  const { input, tiling } = optionsOf(job.parameters);
  assert.deepEqual([input, tiling], [optionsOf(before.parameters)['input'], { maxZoom: 3 }]);
  const now = await admin.getProjectTask({ params: path });
  assert.deepEqual(now, { ...before, lastJobId: job._id });
});

test('invalid parameters of a run are refused, and nothing is queued', async () => {
  const taskId = await newTask();
  const path = { params: { projectId, taskId } };
  const run = (body: object) => admin.postProjectTaskRun({ ...path, body });
  await assert.rejects(
    run({ parameters: { options: { tiling: { maxZoom: 99 } } } }),
    refusedAt(400, '/parameters/options/tiling/maxZoom'),
  );
  const input = { type: 'internal', dataBucketId: bucketId, dataBucketKey: 'absent' };
  await assert.rejects(
    run({ parameters: { options: { input } } }),
    refusedAt(422, '/parameters/options/input/dataBucketKey'),
  );
  await assert.rejects(run({ jobType: 'platenConvertVector' }), refusedAt(400, '/jobType'));
  await assert.rejects(run({ priority: 1e9 }), refusedAt(400, '/priority'));
  await assert.rejects(run(null as unknown as object), { status: 400 });
  const { totalCount } = await admin.getProjectJobs({ params, query: { taskId: [taskId] } });
  assert.equal(totalCount, 0);
});

test('a repeated request to run with its Idempotency-Key queues one job', async () => {
  const taskId = await newTask();
  const request = { params: { projectId, taskId }, body: {}, headers: { 'idempotency-key': 'run-1' } };
  const [one, two] = [await admin.postProjectTaskRun(request), await admin.postProjectTaskRun(request)];
  assert.equal(one._id, two._id);
});

test('a job is run again with its own parameters, whatever its task contains now', async () => {
  const taskId = await newTask({ priority: 5, timeoutSeconds: 77 });
  const path = { projectId, taskId };
  const first = await admin.postProjectTaskRun({
    params: path,
    body: { parameters: { options: { tiling: { maxZoom: 4 } } }, labels: ['one'] },
  });
  await admin.putProjectTask({
    params: path,
    body: { priority: 1, timeoutSeconds: null, parameters: { options: { tiling: { maxZoom: 9 } } } },
  });
  const again = await admin.postProjectJobRun({ params: { projectId, jobId: first._id } });
  assert.deepEqual(
    [again.repeats, again.taskId, again.state, again.priority, again.labels, again.timeoutSeconds],
    [first._id, taskId, 'queued', 5, ['one'], 77],
  );
  assert.deepEqual(again.parameters, first.parameters);
  const task = await admin.getProjectTask({ params: path });
  assert.deepEqual([task.lastJobId, task.timeoutSeconds], [again._id, undefined]);
  const changed = await admin.postProjectJobRun({
    params: { projectId, jobId: again._id },
    body: { parameters: { options: { tiling: { minZoom: 1 } } }, priority: 0 },
  });
  assert.deepEqual(optionsOf(changed.parameters)['tiling'], { maxZoom: 4, minZoom: 1 });
  assert.deepEqual([changed.repeats, changed.priority], [again._id, 0]);
});

test('inspections and deleted jobs cannot be run again, and the permission is required', async () => {
  const taskId = await newTask();
  const job = await admin.postProjectTaskRun({ params: { projectId, taskId } });
  await context.db.updateTable('job').set({ priority: 0 }).where('id', '=', job._id).execute();
  const path = { params: { projectId, jobId: job._id } };
  const mia = await user('mia');
  await admin.putProjectUser({ params: { projectId, userId: mia.id }, body: { roleId: 'projectMember' } });
  await assert.rejects(mia.client.postProjectJobRun(path), { status: 403 });
  await admin.deleteProjectTask({ params: { projectId, taskId } });
  await assert.rejects(admin.postProjectJobRun(path), { status: 404 });

  const inspect = {
    params: { projectId, dataBucketId: bucketId },
    query: { key: 'cities.geojson', waitSeconds: 0 },
  };
  const { jobId } = (await admin.postProjectDataBucketInspect(inspect)) as { jobId: string };
  await assert.rejects(admin.postProjectJobRun({ params: { projectId, jobId } }), {
    status: 409,
    message: /Inspect the file again/,
  });
  await context.db.deleteFrom('job').execute();
});

const idleTask = { name: 'Idle', ...idle };
const claim = () => holdNext(service, runner, 10);

test('a waiting request returns with its job when that has ended, successfully or not', async () => {
  const ending = claim();
  const done = admin.postProjectTaskSync({ params, body: idleTask });
  await (await ending)!.complete();
  const { lastJob, lastJobId, nextRuns, ...task } = await done;
  assert.deepEqual([lastJob.state, lastJob._id, nextRuns], ['succeeded', lastJobId, []]);
  assert.equal((await admin.getProjectTask({ params: { projectId, taskId: task._id } })).name, 'Idle');

  const failing = claim();
  const failed = admin.postProjectTaskSync({ params, body: idleTask });
  await (await failing)!.fail({ code: 'broken', message: 'The data are odd.' });
  assert.equal((await failed).lastJob.errorMessage, 'The data are odd.');
});

test('a job that takes longer than the request waits continues, and the response says so', async () => {
  const response = await fetch(`${baseUrl}/api/v1/project/${projectId}/task/sync?waitSeconds=0.2`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(idleTask),
  });
  assert.equal(response.status, 202);
  const { lastJob } = (await response.json()) as { lastJob: { _id: string; state: string } };
  assert.equal(lastJob.state, 'queued');
  assert.equal(response.headers.get('location'), `/api/v1/project/${projectId}/job/${lastJob._id}`);
  await (await claim())!.complete();
  const job = await admin.getProjectJob({ params: { projectId, jobId: lastJob._id } });
  assert.equal(job.state, 'succeeded');
});

test('a client that disconnects ends the waiting, not the job', async () => {
  const leaving = new AbortController();
  const waiting = overHttp.postProjectTaskSync({ params, body: idleTask, signal: leaving.signal });
  const held = (await claim())!;
  leaving.abort();
  await assert.rejects(waiting, { name: 'AbortError' });
  await sleep(100);
  assert.equal((await admin.getProjectJob({ params: { projectId, jobId: held.jobId } })).state, 'running');
  assert.deepEqual(await held.complete(), { state: 'succeeded' });
});

test('a request to wait that is sent again with its Idempotency-Key creates nothing, and waits again', async () => {
  const request = {
    params,
    body: { ...idleTask, name: 'Once' },
    headers: { 'idempotency-key': 'sync-1' },
  };
  const first = await admin.postProjectTaskSync({ ...request, query: { waitSeconds: 0 } });
  assert.equal(first.lastJob.state, 'queued');
  const again = admin.postProjectTaskSync({ ...request, query: { waitSeconds: 30 } });
  await (await claim())!.complete();
  const { _id, lastJob } = await again;
  assert.deepEqual([_id, lastJob.state], [first._id, 'succeeded']);
  const { totalCount } = await admin.getProjectTasks({ params, query: { name: ['Once'] } });
  assert.equal(totalCount, 1);
  const other = { ...request, body: { ...request.body, priority: 1 } };
  await assert.rejects(admin.postProjectTaskSync(other), { status: 422 });
});

test('only immediate tasks can be waited for, and the time is limited', async () => {
  for (const schedule of [later, { type: 'cron' as const, cron: '* * * * *' }])
    await assert.rejects(
      admin.postProjectTaskSync({ params, body: { ...idleTask, schedule } }),
      refusedAt(400, '/schedule/type'),
    );
  await assert.rejects(admin.postProjectTaskSync({ params, body: idleTask, query: { waitSeconds: 301 } }), {
    status: 400,
  });
  const mia = await user('max');
  await admin.putProjectUser({ params: { projectId, userId: mia.id }, body: { roleId: 'projectMember' } });
  const refused = mia.client.postProjectTaskSync({ params, body: tilingTask(bucketId) });
  await assert.rejects(refused, { status: 403 });
});

test('a time-out is a number of seconds, and null takes it back', async () => {
  const taskId = await newTask({ timeoutSeconds: 30 });
  const path = { params: { projectId, taskId } };
  assert.equal((await admin.getProjectTask(path)).timeoutSeconds, 30);
  assert.equal((await admin.putProjectTask({ ...path, body: { name: 'N' } })).timeoutSeconds, 30);
  const back = await admin.putProjectTask({ ...path, body: { timeoutSeconds: null } });
  assert.equal(back.timeoutSeconds, undefined);
  for (const timeoutSeconds of [0, 1.5, -1, 1e9, '5'])
    await assert.rejects(newTask({ timeoutSeconds }), refusedAt(400, '/timeoutSeconds'));
});

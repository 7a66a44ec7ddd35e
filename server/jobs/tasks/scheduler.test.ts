import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService } from '../../testing.ts';
import { runDueTasks, startScheduler } from './scheduler.ts';
import { projectWithCities, tilingTask } from './testing.ts';

let now = new Date();
const service = await startService({ now: () => now, settings: { tokenLifetimeMs: 20 * 365 * 86_400_000 } });
const { admin, context, user } = service;
const { projectId, bucketId } = await projectWithCities(service);
const params = { projectId };

beforeEach(() => context.db.deleteFrom('task').execute());

const scheduled = (schedule: object) =>
  admin.postProjectTask({ params, body: tilingTask(bucketId, { schedule }) });
const jobsOf = async (taskId: string) =>
  (await admin.getProjectJobs({ params, query: { taskId: [taskId], sort: 'asc', orderBy: ['createdAt'] } }))
    .items;
const inSeconds = (seconds: number) => new Date(now.getTime() + seconds * 1000);

test('a task with a time runs once, at that time', async () => {
  const { _id } = await scheduled({ type: 'scheduled', scheduled: inSeconds(60).toISOString() });
  assert.equal(await runDueTasks(context), 0);
  now = inSeconds(60);
  assert.equal(await runDueTasks(context), 1);
  assert.equal(await runDueTasks(context), 0);
  assert.equal((await jobsOf(_id)).length, 1);
  const task = await admin.getProjectTask({ params: { projectId, taskId: _id } });
  assert.equal(task.nextRunAt, undefined);
});

test('any number of replicas start each run once', async () => {
  for (let i = 0; i < 20; i++) await scheduled({ type: 'scheduled', scheduled: inSeconds(1).toISOString() });
  now = inSeconds(1);
  const counts = await Promise.all([1, 2, 3, 4].map(() => runDueTasks(context)));
  assert.equal(
    counts.reduce((sum, count) => sum + count),
    20,
  );
  assert.equal((await admin.getProjectJobs({ params })).totalCount, 20);
});

test('a cron run is skipped, and its job says so, while the previous job has not ended', async () => {
  now = new Date('2030-05-01T00:00:30.000Z');
  const { _id, nextRunAt } = await scheduled({ type: 'cron', cron: '* * * * *' });
  assert.equal(nextRunAt, '2030-05-01T00:01:00.000Z');
  now = new Date('2030-05-01T00:01:00.000Z');
  await runDueTasks(context);
  now = new Date('2030-05-01T00:02:00.000Z');
  await runDueTasks(context);
  const [job, ...others] = await jobsOf(_id);
  assert.equal(others.length, 0);
  const log = await admin.getProjectJobLog({ params: { projectId, jobId: job!._id } });
  assert.deepEqual(
    log.items.map(({ message }) => message),
    ['The run of 2030-05-01T00:02:00.000Z was skipped, because this job was still queued.'],
  );
  await admin.putProjectJobAbort({ params: { projectId, jobId: job!._id } });
  now = new Date('2030-05-01T00:03:00.000Z');
  await runDueTasks(context);
  assert.equal((await jobsOf(_id)).length, 2);
});

test('runs that were missed while nothing ran are made up for once', async () => {
  now = new Date('2030-06-01T00:00:30.000Z');
  const { _id } = await scheduled({ type: 'cron', cron: '0 * * * *' });
  now = new Date('2030-06-02T05:30:00.000Z');
  assert.equal(await runDueTasks(context), 1);
  assert.equal((await jobsOf(_id)).length, 1);
  const task = await admin.getProjectTask({ params: { projectId, taskId: _id } });
  assert.equal(task.nextRunAt, '2030-06-02T06:00:00.000Z');
});

test('a task runs only while the user who last changed it may run it, and a failed job records the refusal', async () => {
  now = new Date('2030-06-10T00:00:30.000Z');
  const mia = await user('mia');
  const roleIs = (roleId: string) =>
    admin.putProjectUser({ params: { projectId, userId: mia.id }, body: { roleId } });
  await roleIs('projectManager');
  const body = tilingTask(bucketId, { schedule: { type: 'cron', cron: '* * * * *' } });
  const { _id } = await mia.client.postProjectTask({ params, body });
  const runAt = async (minute: number) => {
    now = new Date(`2030-06-10T00:0${minute}:00.000Z`);
    assert.equal(await runDueTasks(context), 1);
    return (await jobsOf(_id)).map(({ state, errorCode }) => errorCode ?? state);
  };
  const end = async () => {
    const { _id: jobId } = (await jobsOf(_id)).at(-1)!;
    await admin.putProjectJobAbort({ params: { projectId, jobId } });
  };
  assert.deepEqual(await runAt(1), ['queued']);
  assert.equal((await jobsOf(_id))[0]!.createdBy, mia.id);
  await end();

  await admin.putUserActive({ params: { userId: mia.id }, body: { isActive: false } });
  assert.deepEqual(await runAt(2), ['aborted', 'notAllowed']);
  assert.deepEqual(await runAt(3), ['aborted', 'notAllowed']);
  const refused = (await jobsOf(_id)).at(-1)!;
  assert.equal(refused.state, 'failed');
  assert.match(refused.errorMessage!, /2030-06-10T00:02:00\.000Z was refused.* no longer active/);
  const log = await admin.getProjectJobLog({ params: { projectId, jobId: refused._id } });
  assert.deepEqual(
    log.items.map(({ message }) => /00:0\d/.exec(message)![0]),
    ['00:02', '00:03'],
  );
  const task = await admin.getProjectTask({ params: { projectId, taskId: _id } });
  assert.equal(task.nextRunAt, '2030-06-10T00:04:00.000Z');

  await admin.putUserActive({ params: { userId: mia.id }, body: { isActive: true } });
  assert.deepEqual(await runAt(4), ['aborted', 'notAllowed', 'queued']);
  await end();
  await roleIs('projectMember');
  assert.equal((await runAt(5)).at(-1), 'notAllowed');
  await admin.deleteProjectUser({ params: { projectId, userId: mia.id } });
  await admin.deleteUser({ params: { userId: mia.id } });
  assert.equal((await runAt(6)).length, 4);

  await admin.putProjectTask({ params: { projectId, taskId: _id }, body: { description: 'Now mine' } });
  assert.equal((await runAt(7)).at(-1), 'queued');
});

test('a task last changed by a user who may no longer run it does not run for its creator', async () => {
  now = new Date('2030-06-11T00:00:00.000Z');
  const eva = await user('eva');
  const path = { params: { projectId, userId: eva.id } };
  await admin.putProjectUser({ ...path, body: { roleId: 'projectManager' } });
  const { _id } = await scheduled({ type: 'scheduled', scheduled: inSeconds(5).toISOString() });
  await eva.client.putProjectTask({ params: { projectId, taskId: _id }, body: { description: 'Mine' } });
  await admin.deleteProjectUser(path);
  now = inSeconds(5);
  await runDueTasks(context);
  assert.deepEqual(
    (await jobsOf(_id)).map(({ errorCode }) => errorCode),
    ['notAllowed'],
  );
});

test('a due task that cannot be started holds up none of those after it, and is tried again later', async () => {
  now = new Date('2030-06-12T00:00:30.000Z');
  const broken = await scheduled({ type: 'cron', cron: '* * * * *' });
  const { _id } = await scheduled({ type: 'scheduled', scheduled: inSeconds(60).toISOString() });
  const schedule = JSON.stringify({ type: 'cron', cron: 'nonsense' });
  await context.db.updateTable('task').set({ schedule }).where('id', '=', broken._id).execute();
  now = inSeconds(60);
  assert.equal(await runDueTasks(context), 2);
  assert.equal((await jobsOf(_id)).length, 1);
  assert.equal((await jobsOf(broken._id)).length, 0);
  const { nextRunAt } = await admin.getProjectTask({ params: { projectId, taskId: broken._id } });
  assert.equal(nextRunAt, inSeconds(60).toISOString());
});

test('a suspended cron task rests until it is woken, and a start holds the first run back', async () => {
  now = new Date('2030-07-01T00:00:00.000Z');
  const cron = { type: 'cron' as const, cron: '0 0 * * *', scheduled: '2030-07-05T00:00:00.000Z' };
  const { _id, nextRunAt } = await scheduled({ ...cron, suspended: true });
  assert.equal(nextRunAt, undefined);
  const woken = await admin.putProjectTask({
    params: { projectId, taskId: _id },
    body: { schedule: { ...cron, suspended: false } },
  });
  assert.equal(woken.nextRunAt, '2030-07-05T00:00:00.000Z');
});

test('the scheduler starts due tasks by itself, and stops on request', async () => {
  now = new Date('2030-08-01T00:00:00.000Z');
  const { _id } = await scheduled({ type: 'scheduled', scheduled: inSeconds(5).toISOString() });
  const scheduler = startScheduler(context);
  now = inSeconds(5);
  while ((await jobsOf(_id)).length === 0) await sleep(20);
  await scheduler.stop();
  await scheduled({ type: 'scheduled', scheduled: inSeconds(5).toISOString() });
  now = inSeconds(5);
  assert.equal(await runDueTasks(context), 1);
});

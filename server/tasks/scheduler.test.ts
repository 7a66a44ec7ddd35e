import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService } from '../testing.ts';
import { nextRun } from './schedule.ts';
import { runDueTasks, startScheduler } from './scheduler.ts';
import { projectWithCities, tilingTask } from './testing.ts';

let now = new Date();
const service = await startService({ now: () => now, settings: { tokenLifetimeMs: 20 * 365 * 86_400_000 } });
const { admin, context } = service;
const { projectId, bucketId } = await projectWithCities(service);
const params = { projectId };

beforeEach(() => context.db.deleteFrom('task').execute());

const scheduled = (schedule: object) =>
  admin.postProjectTask({ params, body: tilingTask(bucketId, { schedule }) });
const jobsOf = async (taskId: string) =>
  (await admin.getProjectJobs({ params, query: { taskId: [taskId], sort: 'asc', orderBy: ['createdAt'] } }))
    .items;
const inSeconds = (seconds: number) => new Date(now.getTime() + seconds * 1000);

test('a task at an instant runs once, when its time has come', async () => {
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

test('a cron task is skipped, and its job tells so, while the job before is not done', async () => {
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

test('cron follows the clocks of its time zone: once a day also when they change', () => {
  const daily = { type: 'cron', cron: '30 2 * * *', timezone: 'Europe/Berlin' } as const;
  const runs = (from: string, count: number) => {
    const found: string[] = [];
    let at = new Date(from);
    while (found.length < count) {
      at = nextRun(daily, at)!;
      found.push(at.toISOString());
    }
    return found;
  };
  // 02:30 does not exist on 2026-03-29, when the clocks jump from 2 to 3 at 01:00 UTC, and comes twice on 2026-10-25
  assert.deepEqual(runs('2026-03-27T12:00:00Z', 3), [
    '2026-03-28T01:30:00.000Z',
    '2026-03-29T01:00:00.000Z',
    '2026-03-30T00:30:00.000Z',
  ]);
  assert.deepEqual(runs('2026-10-24T12:00:00Z', 2), ['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z']);
});

test('the scheduler starts what is due by itself, and stops when it is told', async () => {
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

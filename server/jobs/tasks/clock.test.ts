import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { idle, projectOf } from '../queue/testing.ts';
import { startService } from '../../testing.ts';
import { repairNextRuns } from './repair-next-runs.ts';
import { runDueTasks, startScheduler } from './scheduler.ts';

let now = new Date('2030-01-01T00:00:00.000Z');
const service = await startService({ now: () => now, settings: { tokenLifetimeMs: 20 * 365 * 86_400_000 } });
const { admin, context } = service;
const projectId = await projectOf(service, 'Clocks');
const params = { projectId };

beforeEach(() => context.db.deleteFrom('task').execute());

type Schedule = NonNullable<Parameters<typeof admin.postProjectTask>[0]['body']['schedule']>;
const everyMinute: Schedule = { type: 'cron', cron: '* * * * *' };

const newTask = async (schedule = everyMinute) =>
  (await admin.postProjectTask({ params, body: { name: 'T', ...idle, schedule } }))._id;
const taskOf = (taskId: string) => admin.getProjectTask({ params: { projectId, taskId } });

/** The scheduler goes by itself. */
async function untilNext(taskId: string, at: Date): Promise<void> {
  const nextRunAt = async () => (await taskOf(taskId)).nextRunAt;
  for (let n = 0; n < 1500 && (await nextRunAt()) !== at.toISOString(); n++) await sleep(20);
  assert.equal(await nextRunAt(), at.toISOString());
}

async function untilRuns(taskId: string, from: Date, count: number): Promise<void> {
  for (let n = 0; n < 1500 && (await runsOf(taskId, from)).length < count; n++) await sleep(20);
}

/** When the jobs of the task were made, in minutes after `from`. */
async function runsOf(taskId: string, from: Date): Promise<number[]> {
  const query = { taskId: [taskId], limit: 1000, orderBy: ['_id' as const] };
  const { items } = await admin.getProjectJobs({ params, query });
  return items.map(({ createdAt }) => (Date.parse(createdAt) - from.getTime()) / 60_000);
}

/** Jobs end at once, so that no run is left out for them. */
const endJobs = () =>
  sql`update job set state = 'succeeded', end_time = ${now} where state = 'queued'`.execute(context.db);

const after = (from: Date, minutes: number) => new Date(from.getTime() + minutes * 60_000);

test('runs missed for a minute, a day or a year are made up for once, by one of several replicas', async () => {
  for (const minutes of [2, 24 * 60, 365 * 24 * 60]) {
    const from = now;
    const taskId = await newTask();
    now = after(from, minutes + 0.5);
    const counts = await Promise.all([1, 2, 3].map(() => runDueTasks(context)));
    assert.equal(
      counts.reduce((sum, count) => sum + count),
      1,
    );
    await endJobs();
    assert.deepEqual(await runsOf(taskId, from), [minutes + 0.5]);
    now = after(from, minutes + 1);
    assert.equal((await taskOf(taskId)).nextRunAt, now.toISOString());
    await runDueTasks(context);
    assert.deepEqual(await runsOf(taskId, from), [minutes + 0.5, minutes + 1]);
    await context.db.deleteFrom('task').execute();
  }
});

test('three schedulers on one database run 200 due tasks, each once', async () => {
  const from = now;
  const half = Array.from({ length: 100 }, () => ({
    type: 'scheduled' as const,
    scheduled: after(from, 1).toISOString(),
  }));
  for (const schedule of half) {
    await newTask(schedule);
    await newTask();
  }
  const schedulers = [1, 2, 3].map(() => startScheduler(context));
  now = after(from, 1);
  const countOf = async () => (await admin.getProjectJobs({ params, query: { limit: 1 } })).totalCount;
  for (let n = 0; n < 1500 && (await countOf()) < 200; n++) await sleep(20);
  await sleep(600); // more than it takes to look again
  await Promise.all(schedulers.map((scheduler) => scheduler.stop()));
  const { items } = await admin.getProjectJobs({ params, query: { limit: 1000 } });
  assert.equal(items.length, 200);
  assert.equal(new Set(items.map(({ taskId }) => taskId)).size, 200);
});

test('a clock that is put back by an hour repeats no run, and later runs are on time', async () => {
  const from = now;
  const taskId = await newTask();
  const pass = async (minute: number) => {
    now = after(from, minute);
    await runDueTasks(context);
    await endJobs();
  };
  for (let minute = 1; minute <= 60; minute++) await pass(minute);
  now = after(from, 1.5);
  assert.equal(await repairNextRuns(context), 1);
  assert.equal((await taskOf(taskId)).nextRunAt, after(from, 2).toISOString());
  for (let minute = 2; minute <= 63; minute++) await pass(minute);
  const wanted = Array.from({ length: 63 }, (_, index) => index + 1);
  assert.deepEqual(await runsOf(taskId, from), wanted);
  const kept = await context.db.selectFrom('task_run').selectAll().where('task_id', '=', taskId).execute();
  assert.deepEqual(
    kept.map(({ first_at, last_at }) => [first_at, last_at]),
    [[after(from, 1), after(from, 63)]],
    'one stretch is all that has to be kept in mind',
  );
});

test('jobs deleted since then are not run again either', async () => {
  const from = now;
  const taskId = await newTask();
  now = after(from, 1);
  await runDueTasks(context);
  await context.db.deleteFrom('job').execute();
  now = after(from, 0.5);
  await repairNextRuns(context);
  now = after(from, 1);
  await runDueTasks(context);
  assert.deepEqual(await runsOf(taskId, from), []);
  now = after(from, 2);
  await runDueTasks(context);
  assert.deepEqual(await runsOf(taskId, from), [2]);
});

test('a clock that was a year ahead for a while stalls nothing when it is right again', async (t) => {
  const from = now;
  const taskId = await newTask();
  const year = 365 * 24 * 60;
  now = after(from, 1);
  await runDueTasks(context);
  await endJobs();
  for (const ahead of [year + 0.5, year + 1, year + 2]) {
    now = after(from, ahead);
    await runDueTasks(context);
    await endJobs();
  }
  now = after(from, 3.5);
  assert.equal(await runDueTasks(context), 0);
  const scheduler = startScheduler(context); // it mends that as it starts
  t.after(() => scheduler.stop());
  await untilNext(taskId, after(from, 4));
  now = after(from, 4);
  const wanted = [1, year + 0.5, year + 1, year + 2, 4];
  await untilRuns(taskId, from, wanted.length);
  assert.deepEqual(new Set(await runsOf(taskId, from)), new Set(wanted));
  await endJobs();

  // and while it runs: far ahead, and back
  now = after(from, 2 * year);
  await untilRuns(taskId, from, wanted.length + 1);
  await endJobs();
  now = after(from, 4.5);
  await untilNext(taskId, after(from, 5));
  now = after(from, 5); // for this one the job was made two years ahead
  await untilNext(taskId, after(from, 6));
  now = after(from, 6);
  await untilRuns(taskId, from, wanted.length + 2);
  assert.deepEqual(new Set(await runsOf(taskId, from)), new Set([...wanted, 2 * year, 6]));
});

test('another pattern has other run times, also if the clock is put back', async () => {
  const from = now;
  const taskId = await newTask();
  now = after(from, 1);
  await runDueTasks(context);
  await endJobs();
  now = after(from, 0.5);
  const schedule = { ...everyMinute, cron: '*/1 * * * *' };
  await admin.putProjectTask({ params: { projectId, taskId }, body: { schedule } });
  now = after(from, 1);
  await runDueTasks(context);
  assert.deepEqual(await runsOf(taskId, from), [1, 1]);
});

test('runs with a gap between them are kept as stretches, of which the latest hundred stay', async () => {
  const from = now;
  const taskId = await newTask();
  for (let n = 1; n <= 103; n++) {
    now = after(from, 3 * n); // two of three are missed
    await runDueTasks(context);
    await endJobs();
  }
  const kept = await context.db
    .selectFrom('task_run')
    .selectAll()
    .where('task_id', '=', taskId)
    .orderBy('last_at')
    .execute();
  assert.equal(kept.length, 100);
  assert.deepEqual(kept.at(-1)!.last_at, after(from, 3 * 103 - 2));
});

test('a paused task does not run, whatever its schedule, and resumes when it is resumed', async () => {
  const from = now;
  const rests = { suspended: true };
  const cron = await newTask({ ...everyMinute, ...rests });
  const once = { type: 'scheduled' as const, scheduled: after(from, 10).toISOString() };
  const scheduled = await newTask({ ...once, ...rests });
  now = after(from, 20);
  assert.equal(await runDueTasks(context), 0);
  assert.deepEqual((await taskOf(cron)).nextRuns, []);
  const wake = (taskId: string, schedule: Schedule) =>
    admin.putProjectTask({ params: { projectId, taskId }, body: { schedule } });
  const woken = await wake(cron, { ...everyMinute, suspended: false });
  assert.equal(woken.nextRunAt, after(from, 21).toISOString(), 'nothing is made up for');
  assert.ok((await wake(scheduled, once)).lastJobId, 'its instant has passed, so it runs at once');
  const asleep = await wake(cron, { ...everyMinute, ...rests });
  assert.equal(asleep.nextRunAt, undefined);
  now = after(from, 30);
  assert.equal(await runDueTasks(context), 0);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enrolledRunner, holdNext, idle } from '../queue/testing.ts';
import { startService } from '../../testing.ts';
import { projectWithCities, tilingTask } from './testing.ts';
import { runDueTasks } from './scheduler.ts';

let now = new Date('2030-03-01T12:00:00.000Z');
const service = await startService({ now: () => now, settings: { tokenLifetimeMs: 20 * 365 * 86_400_000 } });
const { admin, user, context } = service;
const { projectId, bucketId } = await projectWithCities(service);
const params = { projectId };
const runner = await enrolledRunner(service, 'one');

const newTask = (name: string, change: object = {}) =>
  admin.postProjectTask({ params, body: { name, ...idle, ...change } });
type Query = NonNullable<NonNullable<Parameters<typeof admin.getProjectTasks>[0]>['query']>;
const namesOf = async (query: Query) =>
  (await admin.getProjectTasks({ params, query })).items
    .map(({ name }) => name)
    .toSorted()
    .join(' ');

const daily = { type: 'cron' as const, cron: '30 2 * * *', timezone: 'Europe/Berlin' };

test('tasks list their next three runs everywhere, until they are paused or have run', async () => {
  const runs = ['2030-03-02T01:30:00.000Z', '2030-03-03T01:30:00.000Z', '2030-03-04T01:30:00.000Z'];
  const task = await newTask('daily', { schedule: daily });
  const path = { params: { projectId, taskId: task._id } };
  assert.deepEqual([task.nextRuns, task.nextRunAt], [runs, runs[0]]);
  assert.deepEqual((await admin.getProjectTask(path)).nextRuns, runs);
  assert.deepEqual((await admin.getProjectTasks({ params })).items[0]!.nextRuns, runs);
  const { nextRuns } = await admin.putProjectTask({
    ...path,
    body: { schedule: { ...daily, cron: '30 2 30,31 3 *' } },
  });
  // the clocks jump over 02:30 on the 31st
  assert.deepEqual(nextRuns, [
    '2030-03-30T01:30:00.000Z',
    '2030-03-31T01:00:00.000Z',
    '2031-03-30T01:00:00.000Z',
  ]);
  const asleep = await admin.putProjectTask({ ...path, body: { schedule: { ...daily, suspended: true } } });
  assert.deepEqual(asleep.nextRuns, []);
  const once = await newTask('once', { schedule: { type: 'scheduled', scheduled: runs[0] } });
  assert.deepEqual(once.nextRuns, [runs[0]]);
  assert.deepEqual((await newTask('now')).nextRuns, []);
  const putBack = await admin.putProjectTask({ params: { projectId, taskId: once._id }, body: once });
  assert.deepEqual(putBack.nextRuns, once.nextRuns);
  await context.db.deleteFrom('task').execute();
});

test('a schedule that is no longer supported can still be read, and corrected', async () => {
  const { _id: taskId } = await newTask('old', { schedule: daily });
  const schedule = JSON.stringify({ ...daily, timezone: 'Europe/Atlantis' });
  await context.db.updateTable('task').set({ schedule }).where('id', '=', taskId).execute();
  const task = await admin.getProjectTask({ params: { projectId, taskId } });
  assert.deepEqual(task.nextRuns, [task.nextRunAt]);
  const repaired = await admin.putProjectTask({ params: { projectId, taskId }, body: { schedule: daily } });
  assert.equal(repaired.nextRuns.length, 3);
  await context.db.deleteFrom('task').execute();
});

test('a preview says what a task would do, and refuses what it would refuse', async () => {
  const preview = async (schedule: object, from?: string) =>
    (
      await admin.postSchedulePreview({
        body: { schedule: schedule as typeof daily, ...(from !== undefined && { from }) },
      })
    ).nextRuns;
  assert.deepEqual(await preview(daily, '2026-10-24T12:00:00Z'), [
    '2026-10-25T00:30:00.000Z',
    '2026-10-26T01:30:00.000Z',
    '2026-10-27T01:30:00.000Z',
  ]);
  assert.deepEqual(await preview({ type: 'immediate' }), [now.toISOString()]);
  assert.deepEqual(await preview({ type: 'scheduled', scheduled: '2020-01-01T00:00:00Z' }), [
    now.toISOString(),
  ]);
  assert.deepEqual(await preview({ type: 'scheduled', scheduled: '2040-01-01T00:00:00+01:00' }), [
    '2039-12-31T23:00:00.000Z',
  ]);
  assert.deepEqual(await preview({ ...daily, suspended: true }), []);
  const begins = { ...daily, scheduled: '2035-06-01T00:30:00.000Z' };
  assert.equal((await preview(begins))[0], begins.scheduled, 'the start may be the first run');
  for (const [schedule, pointer] of [
    [{ type: 'cron' }, '/schedule/cron'],
    [{ ...daily, cron: '0 0 30 2 *' }, '/schedule/cron'],
    [{ ...daily, cron: '2030-01-01T00:00:00Z' }, '/schedule/cron'],
    [{ ...daily, cron: '1x * * * *' }, '/schedule/cron'],
    [{ ...daily, cron: '*'.repeat(201) }, '/schedule/cron'],
    [{ ...daily, timezone: '+02:00' }, '/schedule/timezone'],
    [{ ...daily, timezone: 'Europe/../Berlin' }, '/schedule/timezone'],
    [{ ...daily, scheduled: '9999-12-31T00:00:00Z' }, '/schedule/cron'],
    [{ type: 'scheduled', scheduled: '2030-02-30' }, '/schedule/scheduled'],
    [{ type: 'scheduled' }, '/schedule/scheduled'],
    [{ type: 'immediate', overlap: 'skip' }, '/schedule/overlap'],
    [{ ...daily, jitter: 5 }, '/schedule/jitter'],
  ] as const) {
    const is400 = (error: { status: number; errors: { pointer: string }[] }) => {
      assert.deepEqual([error.status, error.errors[0]!.pointer], [400, pointer], JSON.stringify(schedule));
      return true;
    };
    await assert.rejects(preview(schedule), is400);
    await assert.rejects(newTask('bad', { schedule }), is400);
  }
  for (const from of ['1969-12-31T00:00:00Z', 'tomorrow'])
    await assert.rejects(preview(daily, from), { status: 400 });
  assert.equal((await admin.getProjectTasks({ params })).totalCount, 0);
});

test('tasks are found by their last job, their type, labels and schedule', async () => {
  await newTask('cron', { schedule: daily, labels: ['gpu'] });
  await newTask('rests', { schedule: { ...daily, suspended: true } });
  await newTask('once', { schedule: { type: 'scheduled', scheduled: '2030-05-01T00:00:00Z' } });
  await newTask('good');
  const good = (await holdNext(service, runner))!;
  await good.complete();
  now = new Date('2030-03-01T13:00:00.000Z');
  await newTask('bad');
  await (await holdNext(service, runner))!.fail({ code: 'broken' });
  await newTask('waits', { labels: ['gpu', 'big'], priority: 7 });
  await admin.postProjectTask({ params, body: tilingTask(bucketId, { name: 'tiles' }) });

  assert.equal(await namesOf({ state: ['succeeded'] }), 'good');
  assert.equal(await namesOf({ status: [4] }), 'bad');
  assert.equal(await namesOf({ state: ['succeeded', 'failed'] }), 'bad good');
  assert.equal(await namesOf({ state: ['succeeded'], status: [4] }), '');
  assert.equal(await namesOf({ status: [1], jobType: [idle.jobType] }), 'waits');
  assert.equal(await namesOf({ jobType: ['platenTilesVector'] }), 'tiles');
  assert.equal(await namesOf({ label: ['gpu'] }), 'cron waits');
  assert.equal(await namesOf({ labels: ['big', 'none'] }), 'waits');
  assert.equal(await namesOf({ labels: ['big'], label: ['gpu'] }), 'cron waits');
  assert.equal(await namesOf({ priority: [7] }), 'waits');
  assert.equal(await namesOf({ priority: [8, 6.5] }), '');
  assert.equal(await namesOf({ scheduleType: ['cron'] }), 'cron rests');
  assert.equal(await namesOf({ scheduleType: ['scheduled', 'cron'] }), 'cron once rests');
  assert.equal(await namesOf({ suspended: true }), 'rests');
  assert.equal(await namesOf({ suspended: false, scheduleType: ['cron'] }), 'cron');
  assert.equal(await namesOf({ nextRunAt: ['../2030-04-01T00:00:00Z'] }), 'cron');
  assert.equal(await namesOf({ nextRunAt: ['2030-05-01T00:00:00Z'] }), 'once');
  assert.equal(await namesOf({ lastRunAt: ['../2030-03-01T12:30:00Z'] }), 'good');
  assert.equal(await namesOf({ lastRunAt: ['2030-03-01T12:30:00Z/..'] }), 'bad');
  const { items } = await admin.getProjectTasks({
    params,
    query: { lastRunAt: ['2000-01-01T00:00:00Z/..'], orderBy: ['lastRunAt'], sort: 'desc' },
  });
  assert.deepEqual(
    items.map(({ name }) => name),
    ['bad', 'good'],
  );
  for (const query of [
    { state: ['done'] },
    { status: [7] },
    { scheduleType: ['hourly'] },
    { nextRunAt: ['soon'] },
  ])
    await assert.rejects(namesOf(query as unknown as Query), { status: 400 });
  await context.db.deleteFrom('task').execute();
});

test('the last job in a list is light: what may be large is with the job', async () => {
  const { _id: taskId } = await newTask('heavy');
  const held = (await holdNext(service, runner))!;
  const text = 'x'.repeat(1000);
  const warnings = [{ code: 'odd', message: 'Odd', count: 20, examples: Array(20).fill({ text }) }];
  await held.client.postRunnerJobComplete({ params: held.params, body: { warnings } });
  const outputs = JSON.stringify(Array(5000).fill({ type: 'object', dataBucketKey: text }));
  const report = JSON.stringify({ text });
  await context.db.updateTable('job').set({ outputs, report }).where('id', '=', held.jobId).execute();
  const { items } = await admin.getProjectTasks({ params, query: { name: ['heavy'] } });
  const { lastJob } = items[0]!;
  assert.ok(JSON.stringify(items).length < 5000);
  assert.deepEqual(
    [lastJob!._id, lastJob!.state, lastJob!.outputItems, lastJob!.parameters, lastJob!.report],
    [held.jobId, 'succeeded', [], undefined, undefined],
  );
  assert.deepEqual(lastJob!.warnings, [{ code: 'odd', message: 'Odd', count: 20, examples: [] }]);
  const job = await admin.getProjectJob({ params: { projectId, jobId: held.jobId } });
  assert.deepEqual([job.outputItems.length, job.warnings[0]!.examples.length], [5000, 20]);

  const mia = await user('mia');
  await admin.putProjectUser({ params: { projectId, userId: mia.id }, body: { roleId: 'projectMember' } });
  const seen = (await mia.client.getProjectTasks({ params, query: { name: ['heavy'] } })).items[0]!;
  assert.deepEqual([seen.lastJob!.state, seen.lastJob!.warnings], ['succeeded', []]);
  await admin.deleteProjectTask({ params: { projectId, taskId } });
});

test('two hundred cron tasks are listed together, each with its next runs, and run', async () => {
  const other = await admin.postProject({ body: { name: 'Many', description: '', bbox: [0, 0, 1, 1] } });
  const there = { projectId: other._id };
  for (let n = 0; n < 200; n++)
    await admin.postProjectTask({
      params: there,
      body: { name: `${n}`, ...idle, schedule: { ...daily, cron: `${n % 60} ${n % 24} * * *` } },
    });
  const { items } = await admin.getProjectTasks({ params: there, query: { limit: 1000 } });
  assert.equal(items.filter(({ nextRuns }) => nextRuns.length === 3).length, 200);
  now = new Date('2030-03-03T00:00:00.000Z');
  while ((await runDueTasks(context)) > 0);
  const { totalCount } = await admin.getProjectJobs({ params: there });
  assert.equal(totalCount, 200, 'what was missed of each is made up for once');
});

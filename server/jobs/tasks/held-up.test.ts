import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { untilSomeoneWaits } from '../../base/database/testing.ts';
import { enrolledRunner, holdNext, idle, projectOf, queued } from '../queue/testing.ts';
import { startService } from '../../testing.ts';
import { runDueTasks, startScheduler } from './scheduler.ts';

const start = new Date('2030-01-01T00:00:00.000Z');
let now = start;
const service = await startService({ now: () => now, settings: { tokenLifetimeMs: 20 * 365 * 86_400_000 } });
const { admin, context } = service;
const { db } = context;
const projectId = await projectOf(service, 'Held up');
const params = { projectId };
const runner = await enrolledRunner(service, 'one');

beforeEach(async () => {
  now = start;
  await db.deleteFrom('task').execute();
});

const inSeconds = (seconds: number) => new Date(start.getTime() + seconds * 1000);
const newTask = async (second: number) => {
  const schedule = { type: 'scheduled' as const, scheduled: inSeconds(second).toISOString() };
  return (await admin.postProjectTask({ params, body: { name: 'T', ...idle, schedule } }))._id;
};
const lockJob = (jobId: string) => sql`select from job where id = ${jobId} for update`;
const stateOf = async (jobId: string) =>
  (await db.selectFrom('job').select('state').where('id', '=', jobId).executeTakeFirstOrThrow()).state;

test('a run that is skipped does not wait for the job in its way, which is being completed', async () => {
  const schedule = { type: 'cron' as const, cron: '*/5 * * * *' };
  const { _id: taskId } = await admin.postProjectTask({ params, body: { name: 'T', ...idle, schedule } });
  now = inSeconds(300);
  assert.equal(await runDueTasks(context), 1);
  const held = (await holdNext(service, runner))!;
  now = inSeconds(600);
  await db.transaction().execute(async (tx) => {
    await lockJob(held.jobId).execute(tx);
    assert.equal(await runDueTasks(context), 1);
  });
  const { nextRunAt } = await admin.getProjectTask({ params: { projectId, taskId } });
  assert.equal(nextRunAt, inSeconds(900).toISOString());
  assert.deepEqual(await held.complete(), { state: 'succeeded' });
});

test('to abort a job that is being completed is answered soon, and no longer possible', async () => {
  const jobId = await queued(service, projectId);
  const held = (await holdNext(service, runner))!;
  await db.transaction().execute(async (tx) => {
    await lockJob(jobId).execute(tx);
    await assert.rejects(admin.putProjectJobAbort({ params: { projectId, jobId } }), {
      status: 503,
      message: /just ending/,
    });
  });
  assert.deepEqual(await held.complete(), { state: 'succeeded' });
});

test('jobs of lost runners are free again while a due task cannot be started', async (t) => {
  const jobId = await queued(service, projectId);
  await holdNext(service, runner);
  await newTask(5);
  now = inSeconds(5);
  await db.transaction().execute(async (tx) => {
    await sql`lock table task in share mode`.execute(tx);
    const scheduler = startScheduler(context);
    t.after(() => scheduler.stop());
    await untilSomeoneWaits(tx);
    now = inSeconds(20);
    for (let n = 0; n < 250 && (await stateOf(jobId)) === 'running'; n++) await sleep(20);
    assert.equal(await stateOf(jobId), 'queued');
  });
});

test('a scheduler that stops lets due tasks be, and of very many it starts a hundred at a time', async () => {
  const taskId = await newTask(5);
  now = inSeconds(5);
  assert.equal(await runDueTasks(context, AbortSignal.abort()), 0);
  await sql`
    insert into task select (jsonb_populate_record(task, jsonb_build_object('id', concat(id, '-', n)))).*
    from task, generate_series(1, 119) n where id = ${taskId}`.execute(db);
  assert.equal(await runDueTasks(context), 100);
  assert.equal(await runDueTasks(context), 20);
});

test('a due task locked by another process is checked now and then, not continuously', async () => {
  const taskId = await newTask(5);
  now = inSeconds(5);
  let looks = 0;
  const counting = { ...context, now: () => (looks++, now) };
  await db.transaction().execute(async (tx) => {
    await sql`select from task where id = ${taskId} for update`.execute(tx);
    const scheduler = startScheduler(counting);
    await sleep(700);
    await scheduler.stop();
  });
  assert.ok(looks < 60, `${looks} looks`);
  assert.equal(await runDueTasks(context), 1);
});

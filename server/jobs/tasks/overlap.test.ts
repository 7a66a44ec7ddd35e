import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { enqueue } from '../queue/enqueue.ts';
import { enrolledRunner, holdNext, idle, projectOf } from '../queue/testing.ts';
import { releaseLost, releaseOrphanedJobs } from '../queue/maintenance.ts';
import { startService } from '../../testing.ts';
import { runDueTasks } from './scheduler.ts';

let now = new Date('2030-01-01T00:00:00.000Z');
const service = await startService({ now: () => now, settings: { tokenLifetimeMs: 20 * 365 * 86_400_000 } });
const { admin, context } = service;
const projectId = await projectOf(service, 'Overlap');
const params = { projectId };
const runner = await enrolledRunner(service, 'one');

beforeEach(() => context.db.deleteFrom('task').execute());

const everyMinute = { type: 'cron' as const, cron: '* * * * *', overlap: 'queue' as const };

async function newTask(schedule: object = everyMinute) {
  const body = { name: 'Each minute', ...idle, schedule: schedule as typeof everyMinute };
  return (await admin.postProjectTask({ params, body }))._id;
}

/** The time goes on minute by minute. */
async function pass(minutes: number) {
  for (let n = 0; n < minutes; n++) {
    now = new Date(Math.floor(now.getTime() / 60_000) * 60_000 + 60_000);
    await runDueTasks(context);
  }
}

async function jobsOf(taskId: string, limit = 1000) {
  const query = { taskId: [taskId], orderBy: ['createdAt' as const], limit };
  return (await admin.getProjectJobs({ params, query })).items;
}
const statesOf = async (taskId: string) =>
  (await jobsOf(taskId)).map(({ state, isHeld }) => (isHeld ? 'held' : state)).join(' ');

const claim = () => holdNext(service, runner);

test('runs that meet are held, and start one after the other, whatever the end of the one before', async () => {
  const taskId = await newTask();
  await pass(5);
  assert.equal(await statesOf(taskId), 'queued held held held held');
  const order = (await jobsOf(taskId)).map(({ _id }) => _id);
  const claimed: string[] = [];
  const next = async () => {
    const held = (await claim())!;
    claimed.push(held.jobId);
    assert.equal(await claim(), undefined, 'the others still wait');
    return held;
  };

  await (await next()).complete();
  assert.equal(await statesOf(taskId), 'succeeded queued held held held');
  await (await next()).fail({ code: 'broken' });
  await (await next()).fail({ code: 'timedOut' });
  const lost = await next();
  await context.db.updateTable('job').set({ lost_leases: 11 }).where('id', '=', lost.jobId).execute();
  now = new Date(now.getTime() + 20_000);
  await releaseLost(context);
  assert.equal(await statesOf(taskId), 'succeeded failed timedOut failed queued');
  await admin.putProjectJobAbort({ params: { projectId, jobId: order[4]! } });
  assert.deepEqual(claimed, order.slice(0, 4));
  await pass(1);
  assert.equal(await statesOf(taskId), 'succeeded failed timedOut failed aborted queued');
});

test('a queued job that is aborted, and one that runs, let the next one start', async () => {
  const taskId = await newTask();
  await pass(3);
  const [first, second] = await jobsOf(taskId);
  await admin.putProjectJobAbort({ params: { projectId, jobId: first!._id } });
  assert.equal(await statesOf(taskId), 'aborted queued held');
  const held = (await claim())!;
  assert.equal(held.jobId, second!._id);
  await admin.putProjectJobAbort({ params: { projectId, jobId: held.jobId } });
  assert.equal(await statesOf(taskId), 'aborted running held', 'it has not ended yet');
  await held.fail({ code: 'aborted' });
  assert.equal(await statesOf(taskId), 'aborted aborted queued');
});

test('a waiting runner is notified when a held job is released', async () => {
  await newTask();
  await pass(2);
  const first = (await claim())!;
  const waiting = holdNext(service, runner, 20);
  await first.complete();
  assert.notEqual((await waiting)!.jobId, first.jobId);
});

test('a held job can be aborted, and those behind it keep their turn', async () => {
  const taskId = await newTask();
  await pass(4);
  const [, second, third] = await jobsOf(taskId);
  assert.equal(second!.isHeld, true);
  const aborted = await admin.putProjectJobAbort({ params: { projectId, jobId: second!._id } });
  assert.deepEqual([aborted.state, aborted.isHeld], ['aborted', undefined]);
  assert.equal(await statesOf(taskId), 'queued aborted held held');
  await (await claim())!.complete();
  assert.equal(await statesOf(taskId), 'succeeded aborted queued held');
  assert.equal((await jobsOf(taskId))[2]!.revision, third!.revision + 1, 'whoever follows it is told');
});

test('a run waits for jobs started by hand, and for jobs that wait for a retry', async () => {
  const taskId = await newTask();
  await admin.postProjectTaskRun({ params: { projectId, taskId } });
  await pass(1);
  assert.equal(await statesOf(taskId), 'queued held');
  await (await claim())!.fail({ code: 'network', isTransient: true });
  assert.equal(await statesOf(taskId), 'queued held');
  assert.equal(await claim(), undefined);
});

test('at most a hundred runs wait; a further one is skipped, and the log says so', async () => {
  const taskId = await newTask();
  await pass(103);
  const jobs = await jobsOf(taskId);
  assert.equal(jobs.length, 101);
  const log = await admin.getProjectJobLog({ params: { projectId, jobId: jobs[0]!._id } });
  assert.deepEqual(
    log.items.map(({ message }) => message.replace(/^The run of \S+/, '')),
    Array.from(
      { length: 2 },
      () => ' was skipped, because this job was still queued, and 100 others were waiting for it.',
    ),
  );
  await (await claim())!.complete();
  await pass(1);
  assert.equal((await jobsOf(taskId)).length, 102);
});

test('by default a run is skipped, and nothing is held', async () => {
  const taskId = await newTask({ type: 'cron', cron: '* * * * *' });
  const other = await newTask({ type: 'cron', cron: '* * * * *', overlap: 'skip' });
  await pass(3);
  assert.deepEqual([await statesOf(taskId), await statesOf(other)], ['queued', 'queued']);
});

test('a job that was forgotten is released by the next look, and only one of its task', async () => {
  const taskId = await newTask();
  await pass(4);
  // as if two had ended in the same moment, each with the other still there
  await sql`update job set state = 'failed', end_time = ${now} where task_id = ${taskId} and not is_held`.execute(
    context.db,
  );
  assert.equal(await statesOf(taskId), 'failed held held held');
  const released = await Promise.all([1, 2, 3].map(() => releaseOrphanedJobs(context.db)));
  assert.equal(
    released.reduce((sum, count) => sum + count),
    1,
  );
  assert.equal(await statesOf(taskId), 'failed queued held held');
  assert.equal(await releaseOrphanedJobs(context.db), 0);
});

test('jobs of a task that end at the same time forget none that waits', async () => {
  const taskId = await newTask();
  for (let n = 0; n < 4; n++) await admin.postProjectTaskRun({ params: { projectId, taskId } });
  const runs = await Promise.all([1, 2, 3, 4].map(() => claim()));
  await pass(2);
  assert.equal(await statesOf(taskId), 'running running running running held held');
  await Promise.all(runs.map((held) => held!.complete()));
  await releaseOrphanedJobs(context.db);
  assert.equal(await statesOf(taskId), 'succeeded succeeded succeeded succeeded queued held');
});

test('a job that is held for another one is not forgotten when that ends before it is committed', async () => {
  const taskId = await newTask();
  await pass(1);
  const held = (await claim())!;
  const task = await admin.getProjectTask({ params: { projectId, taskId } });
  const later = { task, warnings: [], by: service.adminId, now: new Date(now.getTime() + 1), isHeld: true };
  await context.db.transaction().execute(async (tx) => {
    await enqueue(tx, later);
    await held.complete();
  });
  assert.equal(await statesOf(taskId), 'succeeded held');
  assert.equal(await claim(), undefined);
  assert.equal(await releaseOrphanedJobs(context.db), 1);
  assert.notEqual(await claim(), undefined);
});

test('a task is deleted with its queued and held jobs, but not while one runs; restored, it has those that had ended', async () => {
  const taskId = await newTask();
  await pass(1);
  await (await claim())!.complete();
  await pass(3);
  const running = (await claim())!;
  const path = { params: { projectId, taskId } };
  await assert.rejects(admin.deleteProjectTask(path), { status: 409 });
  await running.fail({ code: 'network', isTransient: true }); // it waits to be tried again
  assert.equal(await statesOf(taskId), 'succeeded queued held held');
  await admin.deleteProjectTask(path);
  assert.equal(await claim(), undefined);
  assert.equal(await releaseOrphanedJobs(context.db), 0);
  const { items } = await admin.getProjectTrash({ params });
  await admin.postProjectTrashItemRestore({ params: { projectId, trashId: items[0]!._id } });
  assert.equal(await statesOf(taskId), 'succeeded');
  await pass(1);
  assert.equal(await statesOf(taskId), 'succeeded queued');
});

test('a project is deleted with its running, queued and held jobs, and their runners are notified', async () => {
  const other = await projectOf(service, 'Short');
  const body = { name: 'T', ...idle, schedule: everyMinute };
  await admin.postProjectTask({ params: { projectId: other }, body });
  await pass(2);
  const held = (await claim())!;
  await admin.deleteProject({ params: { projectId: other } });
  assert.equal((await held.heartbeat()).abort, true);
  await admin.deleteAdminDeletedProject({ params: { deletedProjectId: other } });
  await assert.rejects(held.heartbeat(), (error: { status: number }) => [401, 409].includes(error.status));
  await assert.rejects(held.complete(), (error: { status: number }) => [401, 409].includes(error.status));
  assert.equal(await claim(), undefined);
  const { rows } = await sql`select from job where project_id = ${other}`.execute(context.db);
  assert.equal(rows.length, 0);
});

test('invalid values of overlap, and overlap of single runs, are refused', async () => {
  for (const schedule of [
    { ...everyMinute, overlap: 'stack' },
    { type: 'immediate', overlap: 'queue' },
    { type: 'scheduled', scheduled: '2040-01-01T00:00:00Z', overlap: 'skip' },
  ])
    await assert.rejects(newTask(schedule), (error: { status: number; errors: { pointer: string }[] }) => {
      assert.deepEqual([error.status, error.errors[0]!.pointer], [400, '/schedule/overlap']);
      return true;
    });
});

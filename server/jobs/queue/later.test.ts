import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { createClient } from '@platen/client/client';
import { apiEndpoints } from '@platen/contract/api';
import { sql } from 'kysely';
import { createApp } from '../../app.ts';
import { sendTo, startService } from '../../testing.ts';
import { extendLease, leaseClock } from './lease.ts';
import { runMaintenance } from './maintenance.ts';
import { enrolledRunner, holdNext, projectOf, queued, type Held } from './testing.ts';

let offsetMs = 0;
const service = await startService({ now: () => new Date(Date.now() + offsetMs) });
const { admin, context } = service;
const { db } = context;
const runner = await enrolledRunner(service, 'first');
const projectId = await projectOf(service, 'City');

beforeEach(async () => {
  offsetMs = 0;
  await db.deleteFrom('job').execute();
});

const jobOf = (jobId: string) => admin.getProjectJob({ params: { projectId, jobId } });
const stateOf = async (jobId: string) => (await jobOf(jobId)).state;
const hold = async (): Promise<Held> => (await holdNext(service, runner))!;
const logOf = async (jobId: string) =>
  (await admin.getProjectJobLog({ params: { projectId, jobId } })).items.map(({ message }) => message);

/** Time goes by, and the service looks after the queue twice a second meanwhile; the runner says nothing. */
async function pass(ms: number): Promise<void> {
  offsetMs += ms;
  await runMaintenance(context);
}

const away = { code: 'cannotTransfer', message: 'The service could not be reached.', isTransient: true };

test('a job with temporary errors waits longer each time, and fails after the fifth', async () => {
  const jobId = await queued(service, projectId);
  for (const [index, seconds] of [5, 10, 20, 40].entries()) {
    const held = await hold();
    const before = Date.now();
    assert.deepEqual(await held.fail(away), { state: 'queued' });
    const after = Date.now();
    const job = await jobOf(jobId);
    assert.deepEqual([job.state, job.failures, job.errorCode], ['queued', index + 1, undefined]);
    const pauseMs = Date.parse(job.nextAttemptAt!) - before - offsetMs;
    assert.ok(pauseMs > seconds * 750, `${pauseMs} ms`);
    assert.ok(pauseMs - (after - before) < seconds * 1250, `${pauseMs} ms`);
    const log = await logOf(jobId);
    assert.ok(log.at(-1)!.includes(job.nextAttemptAt!));
    assert.match(log.at(-1)!, /could not be reached/);
    await runMaintenance(context);
    assert.equal(await holdNext(service, runner), undefined, 'not before its time');
    await assert.rejects(held.heartbeat(), { status: 401 });
    await pass(pauseMs + 1);
  }
  assert.deepEqual(await (await hold()).fail(away), { state: 'failed' });
  const job = await jobOf(jobId);
  assert.deepEqual([job.failures, job.errorCode, job.errorMessage], [5, away.code, away.message]);
});

test('a runner that waits is woken when the pause of a job is over', async (t) => {
  await queued(service, projectId);
  await (await hold()).fail(away);
  const waiting = holdNext(service, runner, 20);
  const started = performance.now();
  await pass(7000);
  assert.equal((await waiting)!.attempt, 2);
  const tookMs = performance.now() - started;
  t.diagnostic(`woken after ${tookMs.toFixed(0)} ms`);
  assert.ok(tookMs < 10_000, `${tookMs} ms`);
});

test('a permanent error of the job ends it, whatever its runner reports', async () => {
  for (const code of ['outOfMemory', 'timedOut']) {
    const jobId = await queued(service, projectId);
    await (await hold()).fail({ code, isTransient: true });
    assert.equal((await jobOf(jobId)).failures, 0);
    assert.equal(await stateOf(jobId), code === 'timedOut' ? code : 'failed');
  }
  const jobId = await queued(service, projectId);
  await (await hold()).fail({ code: 'brokenJson' });
  assert.equal(await stateOf(jobId), 'failed');
  const aborted = await queued(service, projectId);
  const held = await hold();
  await admin.putProjectJobAbort({ params: { projectId, jobId: aborted } });
  assert.deepEqual(await held.fail(away), { state: 'aborted' });
});

test('a job that waits to be tried again can be aborted', async () => {
  const jobId = await queued(service, projectId);
  await (await hold()).fail(away);
  await admin.putProjectJobAbort({ params: { projectId, jobId } });
  await pass(600_000);
  assert.equal(await holdNext(service, runner), undefined);
  assert.equal(await stateOf(jobId), 'aborted');
});

test('the claim contains the time limit of an attempt: of the task, the service and at most the job type', async () => {
  await queued(service, projectId, { timeoutSeconds: 90 });
  assert.equal((await hold()).timeoutSeconds, 90);
  await queued(service, projectId);
  assert.equal((await hold()).timeoutSeconds, 24 * 3600);
  const impatient = await startService({ settings: { jobTimeoutMs: 3_600_000 } });
  const other = await enrolledRunner(impatient, 'other');
  await queued(impatient, await projectOf(impatient, 'City'));
  assert.equal((await holdNext(impatient, other))!.timeoutSeconds, 3600);
});

test('a runner that ends an attempt in time makes the job timed out', async () => {
  const jobId = await queued(service, projectId, { timeoutSeconds: 60 });
  const held = await hold();
  await held.client.putRunnerJobOutput({
    params: held.params,
    query: { key: 'part' },
    body: new Blob(['x']),
  });
  assert.deepEqual(await held.fail({ code: 'timedOut', message: 'Ended after 60 seconds.' }), {
    state: 'timedOut',
  });
  const job = await jobOf(jobId);
  assert.deepEqual([job.status, job.errorCode, job.errorMessage], [6, 'timedOut', 'Ended after 60 seconds.']);
  assert.equal((await db.selectFrom('job_output').selectAll().execute()).length, 0);
});

/** The runner is there all the time. */
async function passAlive(held: Held, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 10_000) {
    await pass(Math.min(left, 10_000));
    await held.heartbeat();
  }
}

test('the service ends what a runner does not, ten seconds later, and what that says after it is void', async () => {
  const jobId = await queued(service, projectId, { timeoutSeconds: 60 });
  const held = await hold();
  await held.client.putRunnerJobOutput({
    params: held.params,
    query: { key: 'part' },
    body: new Blob(['x']),
  });
  await passAlive(held, 65_000);
  assert.equal(await stateOf(jobId), 'running');
  await pass(6000);
  const job = await jobOf(jobId);
  assert.deepEqual([job.state, job.status, job.errorCode], ['timedOut', 6, 'timedOut']);
  assert.equal((await db.selectFrom('job_output').selectAll().execute()).length, 0);
  await assert.rejects(held.complete(), { status: 401 });
  assert.equal(await stateOf(jobId), 'timedOut');
});

test('each attempt has the full time limit', async () => {
  await queued(service, projectId, { timeoutSeconds: 60 });
  const first = await hold();
  await passAlive(first, 50_000);
  await pass(16_000); // it is lost
  const second = await hold();
  assert.equal(second.attempt, 2);
  await passAlive(second, 50_000);
  assert.equal(await stateOf(second.jobId), 'running');
});

test('a clock that goes back delays no job longer than a lease and thirty seconds', async () => {
  const [lost, paused] = [await queued(service, projectId), await queued(service, projectId)];
  await hold(); // its runner dies now
  await (await hold()).fail(away);
  offsetMs -= 30 * 86_400_000;
  for (let seconds = 0; seconds < 45; seconds += 5) await pass(5000);
  const next = [await hold(), await hold()];
  assert.deepEqual(next.map(({ jobId }) => jobId).toSorted(), [lost, paused].toSorted());
});

test('a clock that goes back does not extend the time limit of a job', async () => {
  const jobId = await queued(service, projectId, { timeoutSeconds: 60 });
  const held = await hold();
  offsetMs -= 12 * 3_600_000;
  await held.heartbeat();
  await passAlive(held, 70_000);
  assert.equal(await stateOf(jobId), 'running');
  await pass(12_000);
  assert.equal(await stateOf(jobId), 'timedOut');
});

test('a clock that goes back does not cost a project its turn', async () => {
  const other = await projectOf(service, 'Other');
  await queued(service, projectId);
  await queued(service, projectId);
  await queued(service, projectId);
  await (await hold()).complete();
  offsetMs -= 86_400_000;
  await queued(service, other);
  await queued(service, other);
  const rows: string[] = [];
  for (let i = 0; i < 4; i++) {
    const held = await hold();
    rows.push(
      (await db.selectFrom('job').select('project_id').where('id', '=', held.jobId).executeTakeFirstOrThrow())
        .project_id,
    );
    await held.complete();
  }
  assert.deepEqual(rows, [other, projectId, other, projectId]);
});

test('a clock that goes forward during a job ends nothing permanently, and nothing is done twice', async () => {
  const jobId = await queued(service, projectId, { timeoutSeconds: 60 });
  const first = await hold();
  await pass(12 * 3_600_000);
  assert.equal(await stateOf(jobId), 'queued', 'it seems to be lost, not to have taken half a day');
  const second = await hold();
  await assert.rejects(first.complete(), { status: 401 });
  assert.deepEqual(await second.complete(), { state: 'succeeded' });
  assert.equal((await jobOf(jobId)).attempt, 2);
});

test('a runner that is heard of first after the clock went forward keeps its job, and its time', async () => {
  const jobId = await queued(service, projectId, { timeoutSeconds: 60 });
  const held = await hold();
  offsetMs += 12 * 3_600_000;
  await held.heartbeat();
  await runMaintenance(context);
  assert.equal(await stateOf(jobId), 'running');
  assert.deepEqual(await held.complete(), { state: 'succeeded' });
});

test('a replica whose clock is an hour ahead takes no job from a runner, and lends none for longer', async (t) => {
  const ahead = { ...context, now: () => new Date(context.now().getTime() + 3_600_000) };
  const app = await createApp(ahead);
  t.after(() => app.close());
  const as = (token?: string) =>
    createClient(apiEndpoints, { baseUrl: '', send: sendTo(app), ...(token !== undefined && { token }) });
  const jobId = await queued(service, projectId, { timeoutSeconds: 60 });
  const held = await hold();
  await runMaintenance(ahead);
  assert.equal(await stateOf(jobId), 'running');
  assert.deepEqual(await held.complete(), { state: 'succeeded' });

  const later = await queued(service, projectId, { timeoutSeconds: 60 });
  const lent = await holdNext({ as }, await enrolledRunner({ context, as }, 'of the replica ahead'));
  assert.equal(lent!.timeoutSeconds, 60);
  await lent!.heartbeat();
  await pass(16_000);
  assert.equal(await stateOf(later), 'queued');
});

test('a heartbeat changes no index', async () => {
  await queued(service, projectId);
  const { jobId, attempt } = await hold();
  await db.transaction().execute(async (tx) => {
    const counts = async () => {
      const { rows } = await sql<{ n_tup_upd: number; n_tup_hot_upd: number }>`
        select n_tup_upd, n_tup_hot_upd from pg_stat_xact_user_tables where relname = 'job'`.execute(tx);
      return rows[0]!;
    };
    const before = await counts();
    await extendLease(tx, { jobId, attempt }, leaseClock(context));
    const after = await counts();
    assert.equal(after.n_tup_upd - before.n_tup_upd, 1);
    assert.equal(after.n_tup_hot_upd - before.n_tup_hot_upd, 1);
  });
});

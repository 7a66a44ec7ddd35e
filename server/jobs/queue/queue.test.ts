import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { beforeEach, test } from 'node:test';
import { hashSecret } from '../../base/secrets/bearer-secrets.ts';
import { projectWithCities, tilingTask } from '../tasks/testing.ts';
import { startService, type ApiClient } from '../../testing.ts';
import { authoriseRunner } from '../runners/authorise-runner.ts';
import { completeJob } from './complete.ts';
import { releaseLost } from './maintenance.ts';
import { takeOutput } from './outputs.ts';
import { takeLog } from './progress.ts';
import { countRows, enrolledRunner, holdNext, putOutput, queued, tilesResult } from './testing.ts';

let offsetMs = 0;
const service = await startService({ now: () => new Date(Date.now() + offsetMs) });
const { admin, context, as } = service;
const { projectId, bucketId } = await projectWithCities(service);
const runner = await enrolledRunner(service, 'first');

beforeEach(() => context.db.deleteFrom('job').execute());

const newJob = (change: Record<string, unknown> = {}) =>
  queued(service, projectId, tilingTask(bucketId, change));
const claimBy = (client: ApiClient) => holdNext(service, client);
const hold = async (client = runner) => (await claimBy(client))!;
const stateOf = async (jobId: string) => (await admin.getProjectJob({ params: { projectId, jobId } })).state;

test('the most urgent job is claimed first, then the oldest, and only by runners with its labels', async () => {
  const old = await newJob();
  const young = await newJob();
  const urgent = await newJob({ priority: 1 });
  const big = await newJob({ priority: 2, labels: ['big'] });
  const order = [(await hold()).jobId, (await hold()).jobId, (await hold()).jobId];
  assert.deepEqual(order, [urgent, old, young]);
  assert.equal(await claimBy(runner), undefined);
  assert.equal((await hold(await enrolledRunner(service, 'big', { labels: ['big', 'gpu'] }))).jobId, big);
});

test('a waiting runner gets a job as soon as one is queued, and an empty answer after its waiting time', async () => {
  assert.deepEqual(await runner.postRunnerClaim({ body: { waitSeconds: 0.01 } }), {});
  const waiting = runner.postRunnerClaim({ body: { waitSeconds: 25 } });
  const jobId = await newJob();
  const { job } = await waiting;
  assert.equal(job?.jobId, jobId);
  assert.equal(job.attempt, 1);
  assert.deepEqual(
    job.inputs.map(({ kind, name }) => [kind, name]),
    [['file', 'cities.geojson']],
  );
  assert.equal('input' in job.options, false);
});

test('a runner that was paused past its lease can no longer change the job, and its uploads leave no trace', async () => {
  const jobId = await newJob();
  const paused = await hold();
  await putOutput(paused, 'a.pmtiles', 'of the first');
  await paused.client.postRunnerJobHeartbeat({ params: paused.params, body: { waitMs: 0 } });
  assert.equal(await releaseLost(context), 0);
  offsetMs += 16_000;
  assert.equal(await releaseLost(context), 1);
  assert.equal(await stateOf(jobId), 'queued');
  const blobs = await countRows(service, 'blob');
  const next = await hold(await enrolledRunner(service, 'second'));
  assert.deepEqual([next.jobId, next.attempt], [jobId, 2]);
  const { client, params: path } = paused;
  const log = { first: 0, entries: [] };
  const late = await Promise.allSettled([
    client.postRunnerJobHeartbeat({ params: path, body: { waitMs: 0 } }),
    client.postRunnerJobProgress({
      params: path,
      body: { progress: { phase: 'a', done: 0, total: 1 }, warnings: [] },
    }),
    client.postRunnerJobLog({ params: path, body: log }),
    client.postRunnerJobComplete({ params: path, body: tilesResult }),
    client.postRunnerJobFail({ params: path, body: { code: 'a', message: 'b', warnings: [] } }),
    client.postRunnerJobRelease({ params: path }),
    client.getRunnerJobInput({ params: { ...path, index: '0' } }),
    putOutput(paused, 'a.pmtiles', 'late'),
  ]);
  assert.deepEqual(
    late.map((one) => one.status === 'rejected' && (one.reason as { status: number }).status),
    late.map(() => 401),
  );
  await putOutput(next, 'a.pmtiles', 'of the second');
  await next.client.postRunnerJobComplete({ params: next.params, body: tilesResult });
  const { outputItems } = await admin.getProjectJob({ params: { projectId, jobId } });
  assert.equal(outputItems[0]!.size, 'of the second'.length);
  assert.equal(await countRows(service, 'blob'), blobs + 1); // only the blob of the second attempt was added
});

test('the fence also holds in the database, after the token was accepted', async () => {
  await newJob();
  const job = await hold();
  const bytes = async function* () {
    yield Buffer.from('slow');
    offsetMs += 16_000;
    await releaseLost(context); // The lease ends in the middle of the upload.
    yield Buffer.from('bytes');
  };
  const credential = { hash: hashSecret(job.token), address: '', userAgent: '', now: context.now() };
  const caller = await authoriseRunner(context, 'job', job.params, credential);
  const { signal } = new AbortController();
  const late = takeOutput(context, caller, { key: 'a', body: bytes(), signal });
  await assert.rejects(late, { code: 'conflict' });
  await assert.rejects(completeJob(context, caller, tilesResult as never), { code: 'conflict' });
  await assert.rejects(takeLog(context, caller, { first: 0, entries: [] }), { code: 'conflict' });
  assert.equal(await countRows(service, 'job_output'), 0);
});

test('a job whose runner is lost is queued again, up to ten times', async () => {
  const jobId = await newJob();
  for (let lost = 1; lost <= 10; lost++) {
    assert.equal((await hold()).attempt, lost);
    offsetMs += 16_000;
    await releaseLost(context);
    assert.equal(await stateOf(jobId), 'queued');
  }
  await hold();
  offsetMs += 16_000;
  await releaseLost(context);
  const job = await admin.getProjectJob({ params: { projectId, jobId } });
  assert.deepEqual([job.state, job.errorCode], ['failed', 'runnerLost']);
});

test('a released job can be claimed at once', async () => {
  const jobId = await newJob();
  const job = await hold();
  assert.deepEqual(await job.client.postRunnerJobRelease({ params: job.params }), { state: 'queued' });
  const next = await hold();
  assert.deepEqual([next.jobId, next.attempt], [jobId, 2]);
  await next.client.postRunnerJobFail({
    params: next.params,
    body: { code: 'bad', message: 'No.', warnings: [] },
  });
  const failed = await admin.getProjectJob({ params: { projectId, jobId } });
  assert.deepEqual(
    [failed.state, failed.status, failed.errorCode, failed.errorMessage],
    ['failed', 4, 'bad', 'No.'],
  );
});

test('a runner learns that its job is aborted, and ends it without effects', async () => {
  const jobId = await newJob();
  const job = await hold();
  const path = { projectId, jobId };
  const heartbeat = job.client.postRunnerJobHeartbeat({ params: job.params, body: { waitMs: 5000 } });
  assert.equal((await admin.putProjectJobAbort({ params: path })).abortRequested, true);
  assert.equal((await heartbeat).abort, true);
  await putOutput(job, 'a.pmtiles', 'x');
  assert.deepEqual(await job.client.postRunnerJobComplete({ params: job.params, body: tilesResult }), {
    state: 'aborted',
  });
  assert.equal(await stateOf(jobId), 'aborted');
  assert.equal(await countRows(service, 'job_output'), 0);
});

test('a job whose runner is lost after the abort is aborted, not run again', async () => {
  const jobId = await newJob();
  await hold();
  await admin.putProjectJobAbort({ params: { projectId, jobId } });
  offsetMs += 16_000;
  await releaseLost(context);
  assert.equal(await stateOf(jobId), 'aborted');
});

test('progress becomes stages, warnings are kept, and log lines are stored once and in order', async () => {
  const jobId = await newJob();
  const job = await hold();
  const report = (phase: string, done: number, warnings: object[] = []) =>
    job.client.postRunnerJobProgress({
      params: job.params,
      body: { progress: { phase, done, total: 10 }, warnings: warnings as never },
    });
  await report('read', 1);
  await report('read', 10, [
    { code: 'skipped', message: 'Without geometry', count: 3, examples: [{ line: 4 }] },
  ]);
  await report('tile', 0, [
    { code: 'skipped', message: 'Without geometry', count: 4, examples: [{ line: 4 }] },
  ]);
  const at = new Date().toISOString();
  const lines = ['a', 'b', 'c'].map((message) => ({ at, level: 'info' as const, message }));
  await job.client.postRunnerJobLog({ params: job.params, body: { first: 0, entries: lines.slice(0, 2) } });
  await job.client.postRunnerJobLog({ params: job.params, body: { first: 0, entries: lines } });
  const running = await admin.getProjectJob({ params: { projectId, jobId } });
  assert.deepEqual(running.progress, { phase: 'tile', done: 0, total: 10 });
  assert.deepEqual(
    running.stages.map(({ name, endTime }) => [name, endTime !== undefined]),
    [
      ['read', true],
      ['tile', false],
    ],
  );
  assert.equal(running.currentJobStage, 'tile');
  assert.deepEqual(
    running.warnings.map(({ code, count }) => [code, count]),
    [['skipped', 4]],
  );
  const log = async (after: number) =>
    (await admin.getProjectJobLog({ params: { projectId, jobId }, query: { after } })).items.map(
      ({ seq, message }) => [seq, message],
    );
  assert.deepEqual(await log(0), [
    [1, 'a'],
    [2, 'b'],
    [3, 'c'],
  ]);
  assert.deepEqual(await log(2), [[3, 'c']]);
});

test('an input deleted since the task was saved fails the job with a reason, and the next job runs', async () => {
  await admin.postProjectDataBucketObject({
    params: { projectId, dataBucketId: bucketId },
    query: { key: 'short-lived.geojson' },
  });
  const input = { type: 'internal', dataBucketId: bucketId, dataBucketKey: 'short-lived.geojson' };
  const gone = await newJob({
    parameters: { datasource: { command: 'create', name: 'A' }, options: { input } },
  });
  await admin.deleteProjectDataBucketObject({
    params: { projectId, dataBucketId: bucketId },
    query: { key: 'short-lived.geojson' },
  });
  const next = await newJob();
  const job = await hold();
  assert.equal(job.jobId, next);
  const failed = await admin.getProjectJob({ params: { projectId, jobId: gone } });
  assert.equal(failed.state, 'failed');
  assert.match(failed.errorMessage!, /short-lived\.geojson/);
});

test('an input folder is read member by member', async () => {
  const query = (key: string) => ({ params: { projectId, dataBucketId: bucketId }, query: { key } });
  await admin.postProjectDataBucketObject(query('in/a.geojson'));
  await admin.postProjectDataBucketObject(query('in/deep/b.geojson'));
  await admin.postProjectDataBucketObject(query('in.geojson'));
  const input = [{ type: 'internal', dataBucketId: bucketId, dataBucketKey: 'in/' }];
  await newJob({ parameters: { datasource: { command: 'create', name: 'A' }, options: { input } } });
  const job = await hold();
  assert.deepEqual(job.inputs, [{ kind: 'folder', name: 'in', size: 0 }]);
  const place = { ...job.params, index: '0' };
  const { members } = await job.client.getRunnerJobInputMembers({ params: place });
  const sha256 = hash('sha256', '');
  assert.deepEqual(members, [
    { name: 'a.geojson', size: 0, sha256 },
    { name: 'deep/b.geojson', size: 0, sha256 },
  ]);
  const rest = await job.client.getRunnerJobInputMembers({ params: place, query: { after: 'a.geojson' } });
  assert.deepEqual(
    rest.members.map(({ name }) => name),
    ['deep/b.geojson'],
  );
  await assert.rejects(job.client.getRunnerJobInput({ params: place, query: { member: '../in.geojson' } }), {
    status: 400,
  });
  await assert.rejects(job.client.getRunnerJobInput({ params: place, query: { member: 'c' } }), {
    status: 404,
  });
  await assert.rejects(job.client.getRunnerJobInput({ params: { ...place, index: '1' } }), { status: 404 });
});

test('tokens of runners, jobs and users open only their own endpoints', async () => {
  const jobId = await newJob();
  const job = await hold();
  const other = { params: { jobId: 'another' } };
  await assert.rejects(job.client.postRunnerJobRelease(other), { status: 401 });
  await assert.rejects(job.client.postRunnerClaim({ body: { waitSeconds: 0 } }), { status: 401 });
  await assert.rejects(runner.postRunnerJobRelease({ params: job.params }), { status: 401 });
  await assert.rejects(admin.postRunnerClaim({ body: { waitSeconds: 0 } }), { status: 401 });
  for (const client of [runner, job.client]) {
    await assert.rejects(client.getProjectJob({ params: { projectId, jobId } }), { status: 401 });
    await assert.rejects(client.getJobTypes(), { status: 401 });
  }
  const body = { enrolmentToken: 'guessed', name: 'x', labels: [], version: '' };
  await assert.rejects(as().postRunnerEnrol({ body }), { status: 401 });
});

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { hash } from 'node:crypto';
import { beforeEach, test } from 'node:test';
import { hashSecret, newSecret } from '../../base/secrets/bearer-secrets.ts';
import { projectWithCities, tilingTask } from '../tasks/testing.ts';
import { startService, type ApiClient } from '../../testing.ts';
import { authoriseRunner } from '../runners/authorise-runner.ts';
import { allowEnrolment } from '../runners/enrolment-store.ts';
import { completeJob } from './complete.ts';
import { releaseLost } from './maintenance.ts';
import { takeOutput } from './outputs.ts';
import { takeLog } from './progress.ts';

let offsetMs = 0;
const service = await startService({ now: () => new Date(Date.now() + offsetMs) });
const { admin, context, as } = service;
const { projectId, bucketId } = await projectWithCities(service);
const params = { projectId };

async function enrolled(name: string, labels: string[] = []): Promise<ApiClient> {
  const enrolmentToken = newSecret();
  await allowEnrolment(context.db, hashSecret(enrolmentToken));
  const { token } = await as().postRunnerEnrol({ body: { enrolmentToken, name, labels, version: '' } });
  return as(token);
}

beforeEach(() => context.db.deleteFrom('job').execute());

const runner = await enrolled('first');

async function newJob(change: Record<string, unknown> = {}): Promise<string> {
  const { lastJobId } = await admin.postProjectTask({ params, body: tilingTask(bucketId, change) });
  return lastJobId!;
}

const claimBy = async (client: ApiClient) => (await client.postRunnerClaim({ body: { waitSeconds: 0 } })).job;

/** Claims a job and gives a client that holds it. */
async function hold(client = runner) {
  const job = (await claimBy(client))!;
  return { ...job, params: { jobId: job.jobId }, client: as(job.token) };
}
type Held = Awaited<ReturnType<typeof hold>>;

const stateOf = async (jobId: string) => (await admin.getProjectJob({ params: { projectId, jobId } })).state;

const put = ({ client, params: path }: Held, key: string, bytes: string) =>
  client.putRunnerJobOutput({ params: path, query: { key }, body: new Blob([bytes]) });

const made = {
  datasource: {
    type: 'vectortiles',
    path: 'a.pmtiles',
    bbox: [0, 0, 1, 1],
    typeProperties: { a: 1 },
    properties: { count: 2 },
  },
  warnings: [],
};

const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex');

const countOf = async (table: 'job_output' | 'blob') => {
  const { count } = await context.db
    .selectFrom(table)
    .select((it) => it.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
};

test('the most urgent job comes first, then the oldest, and labels narrow the runners', async () => {
  const old = await newJob();
  const young = await newJob();
  const urgent = await newJob({ priority: 1 });
  const big = await newJob({ priority: 2, labels: ['big'] });
  const order = [(await hold()).jobId, (await hold()).jobId, (await hold()).jobId];
  assert.deepEqual(order, [urgent, old, young]);
  assert.equal(await claimBy(runner), undefined);
  assert.equal((await hold(await enrolled('big', ['big', 'gpu']))).jobId, big);
});

test('a runner that waits is given a job as soon as there is one, and an answer when there is none', async () => {
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

test('completing turns outputs into files and the result into a datasource, in one step and once', async () => {
  await newJob();
  const job = await hold();
  const text = await (await job.client.getRunnerJobInput({ params: { ...job.params, index: '0' } })).text();
  assert.match(text, /Quito/);
  await put(job, 'a.pmtiles', 'first');
  await put(job, 'a.pmtiles', 'again');
  const path = { projectId, dataBucketId: bucketId };
  const key = `.jobs/${job.jobId}/a.pmtiles`;
  const file = { params: path, query: { key } };
  await assert.rejects(admin.getProjectDataBucketObject(file), { status: 404 });
  assert.deepEqual(await job.client.postRunnerJobComplete({ params: job.params, body: made }), {
    state: 'succeeded',
  });
  assert.equal(await (await admin.getProjectDataBucketDownloadFile(file)).text(), 'again');
  const done = await admin.getProjectJob({ params: { projectId, jobId: job.jobId } });
  const datasourceId = done.outputs[1]!.datasourceId!;
  assert.deepEqual(done.outputs, [
    { type: 'object', dataBucketId: bucketId, dataBucketKey: key, size: 5, sha256: sha256Of('again') },
    { type: 'datasource', datasourceId },
  ]);
  const row = await context.db
    .selectFrom('datasource')
    .selectAll()
    .where('id', '=', datasourceId)
    .executeTakeFirstOrThrow();
  assert.deepEqual(
    [row.name, row.type, row.bucket_key, row.job_ids, row.bbox, row.type_properties, row.properties],
    ['Cities', 'vectortiles', key, [job.jobId], [0, 0, 1, 1], { a: 1 }, { count: 2 }],
  );
  assert.equal(await countOf('job_output'), 0);
  await assert.rejects(job.client.postRunnerJobComplete({ params: job.params, body: made }), { status: 401 });
});

test('updating keeps the id and the other properties of a datasource, overwriting only the id', async () => {
  const { id } = await context.db.selectFrom('datasource').select('id').executeTakeFirstOrThrow();
  const run = async (command: string, typeProperties: object) => {
    const input = { type: 'internal', dataBucketId: bucketId, dataBucketKey: 'cities.geojson' };
    await newJob({ parameters: { datasource: { command, datasourceId: id }, options: { input } } });
    const job = await hold();
    await put(job, 'a.pmtiles', command);
    const body = { ...made, datasource: { ...made.datasource, typeProperties: { ...typeProperties } } };
    await job.client.postRunnerJobComplete({ params: job.params, body });
    const row = await context.db
      .selectFrom('datasource')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    assert.equal(row.bucket_key, `.jobs/${job.jobId}/a.pmtiles`);
    assert.equal(row.job_ids.at(-1), job.jobId);
    return row.type_properties;
  };
  assert.deepEqual(await run('update', { b: 2 }), { a: 1, b: 2 });
  assert.deepEqual(await run('overwrite', { c: 3 }), { c: 3 });
});

test('a datasource names the hundred latest jobs that made it', async () => {
  const former = Array.from({ length: 100 }, (_, n) => `job ${n}`);
  const { id } = await context.db
    .updateTable('datasource')
    .set({ job_ids: former })
    .returning('id')
    .executeTakeFirstOrThrow();
  const input = { type: 'internal', dataBucketId: bucketId, dataBucketKey: 'cities.geojson' };
  const datasource = { command: 'overwrite', datasourceId: id };
  await newJob({ parameters: { datasource, options: { input } } });
  const job = await hold();
  await put(job, 'a.pmtiles', 'x');
  await job.client.postRunnerJobComplete({ params: job.params, body: made });
  const { jobIds } = await admin.getProjectDatasource({ params: { projectId, datasourceId: id } });
  assert.deepEqual(jobIds, [...former.slice(1), job.jobId]);
});

test('a result that cannot be published makes the job fail, without any of its effects', async () => {
  const jobId = await newJob();
  const job = await hold();
  await put(job, 'other.pmtiles', 'x');
  assert.deepEqual(await job.client.postRunnerJobComplete({ params: job.params, body: made }), {
    state: 'failed',
  });
  const failed = await admin.getProjectJob({ params: { projectId, jobId } });
  assert.match(failed.errorMessage!, /“a\.pmtiles”/);
  const query = { prefix: `.jobs/${jobId}/` };
  const { totalCount } = await admin.getProjectDataBucketObjects({
    params: { projectId, dataBucketId: bucketId },
    query,
  });
  assert.equal(totalCount, 0);
});

test('a file whose key would be too long makes the job fail, and nothing is stored', async () => {
  const prefix = Array.from({ length: 4 }, () => 'f'.repeat(224)).join('/');
  const input = { type: 'internal', dataBucketId: bucketId, dataBucketKey: 'cities.geojson' };
  const datasource = { command: 'create', name: 'Cities' };
  const jobId = await newJob({ parameters: { datasource, options: { input, output: { prefix } } } });
  const job = await hold();
  await put(job, 'a.pmtiles', 'x');
  const name = 'n'.repeat(125);
  await put(job, name, 'x'); // 899 bytes of the prefix, a slash, 125 of the name: one too many
  assert.deepEqual(await job.client.postRunnerJobComplete({ params: job.params, body: made }), {
    state: 'failed',
  });
  const failed = await admin.getProjectJob({ params: { projectId, jobId } });
  assert.equal(failed.errorCode, 'badName');
  assert.match(failed.errorMessage!, new RegExp(`“${name}”.*“${prefix}/”.*1024 bytes`));
  const stored = await admin.getProjectDataBucketObjects({
    params: { projectId, dataBucketId: bucketId },
    query: { prefix: `${prefix}/` },
  });
  assert.equal(stored.totalCount, 0);
  assert.equal(await countOf('job_output'), 0);
});

test('a runner that was paused past its lease cannot touch the job any more, and its uploads leave no trace', async () => {
  const jobId = await newJob();
  const paused = await hold();
  await put(paused, 'a.pmtiles', 'of the first');
  await paused.client.postRunnerJobHeartbeat({ params: paused.params, body: { waitMs: 0 } });
  assert.equal(await releaseLost(context), 0);
  offsetMs += 16_000;
  assert.equal(await releaseLost(context), 1);
  assert.equal(await stateOf(jobId), 'queued');
  const blobs = await countOf('blob');
  const next = await hold(await enrolled('second'));
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
    client.postRunnerJobComplete({ params: path, body: made }),
    client.postRunnerJobFail({ params: path, body: { code: 'a', message: 'b', warnings: [] } }),
    client.postRunnerJobRelease({ params: path }),
    client.getRunnerJobInput({ params: { ...path, index: '0' } }),
    put(paused, 'a.pmtiles', 'late'),
  ]);
  assert.deepEqual(
    late.map((one) => one.status === 'rejected' && (one.reason as { status: number }).status),
    late.map(() => 401),
  );
  await put(next, 'a.pmtiles', 'of the second');
  await next.client.postRunnerJobComplete({ params: next.params, body: made });
  const { outputs } = await admin.getProjectJob({ params: { projectId, jobId } });
  assert.equal(outputs[0]!.size, 'of the second'.length);
  assert.equal(await countOf('blob'), blobs + 1); // that of the second
});

test('the fence holds inside the database too, when the token has passed already', async () => {
  await newJob();
  const job = await hold();
  const bytes = async function* () {
    yield Buffer.from('slow');
    offsetMs += 16_000;
    await releaseLost(context); // the lease ends in the middle of the upload
    yield Buffer.from('bytes');
  };
  const credential = { hash: hashSecret(job.token), address: '', now: context.now() };
  const caller = await authoriseRunner(context, 'job', job.params, credential);
  const { signal } = new AbortController();
  const late = takeOutput(context, caller, { key: 'a', body: bytes(), signal });
  await assert.rejects(late, { code: 'conflict' });
  await assert.rejects(completeJob(context, caller, made as never), { code: 'conflict' });
  await assert.rejects(takeLog(context, caller, { first: 0, entries: [] }), { code: 'conflict' });
  assert.equal(await countOf('job_output'), 0);
});

test('a lost runner is no failure of its job, up to ten times', async () => {
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

test('a job given back is free at once', async () => {
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

test('a running job that is aborted tells its runner, who ends it without effects', async () => {
  const jobId = await newJob();
  const job = await hold();
  const path = { projectId, jobId };
  const heartbeat = job.client.postRunnerJobHeartbeat({ params: job.params, body: { waitMs: 5000 } });
  assert.equal((await admin.putProjectJobAbort({ params: path })).abortRequested, true);
  assert.equal((await heartbeat).abort, true);
  await put(job, 'a.pmtiles', 'x');
  assert.deepEqual(await job.client.postRunnerJobComplete({ params: job.params, body: made }), {
    state: 'aborted',
  });
  assert.equal(await stateOf(jobId), 'aborted');
  assert.equal(await countOf('job_output'), 0);
});

test('a job whose runner is lost after the abort is aborted, not run again', async () => {
  const jobId = await newJob();
  await hold();
  await admin.putProjectJobAbort({ params: { projectId, jobId } });
  offsetMs += 16_000;
  await releaseLost(context);
  assert.equal(await stateOf(jobId), 'aborted');
});

test('progress becomes stages, warnings are kept, and lines of the log come once and in order', async () => {
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
    running.jobStages.map(({ name, endTime }) => [name, endTime !== undefined]),
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

test('an input that has gone since the task was written makes its job fail clearly, and the next one runs', async () => {
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

test('an input may be a folder, which is read member by member', async () => {
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

test('tokens of runners, jobs and users open only what is theirs', async () => {
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

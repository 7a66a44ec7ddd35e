// A test of faults.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createClient } from '@platen/client/client';
import { apiEndpoints } from '@platen/contract/api';
import type { Job } from '@platen/contract/jobs';
import { leaseMs } from '@platen/contract/runner';
import { keysRecord, writeLas } from '@platen/formats/las/testing';
import { openDatabase } from '../server/base/database/database.ts';
import { end, runService, untilAnswers } from './processes.ts';
import { startPreparedPostgres } from './testing-prepared.ts';
import { startSlowLink } from './testing-slow-link.ts';
import { afterFile } from '../checks/clean-up.ts';

/** For a busy machine; two seconds are promised for an idle one. */
const maxAbortMs = 10_000;
const untilThenMs = 120_000;
/** A test that hangs must say which one it is. */
const testLimitMs = 180_000;
const enrolmentToken = 'a secret between operator and runners';

const folder = await mkdtemp(join(tmpdir(), 'platen-abort-'));
const postgres = await startPreparedPostgres(join(folder, 'postgres'));
const env = {
  DATABASE_URL: postgres.url,
  PLATEN_STORAGE: `file:${join(folder, 'objects')}`,
  PLATEN_ENROLMENT_TOKEN: enrolmentToken,
  PLATEN_FETCH_ALLOW: 'http 127.0.0.0/8',
  PLATEN_INSPECT_UPLOADS: 'off',
  PLATEN_LOG_LEVEL: 'error',
};
// jobs are asked for and aborted at the one, and held by runners of the other
const [frontend, holding] = await Promise.all([
  runService({ env: { ...env, PLATEN_RUNNERS: '0' }, dataFolder: join(folder, 'one') }),
  runService({ env: { ...env, PLATEN_RUNNERS: '1' }, dataFolder: join(folder, 'two') }),
]);
const db = openDatabase(postgres.url, { maxConnections: 2 });
const link = await startSlowLink(holding.port);
const embeddedScratch = join(folder, 'two/scratch');
const outsideScratch = join(folder, 'outside');
await mkdir(outsideScratch);
afterFile(async () => {
  link.close();
  await db.destroy();
  await frontend.stop();
  await holding.stop();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

const { client } = frontend;
const project = await client.postProject({
  body: { name: 'P', description: '', bbox: [-180, -85, 180, 85] },
});
const projectId = project._id;
const bucketId = project.defaultDataBucketId;

async function upload(files: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>): Promise<void> {
  const form = new FormData();
  for (const [key, content] of Object.entries(files)) form.append('file', new Blob([content]), key);
  await client.postProjectDataBucketUpload({ params: { projectId, dataBucketId: bucketId }, body: form });
}

function* lines(): Generator<string> {
  for (let i = 0; i < 40_000; i++) {
    const [lon, lat] = [Math.sin(i) * 170, Math.cos(i * 1.7) * 80];
    const coordinates = Array.from({ length: 12 }, (_, k) => [lon + Math.sin(k * i), lat + Math.cos(k)]);
    yield `${JSON.stringify({ type: 'Feature', properties: { i }, geometry: { type: 'LineString', coordinates } })}\n`;
  }
}
await upload({ 'lines.geojsonl': [...lines()].join('') });
const point = '{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[1,2]}}\n';
const many = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`many/${n}.geojsonl`, point]));
await upload(many);

interface TaskOptions {
  readonly jobType?: string;
  readonly labels?: string[];
  readonly input?: Record<string, unknown>;
  readonly maxZoom?: number;
}

const inBucket = (key: string) => ({ type: 'internal', dataBucketId: bucketId, dataBucketKey: key });

async function run({
  jobType = 'platenTilesVector',
  labels = [],
  input = inBucket('lines.geojsonl'),
  maxZoom = 12,
}: TaskOptions): Promise<string> {
  const options = { input, ...(jobType === 'platenTilesVector' && { tiling: { maxZoom } }) };
  const { lastJobId } = await client.postProjectTask({
    params: { projectId },
    body: {
      name: 'T',
      labels,
      jobType,
      parameters: { datasource: { command: 'create', name: 'D' }, options },
    },
  });
  return lastJobId!;
}

const jobOf = (jobId: string) => client.getProjectJob({ params: { projectId, jobId } });

async function until(jobId: string, isSo: (job: Job) => boolean, withinMs = untilThenMs): Promise<Job> {
  for (const start = performance.now(); ;) {
    const job = await jobOf(jobId);
    if (isSo(job)) return job;
    assert.ok(performance.now() - start < withinMs, `in time: ${job.state} ${JSON.stringify(job.progress)}`);
    assert.ok(job.endTime === undefined, `not before: ${job.state} ${job.errorMessage}`);
    await sleep(40);
  }
}

const isIn = (phase: string) => (job: Job) => job.progress?.phase === phase && job.progress.done > 0;

/** Aborts it, and waits until nothing is left of it anywhere. */
async function abort(t: TestContext, jobId: string, withinMs = maxAbortMs): Promise<void> {
  const began = performance.now();
  const params = { projectId, jobId };
  await client.putProjectJobAbort({ params });
  const job = await until(jobId, ({ endTime }) => endTime !== undefined, withinMs);
  assert.equal(job.state, 'aborted');
  for (const scratch of [embeddedScratch, outsideScratch])
    await untilNothingIsLeft(scratch, began + withinMs);
  const tookMs = Math.round(performance.now() - began);
  t.diagnostic(`aborted, and gone, after ${tookMs} ms`);
  assert.ok(tookMs < withinMs);
  const outputs = await db.selectFrom('job_output').select('key').where('job_id', '=', jobId).execute();
  assert.deepEqual(outputs, []);
  assert.equal(job.updatedBy, (await client.getUserWhoami())._id);
  assert.equal((await client.putProjectJobAbort({ params })).state, 'aborted', 'once more is no error');
  const { items } = await client.getProjectJobLog({ params });
  assert.equal(items.filter(({ message }) => message.startsWith('admin cancelled ')).length, 1);
  assert.deepEqual(job.outputItems, []);
}

async function untilNothingIsLeft(scratch: string, deadline: number): Promise<void> {
  for (;;) {
    const busy = await busyIn(scratch);
    if (busy.length === 0) return;
    assert.ok(performance.now() < deadline, `nothing is left: ${busy.join(', ')}`);
    await sleep(40);
  }
}

/** Files of jobs and processes without a folder, besides the folders of waiting processes. */
async function busyIn(scratch: string): Promise<string[]> {
  const busy: string[] = [];
  for (const name of await readdir(scratch)) {
    if (/^(left|gone)-/.test(name)) busy.push(name);
    if (!name.startsWith('job-')) continue;
    const files = await readdir(join(scratch, name), { recursive: true }).catch(() => []);
    busy.push(...files.filter((file) => /^(inputs|output|scratch)\/./.test(file)).map((f) => `${name}/${f}`));
  }
  for (const pid of await readdir('/proc')) {
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '');
    if (cwd.startsWith(`${scratch}/`) && cwd.endsWith('(deleted)')) busy.push(`process ${pid}`);
  }
  return busy;
}

async function startOutside(url: string) {
  const program = fileURLToPath(new URL('../runner/main.ts', import.meta.url));
  const child = spawn(process.execPath, [program], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      PLATEN_URL: url,
      PLATEN_ENROLMENT_TOKEN: enrolmentToken,
      PLATEN_RUNNER_NAME: `outside ${performance.now()}`,
      PLATEN_RUNNER_SCRATCH: outsideScratch,
      PLATEN_RUNNER_LABELS: 'outside',
    },
    stdio: 'ignore',
  });
  afterFile(() => end(child, 'SIGKILL'));
  await untilAnswers(`${url}/readyz`, child);
  return child;
}

/** Slows the network down until the end of the test. */
function slowDown(t: TestContext, bytesPerSecond: number): void {
  t.after(() => (link.speed = Infinity));
  link.speed = bytesPerSecond;
}

test('a queued job is aborted at once', { timeout: testLimitMs }, async (t) => {
  await abort(t, await run({ labels: ['nobody'] }));
});

test(
  'a job that waits for its next attempt, or for another job, is aborted at once',
  { timeout: testLimitMs },
  async (t) => {
    const waiting = await run({ labels: ['by hand'] });
    const anonymous = createClient(apiEndpoints, { baseUrl: frontend.url });
    const enrolment = { enrolmentToken, name: 'by hand', labels: ['by hand'], version: '' };
    const { token } = await anonymous.postRunnerEnrol({ body: enrolment });
    const byHand = createClient(apiEndpoints, { baseUrl: frontend.url, token });
    const { job } = await byHand.postRunnerClaim({ body: { waitSeconds: 5 } });
    assert.equal(job!.jobId, waiting);
    const holder = createClient(apiEndpoints, { baseUrl: frontend.url, token: job!.token });
    const body = { code: 'cannotTransfer', message: 'Not now.', warnings: [], isTransient: true };
    await holder.postRunnerJobFail({ params: { jobId: waiting }, body });
    assert.notEqual((await jobOf(waiting)).nextAttemptAt, undefined);
    await abort(t, waiting);
    assert.equal((await jobOf(waiting)).nextAttemptAt, undefined);
    const held = await run({ labels: ['nobody'] });
    await db.updateTable('job').set({ is_held: true }).where('id', '=', held).execute();
    await abort(t, held);
  },
);

test('a job whose inputs are being linked is aborted', { timeout: testLimitMs }, async (t) => {
  const jobId = await run({ input: inBucket('many/') });
  await until(jobId, ({ state }) => state === 'running');
  await abort(t, jobId);
});

test('a job whose input arrives slowly from the web is aborted', { timeout: testLimitMs }, async (t) => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/geo+json', 'content-length': '10000000' });
    const timer = setInterval(() => response.write('x'.repeat(100)), 50);
    response.on('close', () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const jobId = await run({ input: { type: 'external', url: `http://127.0.0.1:${port}/a.geojson` } });
  await until(jobId, isIn('fetch'));
  await abort(t, jobId);
});

for (const phase of ['read', 'cut'])
  test(`a job whose threads are all busy (${phase}) is aborted`, { timeout: testLimitMs }, async (t) => {
    const jobId = await run({});
    await until(jobId, isIn(phase));
    await abort(t, jobId);
  });

/** Random ones, in a hundred metres. */
function cloud(): Uint8Array<ArrayBuffer> {
  const points = Array.from({ length: 600_000 }, (_, i) => ({
    x: 690_000 + (Math.sin(i) + 1) * 50,
    y: 5_540_000 + (Math.cos(i * 1.7) + 1) * 50,
    z: 300 + (i % 50) / 10,
  }));
  const utm = keysRecord([
    [1024, 0, 1, 1],
    [3072, 0, 1, 25832],
  ]);
  return new Uint8Array(writeLas({ points, records: [utm] }));
}

for (const phase of ['read', 'make'])
  test(`a job that makes points (${phase}) is aborted`, { timeout: testLimitMs }, async (t) => {
    if (phase === 'read') await upload({ 'cloud.las': cloud() });
    const jobId = await run({ jobType: 'platenTilesPointcloud', input: inBucket('cloud.las') });
    await until(jobId, ({ progress }) => progress?.phase === phase);
    await abort(t, jobId);
  });

test('a job whose input arrives over a slow network is aborted', { timeout: testLimitMs }, async (t) => {
  const runner = await startOutside(link.url);
  const jobId = await run({ labels: ['outside'] });
  slowDown(t, 500_000);
  await until(jobId, isIn('stage'));
  await abort(t, jobId);
  link.speed = Infinity;
  await end(runner);
});

test(
  'a job whose outputs go over a slow network is aborted, and nothing of them is kept',
  { timeout: testLimitMs },
  async (t) => {
    const runner = await startOutside(link.url);
    const jobId = await run({ labels: ['outside'], maxZoom: 6 });
    await until(jobId, isIn('cut'));
    slowDown(t, 100_000);
    await until(jobId, ({ progress }) => progress?.phase === 'upload');
    await abort(t, jobId);
    link.speed = Infinity;
    await end(runner);
  },
);

test(
  'a job whose runner has died is aborted when the lease is over at the latest',
  { timeout: testLimitMs },
  async (t) => {
    const runner = await startOutside(holding.url);
    const jobId = await run({ labels: ['outside'] });
    await until(jobId, isIn('read'));
    await end(runner, 'SIGKILL');
    await client.putProjectJobAbort({ params: { projectId, jobId } });
    const began = performance.now();
    const job = await until(jobId, ({ endTime }) => endTime !== undefined, leaseMs + maxAbortMs);
    assert.equal(job.state, 'aborted');
    t.diagnostic(`aborted after ${Math.round(performance.now() - began)} ms`);
    const next = await startOutside(holding.url); // which removes what that one has left
    await untilNothingIsLeft(outsideScratch, performance.now() + untilThenMs);
    await end(next);
  },
);

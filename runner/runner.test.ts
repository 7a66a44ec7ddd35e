import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { hashSecret, newSecret } from '../server/base/secrets/bearer-secrets.ts';
import { releaseLost } from '../server/jobs/queue/maintenance.ts';
import { startEmbeddedRunners } from '../server/jobs/runners/embedded-runners.ts';
import { allowEnrolment } from '../server/jobs/runners/enrolment-store.ts';
import { projectWithCities, putFile, tilingTask } from '../server/jobs/tasks/testing.ts';
import { startService } from '../server/testing.ts';
import { unchanged } from '../checks/costly-tests.ts';
import { manyLines } from './testing-many-lines.ts';

/** For a busy machine. */
const maxWaitMs = 120_000;
let offsetMs = 0;
const service = await startService({ now: () => new Date(Date.now() + offsetMs) });
const { admin, adminId, app, context, dataFolder } = service;
await app.listen({ host: '127.0.0.1', port: 0 });
const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
const { projectId, bucketId } = await projectWithCities(service);
const params = { projectId };
const scratchFolder = join(dataFolder, 'scratch');
const program = fileURLToPath(new URL('main.ts', import.meta.url));
const packages = import.meta.resolve('../server/base/packages/load.ts');
const enrolmentToken = newSecret();
await allowEnrolment(context.db, hashSecret(enrolmentToken));
await putFile(context, { projectId, bucketId, key: 'many.geojsonl', by: adminId }, manyLines());

interface TestRunner {
  readonly process: ChildProcess;
  readonly childPids: () => Promise<number[]>;
  end(signal?: NodeJS.Signals): Promise<void>;
}

async function startRunner(
  t: TestContext,
  name: string,
  env: Record<string, string> = {},
): Promise<TestRunner> {
  const child = spawn(process.execPath, [`--import=${packages}`, program], {
    env: {
      PLATEN_URL: url,
      PLATEN_ENROLMENT_TOKEN: enrolmentToken,
      PLATEN_RUNNER_NAME: name,
      PLATEN_RUNNER_SCRATCH: scratchFolder,
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => (text += part));
  const end = async (signal: NodeJS.Signals = 'SIGKILL') => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    child.kill(signal);
    await closed;
  };
  t.after(() => end());
  await until(() => text.includes('"the runner is ready"') || child.exitCode !== null);
  assert.equal(child.exitCode, null, text);
  return { process: child, end, childPids: () => childrenOf(child.pid!) };
}

/** The scratch folder also contains the code of jobs and the identities of runners, which this leaves out. */
async function foldersOfJobs(): Promise<string[]> {
  return (await readdir(scratchFolder)).filter((name) => !name.startsWith('.'));
}

/** Whether every folder has its lease file, so that a sweep can tell that its runner is dead. */
async function allLeased(): Promise<boolean> {
  const files = (await foldersOfJobs()).map((name) => join(scratchFolder, name, 'mark.json'));
  return files.every((file) => existsSync(file));
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.split(' ').filter(Boolean).map(Number);
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + maxWaitMs; !(await isSo()); await sleep(50))
    assert.ok(performance.now() < deadline, `in time: ${String(isSo)}`);
}

async function run(change: Record<string, unknown> = {}): Promise<string> {
  const { lastJobId } = await admin.postProjectTask({ params, body: tilingTask(bucketId, change) });
  return lastJobId!;
}

const busy = (options: object = {}) => ({
  parameters: {
    datasource: { command: 'create', name: 'Many' },
    options: {
      input: { type: 'internal', dataBucketId: bucketId, dataBucketKey: 'many.geojsonl' },
      tiling: { maxZoom: 9 },
      ...options,
    },
  },
});

const jobOf = (jobId: string) => admin.getProjectJob({ params: { projectId, jobId } });

async function ended(jobId: string) {
  await until(async () => (await jobOf(jobId)).endTime !== undefined);
  return jobOf(jobId);
}

/** Waits until the process of the job works. */
async function atWork(jobId: string) {
  await until(async () => {
    const { progress, endTime, errorMessage } = await jobOf(jobId);
    assert.equal(endTime, undefined, String(errorMessage));
    return progress !== undefined;
  });
}

const datasources = async (name: string) =>
  (await admin.getProjectDatasources({ params, query: { name: [name] } })).totalCount;

test('a job creates a file and a datasource, and reports its log and progress', async (t) => {
  const runner = await startRunner(t, 'first');
  const job = await ended(await run());
  assert.equal(job.state, 'succeeded', String(job.errorMessage));
  assert.deepEqual(
    job.outputItems.map(({ type }) => type),
    ['object', 'object', 'datasource'], // the archive, its thumbnail
  );
  const query = { key: job.outputItems[0]!.dataBucketKey! };
  const path = { projectId, dataBucketId: bucketId };
  const file = await admin.getProjectDataBucketDownloadFile({ params: path, query });
  assert.equal((await file.text()).slice(0, 7), 'PMTiles');
  assert.equal(await datasources('Cities'), 1);
  const { items } = await admin.getProjectJobLog({ params: { projectId, jobId: job._id } });
  assert.ok(items.some(({ message }) => message === 'Attempt 1 runs on first.'));
  assert.ok(job.stages.length > 0);
  await runner.end('SIGTERM');
  assert.equal(runner.process.exitCode, 0);
  assert.deepEqual(await foldersOfJobs(), []);
});

test('a broken file fails its job with a message that names the line', async (t) => {
  const runner = await startRunner(t, 'reader');
  const broken = `{"type":"Feature","properties":{},"geometry":null}\n{"type":"Feature","prop`;
  await putFile(context, { projectId, bucketId, key: 'broken.geojsonl', by: adminId }, broken);
  const input = { type: 'internal', dataBucketId: bucketId, dataBucketKey: 'broken.geojsonl' };
  const parameters = { datasource: { command: 'create', name: 'Broken' }, options: { input } };
  const job = await ended(await run({ parameters }));
  assert.equal(job.state, 'failed');
  assert.match(job.errorMessage!, /broken\.geojsonl.*line 2/);
  assert.equal(await datasources('Broken'), 0);
  await runner.end('SIGTERM');
});

test('a crash of the process of a job fails only that job', async (t) => {
  const runner = await startRunner(t, 'survivor');
  const jobId = await run(busy());
  await atWork(jobId);
  const log = () => admin.getProjectJobLog({ params: { projectId, jobId } });
  await until(async () => (await log()).items.some(({ message }) => message.includes('runs on survivor')));
  const folders = await foldersOfJobs();
  for (const pid of await runner.childPids()) process.kill(pid, 'SIGKILL'); // that which waits for the next, too
  const job = await ended(jobId);
  assert.deepEqual([job.state, job.errorCode], ['failed', 'crashed']);
  assert.match(job.errorMessage!, /SIGKILL/);
  assert.equal((await ended(await run())).state, 'succeeded');
  assert.ok(folders.length > 0);
  await runner.end('SIGTERM');
});

test('a job that exceeds its memory limit fails with a message about memory', async (t) => {
  const runner = await startRunner(t, 'small', { PLATEN_RUNNER_MEMORY_MB: '128' });
  const job = await ended(await run(busy({ tiling: { maxZoom: 12 } })));
  assert.deepEqual([job.state, job.errorCode], ['failed', 'outOfMemory']);
  assert.match(job.errorMessage!, /128 MB/);
  await runner.end('SIGTERM');
});

test('an aborted job ends with its process, and leaves nothing on the disk', async (t) => {
  const runner = await startRunner(t, 'obedient');
  const jobId = await run(busy());
  await atWork(jobId);
  await admin.putProjectJobAbort({ params: { projectId, jobId } });
  const job = await ended(jobId);
  assert.equal(job.state, 'aborted');
  assert.equal(await datasources('Many'), 0);
  await until(async () => (await foldersOfJobs()).length === 1); // that of the process that waits
  await runner.end('SIGTERM');
  assert.deepEqual(await foldersOfJobs(), []);
});

test('a runner that is shut down releases its job, and another one completes it', async (t) => {
  const first = await startRunner(t, 'leaves');
  const jobId = await run(busy());
  await atWork(jobId);
  await first.end('SIGTERM');
  assert.equal((await jobOf(jobId)).state, 'queued');
  const second = await startRunner(t, 'stays');
  const job = await ended(jobId);
  assert.deepEqual([job.state, job.attempt], ['succeeded', 2]);
  await second.end('SIGTERM');
});

/** Moves the clock instead of waiting for the end of the lease; a heartbeat that was under way may have renewed it. */
async function releaseAfterLease(): Promise<number> {
  for (;;) {
    offsetMs += 16_000;
    const released = await releaseLost(context);
    if (released > 0) return released;
  }
}

const victims = Number(process.env['PLATEN_RUNNER_KILLS'] ?? 3);
const maxKillsOfJob = 10; // it is given up after more

const skip = unchanged('faults');
test(
  `jobs survive ${victims} runners killed while they run, with their effects once`,
  { skip },
  async (t) => {
    for (let done = 0; done < victims; done += maxKillsOfJob)
      await surviveKills(t, `Survivor ${done}`, Math.min(victims - done, maxKillsOfJob));
  },
);

async function surviveKills(t: TestContext, name: string, kills: number): Promise<void> {
  const parameters = { ...busy().parameters, datasource: { command: 'create', name } };
  const jobId = await run({ parameters });
  for (let killed = 1; killed <= kills; killed++) {
    const runner = await startRunner(t, `victim ${killed} of ${name}`);
    await atWork(jobId);
    await until(allLeased); // a folder without a lease file is kept for ten seconds
    const orphans = await runner.childPids();
    await runner.end('SIGKILL');
    assert.equal(await releaseAfterLease(), 1);
    assert.equal((await jobOf(jobId)).attempt, killed);
    await until(() => orphans.every((pid) => !isAlive(pid))); // no process goes on for nobody
  }
  const last = await startRunner(t, `last of ${name}`);
  const job = await ended(jobId);
  assert.deepEqual([job.state, job.attempt], ['succeeded', kills + 1], String(job.errorMessage));
  assert.equal(await datasources(name), 1);
  const params = { projectId, dataBucketId: bucketId };
  const files = await admin.getProjectDataBucketObjects({
    params,
    query: { prefix: `.jobs/Tiles-${jobId}/` },
  });
  assert.equal(files.totalCount, 2);
  await last.end('SIGTERM');
  assert.deepEqual(await foldersOfJobs(), []);
}

test('the scratch folder of a job with debug level 2 is kept with the job, and not on the disk', async (t) => {
  const runner = await startRunner(t, 'keeper');
  const failing = { ...busy().parameters.options, modelOptions: { filter: ['==', ['get', 'i'], -1] } };
  const parameters = { ...busy().parameters, options: failing };
  for (const change of [{}, { parameters }]) {
    const job = await ended(await run({ debugLevel: 2, ...change }));
    assert.equal(job.state, 'parameters' in change ? 'failed' : 'succeeded', String(job.errorMessage));
    const place = { projectId, jobId: job._id };
    const { items } = await admin.getProjectJobFiles({ params: place });
    assert.equal(items.map(({ name }) => name).join(), 'scratch.tar.gz');
    const file = await admin.getProjectJobFile({ params: place, query: { name: 'scratch.tar.gz' } });
    const tar = gunzipSync(new Uint8Array(await file.arrayBuffer())).toString('latin1', 0, 100);
    assert.match(tar, /^scratch\/tiles\/checkpoint\/(attempts|identity)\0/);
  }
  const without = await ended(await run({ debugLevel: 1 }));
  const { items } = await admin.getProjectJobFiles({ params: { projectId, jobId: without._id } });
  assert.deepEqual(items, []);
  await runner.end('SIGTERM');
  assert.deepEqual(await foldersOfJobs(), []);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('an embedded runner that is killed is restarted, and its job resumes at once', async (t) => {
  const runners = await startEmbeddedRunners(context, {
    count: 1,
    url,
    scratchFolder: join(dataFolder, 'embedded'),
  });
  t.after(() => runners.stop());
  const jobId = await run(busy());
  await atWork(jobId);
  process.kill(runners.pids()[0]!, 'SIGKILL');
  const job = await ended(jobId);
  assert.deepEqual([job.state, job.attempt], ['succeeded', 2], String(job.errorMessage));
  const next = await run();
  assert.equal((await ended(next)).state, 'succeeded');
  const [pid] = runners.pids();
  await runners.stop();
  assert.equal(isAlive(pid!), false);
});

test('an embedded runner ends with the service that holds its standard input', async (t) => {
  const child = spawn(process.execPath, [`--import=${packages}`, program, '--embedded'], {
    env: {},
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  const { token } = await service.as().postRunnerEnrol({
    body: { enrolmentToken, name: 'embedded', labels: [], version: '' },
  });
  child.stdin.write(`${JSON.stringify({ url, token, name: 'embedded', labels: [], scratchFolder })}\n`);
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => (text += part));
  await until(() => text.includes('"the runner is ready"') || child.exitCode !== null);
  assert.equal(text.includes(token), false);
  await until(async () => (await childrenOf(child.pid!)).length > 0);
  const orphans = await childrenOf(child.pid!);
  child.stdin.end();
  await until(() => child.exitCode !== null && orphans.every((pid) => !isAlive(pid)));
});

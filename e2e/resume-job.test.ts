// A test of faults.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createWriteStream, openAsBlob } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from '@platen/contract/jobs';
import { end, freePort, runService, type RunningService } from './processes.ts';
import { afterFile } from '../checks/clean-up.ts';

const features = Number(process.env['PLATEN_RESUME_FEATURES'] ?? 16_000);
/** With 256 MB of memory, records beyond 63 MB are written to files. */
const recordBytes = 80e6 / features;
const maxWaitMs = 240_000;

const root = await mkdtemp(join(tmpdir(), 'platen-resume-job-'));
afterFile(() => rm(root, { recursive: true, force: true }));
const dataFolder = join(root, 'data');
const dataPath = join(root, 'lines.geojsonl');

const texts = { text: 'x'.repeat(Math.max(0, Math.ceil(recordBytes - 170))) };

function* lines(count: number): Generator<string> {
  for (let i = 0; i < count; i++) {
    const [lon, lat] = [Math.sin(i) * 170, Math.cos(i * 1.7) * 80];
    const coordinates = Array.from({ length: 12 }, (_, k) => [
      Number((lon + Math.sin(k * i) * 0.4).toFixed(5)),
      Number((lat + Math.cos(k) * 0.3).toFixed(5)),
    ]);
    const properties = { i, name: `number ${i % 100}`, ...texts };
    yield `${JSON.stringify({ type: 'Feature', id: i, geometry: { type: 'LineString', coordinates }, properties })}\n`;
  }
}
await pipeline(Readable.from(lines(features)), createWriteStream(dataPath));

const port = await freePort();
let service = await start();
afterFile(() => service.stop());
const project = await service.client.postProject({
  body: { name: 'P', description: '', bbox: [-180, -85, 180, 85] },
});
const projectId = project._id;
const bucketId = project.defaultDataBucketId;
const place = { projectId, dataBucketId: bucketId };
await upload('data.geojsonl');

function start(): Promise<RunningService> {
  const env = { PLATEN_RUNNERS: '2', PLATEN_INSPECT_UPLOADS: 'off', PLATEN_LOG_LEVEL: 'error' };
  return runService({ dataFolder, port, env });
}

async function upload(key: string, content?: Blob): Promise<void> {
  const form = new FormData();
  form.append('file', content ?? (await openAsBlob(dataPath)), key);
  await service.client.postProjectDataBucketUpload({ params: place, query: { overwrite: true }, body: form });
}

async function run(name: string, key = 'data.geojsonl'): Promise<string> {
  const options = {
    input: { type: 'internal', dataBucketId: bucketId, dataBucketKey: key },
    tiling: { minZoom: 5, maxZoom: 7 },
    processing: { memoryMegabytes: 256, whenTooLarge: 'keep' },
  };
  const parameters = { datasource: { command: 'create', name }, options };
  const { lastJobId } = await service.client.postProjectTask({
    params: { projectId },
    body: { name, jobType: 'platenTilesVector', parameters },
  });
  return lastJobId!;
}

const jobOf = (jobId: string) => service.client.getProjectJob({ params: { projectId, jobId } });

async function until(jobId: string, isSo: (job: Job) => boolean): Promise<Job> {
  for (const start = performance.now(); ;) {
    const job = await jobOf(jobId);
    if (isSo(job)) return job;
    assert.ok(performance.now() - start < maxWaitMs, `the job gets there in time: ${job.state}`);
    await sleep(40);
  }
}

/** The phase is in progress, and at least this share of it is done. */
const isIn =
  (phase: string, share = 0) =>
  ({ progress, endTime, errorMessage }: Job): boolean => {
    assert.equal(endTime, undefined, errorMessage ?? 'it has ended too soon');
    return progress?.phase === phase && progress.done > share * progress.total;
  };

async function succeeded(jobId: string): Promise<Job> {
  const job = await until(jobId, ({ endTime }) => endTime !== undefined);
  assert.equal(job.state, 'succeeded', String(job.errorMessage));
  return job;
}

async function archiveOf({ outputItems }: Job): Promise<string> {
  const key = outputItems.find(({ dataBucketKey = '' }) =>
    dataBucketKey.endsWith('.pmtiles'),
  )!.dataBucketKey!;
  const reply = await service.client.getProjectDataBucketDownloadFile({ params: place, query: { key } });
  const hash = createHash('sha256');
  await pipeline(Readable.fromWeb(reply.body as never), hash);
  return hash.digest('hex');
}

async function messagesOf(jobId: string): Promise<string> {
  const { items } = await service.client.getProjectJobLog({ params: { projectId, jobId } });
  return items.map(({ message }) => message).join('\n');
}

const datasources = async (name: string) =>
  (
    await service.client.getProjectDatasources({
      params: { projectId },
      query: { name: [name] },
    })
  ).totalCount;

/** The runner whose job this is: the one of which a process has the input. */
async function runnerOf(jobId: string): Promise<number> {
  for (const folder of await readdir(join(dataFolder, 'scratch'))) {
    const text = await readFile(join(dataFolder, 'scratch', folder, 'mark.json'), 'utf8').catch(() => '');
    const mark = text === '' ? undefined : (JSON.parse(text) as Mark);
    if (mark?.attempt?.jobId === jobId && folder.startsWith('job-')) return mark.runner.pid;
  }
  throw new Error('No runner has the job.');
}

interface Mark {
  readonly runner: { readonly pid: number };
  readonly attempt?: { readonly jobId: string };
}

/** Files that dead attempts left there. */
async function leftBehind(): Promise<string[]> {
  const names = await readdir(join(dataFolder, 'scratch'));
  return names.filter((name) => name.startsWith('left-') || name.startsWith('gone-'));
}

/** Runners remove the remains of attempts after they have reported the end of the job. */
async function untilSwept(): Promise<void> {
  for (let n = 0; n < 300 && (await leftBehind()).length > 0; n++) await sleep(100);
  assert.deepEqual(await leftBehind(), []);
}

function requireResumed(messages: string): void {
  assert.match(messages, resumes);
  const units = /all inputs were read and sorted, (\d+) of \d+ units were cut/.exec(messages)?.[1];
  assert.ok(Number(units) > 0, messages);
}

const resumes = /Attempt 2 runs on .*\. It resumes attempt 1\./;
let whole = '';

test('without faults a job has one attempt', async (t) => {
  const began = performance.now();
  const job = await succeeded(await run('Whole'));
  t.diagnostic(`${features} features in ${Math.round((performance.now() - began) / 1000)} s`);
  assert.equal(job.attempt, 1);
  whole = await archiveOf(job);
});

test('a job whose runner is killed while it cuts tiles resumes there, and makes the same archive', async () => {
  const jobId = await run('Cut');
  await until(jobId, isIn('cut', 0.3));
  process.kill(await runnerOf(jobId), 'SIGKILL');
  const job = await succeeded(jobId);
  const messages = await messagesOf(jobId);
  assert.equal(job.attempt, 2);
  requireResumed(messages);
  assert.equal(await archiveOf(job), whole);
  assert.equal(await datasources('Cut'), 1);
  await untilSwept();
});

test('a job whose runner is killed while it reads starts over, says so, and makes the same archive', async () => {
  const jobId = await run('Read');
  await until(jobId, isIn('read')); // which does not take long
  process.kill(await runnerOf(jobId), 'SIGKILL');
  const job = await succeeded(jobId);
  assert.equal(job.attempt, 2);
  assert.match(
    await messagesOf(jobId),
    /Starting over: an earlier attempt had not read all inputs, or kept what it read in memory\./,
  );
  assert.equal(await archiveOf(job), whole);
});

test('a job resumes after a kill and restart of the whole service', async () => {
  const jobId = await run('Service');
  await until(jobId, isIn('cut', 0.3));
  await end(service.child, 'SIGKILL');
  service = await start();
  const job = await succeeded(jobId);
  requireResumed(await messagesOf(jobId));
  assert.equal(await archiveOf(job), whole);
  await untilSwept();
});

test('a job resumes after a shutdown and restart of the whole service', async () => {
  const jobId = await run('Shut down');
  await until(jobId, isIn('cut', 0.3));
  await end(service.child, 'SIGTERM');
  service = await start();
  const job = await succeeded(jobId);
  requireResumed(await messagesOf(jobId));
  assert.equal(await archiveOf(job), whole);
});

test('a runner that wakes after its lease finds its folder untouched, and changes nothing', async () => {
  const jobId = await run('Paused');
  await until(jobId, isIn('cut', 0.1));
  const paused = await runnerOf(jobId);
  process.kill(paused, 'SIGSTOP');
  try {
    await until(jobId, ({ attempt }) => attempt === 2); // when the lease is over
    await until(jobId, ({ progress, endTime }) => progress?.phase === 'cut' || endTime !== undefined);
  } finally {
    process.kill(paused, 'SIGCONT');
  }
  const job = await succeeded(jobId);
  assert.equal(job.attempt, 2);
  assert.doesNotMatch(await messagesOf(jobId), resumes);
  assert.equal(await archiveOf(job), whole);
  assert.equal(await datasources('Paused'), 1);
  // both runners work, so both have put up with it
  await upload('few.geojsonl', new Blob([...lines(10)]));
  await Promise.all(
    [run('Next 1', 'few.geojsonl'), run('Next 2', 'few.geojsonl')].map(async (id) => succeeded(await id)),
  );
});

test('if an input has changed, the next attempt starts over', async () => {
  await upload('changing.geojsonl');
  // same length, one letter changed
  const changed = Buffer.from((await readFile(dataPath, 'latin1')).replace('number 1', 'Number 1'), 'latin1');
  await upload('changed.geojsonl', new Blob([changed]));
  const jobId = await run('Changed', 'changing.geojsonl');
  await until(jobId, isIn('cut', 0.1));
  await service.client.postProjectDataBucketObjectCopy({
    params: place,
    body: { key: 'changed.geojsonl', to: 'changing.geojsonl', overwrite: true },
  });
  process.kill(await runnerOf(jobId), 'SIGKILL');
  const job = await succeeded(jobId);
  const messages = await messagesOf(jobId);
  assert.doesNotMatch(messages, resumes);
  assert.notEqual(await archiveOf(job), whole);
  await untilSwept();
});

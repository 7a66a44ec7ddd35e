// A test of faults.

import assert from 'node:assert/strict';
import { createWriteStream, openAsBlob } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import { keysOf, writeTiff } from '@platen/formats/geotiff/testing';
import { keysRecord, writeLas } from '@platen/formats/las/testing';
import { isIn, openResumeTests, resumes } from './testing-resume.ts';

const features = Number(process.env['PLATEN_RESUME_FEATURES'] ?? 16_000);
/** With 256 MB of memory, records beyond 63 MB are written to files. */
const recordBytes = 80e6 / features;

const tests = await openResumeTests();
const { until, succeeded, hashOfOutput, messagesOf, untilSwept, killRunner } = tests;
const dataPath = join(tests.root, 'lines.geojsonl');
const key = 'data.geojsonl';

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

await tests.upload(key, await openAsBlob(dataPath));

const run = (name: string, dataBucketKey = key): Promise<string> =>
  tests.run('platenTilesVector', name, {
    input: tests.input(dataBucketKey),
    tiling: { minZoom: 5, maxZoom: 7 },
    processing: { memoryMegabytes: 256, whenTooLarge: 'keep' },
  });

async function datasources(name: string): Promise<number> {
  const params = { projectId: tests.projectId };
  const { totalCount } = await tests.client().getProjectDatasources({ params, query: { name: [name] } });
  return totalCount;
}

function requireResumed(messages: string): void {
  assert.match(messages, resumes);
  const units = /all inputs were read and sorted, (\d+) of \d+ units were cut/.exec(messages)?.[1];
  assert.ok(Number(units) > 0, messages);
}

let whole = '';

test('without faults a job has one attempt', async (t) => {
  const began = performance.now();
  const job = await succeeded(await run('Whole'));
  t.diagnostic(`${features} features in ${Math.round((performance.now() - began) / 1000)} s`);
  assert.equal(job.attempt, 1);
  whole = await hashOfOutput(job);
});

test('a job whose runner is killed while it cuts tiles resumes there, and makes the same archive', async () => {
  const jobId = await run('Cut');
  await until(jobId, isIn('cut', 0.3));
  await killRunner(jobId);
  const job = await succeeded(jobId);
  const messages = await messagesOf(jobId);
  assert.equal(job.attempt, 2);
  requireResumed(messages);
  assert.equal(await hashOfOutput(job), whole);
  assert.equal(await datasources('Cut'), 1);
  await untilSwept();
});

test('a job whose runner is killed while it reads starts over, says so, and makes the same archive', async () => {
  const jobId = await run('Read');
  await until(jobId, isIn('read')); // which does not take long
  await killRunner(jobId);
  const job = await succeeded(jobId);
  assert.equal(job.attempt, 2);
  assert.match(
    await messagesOf(jobId),
    /Starting over: an earlier attempt had not read all inputs, or kept what it read in memory\./,
  );
  assert.equal(await hashOfOutput(job), whole);
});

test('a job resumes after a kill and restart of the whole service', async () => {
  const jobId = await run('Service');
  await until(jobId, isIn('cut', 0.3));
  await tests.restart('SIGKILL');
  const job = await succeeded(jobId);
  requireResumed(await messagesOf(jobId));
  assert.equal(await hashOfOutput(job), whole);
  await untilSwept();
});

test('a job resumes after a shutdown and restart of the whole service', async () => {
  const jobId = await run('Shut down');
  await until(jobId, isIn('cut', 0.3));
  await tests.restart('SIGTERM');
  const job = await succeeded(jobId);
  requireResumed(await messagesOf(jobId));
  assert.equal(await hashOfOutput(job), whole);
});

test('a runner that wakes after its lease finds its folder untouched, and changes nothing', async () => {
  const jobId = await run('Paused');
  await until(jobId, isIn('cut', 0.1));
  const { runner: paused } = (await tests.attemptOf(jobId))!;
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
  assert.equal(await hashOfOutput(job), whole);
  assert.equal(await datasources('Paused'), 1);
  // both runners work, so both have put up with it
  await tests.upload('few.geojsonl', new Blob([...lines(10)]));
  await Promise.all(
    [run('Next 1', 'few.geojsonl'), run('Next 2', 'few.geojsonl')].map(async (id) => succeeded(await id)),
  );
});

test('if an input has changed, the next attempt starts over', async () => {
  await tests.upload('changing.geojsonl', await openAsBlob(dataPath));
  // same length, one letter changed
  const changed = Buffer.from((await readFile(dataPath, 'latin1')).replace('number 1', 'Number 1'), 'latin1');
  await tests.upload('changed.geojsonl', new Blob([changed]));
  const jobId = await run('Changed', 'changing.geojsonl');
  await until(jobId, isIn('cut', 0.1));
  await tests.client().postProjectDataBucketObjectCopy({
    params: tests.place,
    body: { key: 'changed.geojsonl', to: 'changing.geojsonl', overwrite: true },
  });
  await killRunner(jobId);
  const job = await succeeded(jobId);
  const messages = await messagesOf(jobId);
  assert.doesNotMatch(messages, resumes);
  assert.notEqual(await hashOfOutput(job), whole);
  await untilSwept();
});

interface Sheets {
  readonly bands: 1 | 3;
  /** Of the coarse sheet, in pixels of 8 m. */
  readonly size: readonly [width: number, height: number];
  readonly fineMetres: number;
}

/** A coarse sheet, and a fine one on it, after which all is as fine: little to write, and much to make. */
const sheetsOf =
  ({ bands, size, fineMetres }: Sheets) =>
  async (folder: string): Promise<void> => {
    for (const [name, [width, height], metres] of [
      ['coarse.tif', size, 8],
      ['fine.tif', [16, 16], fineMetres],
    ] as const) {
      const image = {
        width,
        height,
        bands,
        photometric: bands === 3 ? 2 : 1,
        sample: (x: number, y: number, band: number) => (x * 7 + y * 3 + band * 50) & 255,
      };
      const place = { keys: keysOf(25_832), scale: [metres, metres], tie: [0, 0, 0, 5e5, 5.5e6, 0] } as const;
      const content = new Uint8Array(writeTiff({ images: [image], ...place }));
      await tests.upload(`${folder}/${name}`, new Blob([content]));
    }
  };

const utm = keysRecord([
  [1024, 0, 1, 1],
  [3072, 0, 1, 25832],
]);

/** Sheets of points beside each other, a metre apart: each is a part that is read on its own. */
async function uploadClouds(folder: string): Promise<void> {
  for (let n = 0; n < 6; n++) {
    const points = Array.from({ length: 40_000 }, (_, i) => ({
      x: 690_000 + n * 200 + (i % 200),
      y: 5_540_000 + Math.floor(i / 200),
      z: 300 + (i % 7),
      intensity: i % 1000,
    }));
    const content = new Uint8Array(writeLas({ pointFormat: 1, points, records: [utm] }));
    await tests.upload(`${folder}/${n}.las`, new Blob([content]));
  }
}

const processing = { workers: 1 };
for (const { jobType, saved, put, options } of [
  {
    jobType: 'platenTilesPointcloud',
    saved: 'points/checkpoint/units',
    put: uploadClouds,
    options: { heights: { vertical: 'ellipsoid' }, tiling: { pointsPerTile: 5000 }, processing },
  },
  {
    jobType: 'platenTilesImagery',
    saved: 'imagery/checkpoint/units',
    put: sheetsOf({ bands: 3, size: [160, 160], fineMetres: 1 }),
    options: { tiling: { resampling: 'lanczos' }, processing },
  },
  {
    jobType: 'platenConvertRaster',
    saved: 'raster/checkpoint/pyramid.value',
    // units are large: a row of them
    put: sheetsOf({ bands: 3, size: [1600, 16], fineMetres: 1 }),
    options: { image: { resampling: 'lanczos' }, processing },
  },
  {
    jobType: 'platenTilesTerrain',
    saved: 'terrain/checkpoint/units',
    put: sheetsOf({ bands: 1, size: [160, 160], fineMetres: 2 }),
    options: { heights: { vertical: 'ellipsoid' }, processing },
  },
] as const)
  test(`${jobType}: a job whose runner is killed in the middle resumes there, and makes the same bytes`, async () => {
    await put(jobType);
    const start = (name: string) =>
      tests.run(jobType, name, { input: tests.input(`${jobType}/`), ...options });
    const undisturbed = await succeeded(await start(`${jobType} whole`));
    const jobId = await start(`${jobType} killed`);
    await tests.killRunnerWhenSaved(jobId, saved);
    const job = await succeeded(jobId);
    const messages = await messagesOf(jobId);
    assert.equal(job.attempt, 2);
    assert.match(messages, resumes);
    assert.match(messages, /Resuming an earlier attempt: [1-9]\d* units were made/);
    assert.equal(await hashOfOutput(job), await hashOfOutput(undisturbed));
    await untilSwept();
  });

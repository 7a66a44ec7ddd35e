import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runConvertVector } from '../convert-vector/run.ts';
import { everyBrokenFormat } from '../features/testing-broken.ts';
import { JobFailure, type JobContext } from '../job-type.ts';
import { maxRejects, type RejectedFeature } from '../rejects.ts';
import { runTilesVector } from './run.ts';
import type { TilesVectorOptions } from './spec.ts';
import { afterFile } from '../../checks/clean-up.ts';
import { testContext } from '../testing-context.ts';

const root = await mkdtemp(join(tmpdir(), 'platen-rejects-'));
afterFile(() => rm(root, { recursive: true }));
let jobs = 0;

interface Rejected extends Partial<RejectedFeature> {
  readonly code: string;
  readonly message: string;
  readonly times: number;
}

interface Ran {
  readonly rejects: readonly Rejected[];
  readonly failure: JobFailure | undefined;
  readonly featureCount: unknown;
  readonly isSpilled: boolean;
}

type Run = (options: TilesVectorOptions, context: JobContext) => ReturnType<typeof runTilesVector>;

async function run(
  job: Run,
  name: string,
  content: string | Uint8Array,
  options: TilesVectorOptions = {},
): Promise<Ran> {
  const folder = join(root, String(jobs++));
  const [outputFolder, scratchFolder] = [join(folder, 'output'), join(folder, 'scratch')];
  for (const path of [outputFolder, scratchFolder]) await mkdir(path, { recursive: true });
  const path = join(folder, name);
  await writeFile(path, content);
  const rejects: Rejected[] = [];
  let isSpilled = false;
  const context = testContext({
    inputs: [{ path, name, size: Buffer.byteLength(content) }],
    outputFolder,
    scratchFolder,
    log: (_level, _message, data) => (isSpilled ||= data?.['isSpilled'] === true),
    reject: (code, message, feature, times = 1) => void rejects.push({ code, message, times, ...feature }),
  });
  try {
    const { datasource } = await job(options, context);
    return { rejects, failure: undefined, featureCount: datasource!.properties['featureCount'], isSpilled };
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error;
    return { rejects, failure: error, featureCount: 0, isSpilled };
  } finally {
    const left = await readdir(scratchFolder);
    if (job === runTilesVector)
      assert.deepEqual(
        left.filter((one) => !one.startsWith('unpacked-')),
        [],
      );
  }
}

const tile: Run = (options, context) =>
  runTilesVector({ tiling: { maxZoom: 2 }, processing: { workers: 1 }, ...options }, context);
const convert: Run = (options, context) => runConvertVector(options as never, context);

for (const file of await everyBrokenFormat()) {
  for (const [title, job] of [
    ['tiled', tile],
    ['converted', convert],
  ] as const) {
    let first: Promise<Ran> | undefined;
    const runLeniently = () => (first ??= run(job, file.name, file.content));
    test(`unusable features of ${file.name}, ${title}, are rejected with their position, and the others are used`, async () => {
      const { rejects, failure, featureCount } = await runLeniently();
      assert.equal(failure, undefined);
      assert.equal(featureCount, file.good);
      assert.deepEqual(
        rejects.map(({ code }) => code),
        file.bad.map(({ code }) => code),
      );
      for (const [i, { reason, name, line, row, feature, shows }] of file.bad.entries()) {
        const reject = rejects[i]!;
        assert.match(reject.reason!, reason);
        assert.ok(reject.message.includes(file.name.replace('.zip', '')), reject.message);
        if (name !== undefined) assert.equal(reject.properties!['name'], name);
        if (line !== undefined) assert.equal(reject.place!.line, line, `line of ${name}`);
        if (row !== undefined) assert.equal(reject.place!.row, row, `row of ${name}`);
        if (feature !== undefined) assert.equal(reject.place!.feature, feature, `number of ${name}`);
        assert.equal((reject.geometry as { type?: string } | null)?.type, shows, `geometry of ${name}`);
      }
    });

    test(`with strict options, ${file.name}, ${title}, fails after the whole file has been read`, async () => {
      const lenient = await runLeniently();
      const { rejects, failure } = await run(job, file.name, file.content, { processing: { strict: true } });
      assert.equal(failure?.code, 'strict');
      assert.match(
        failure.message,
        new RegExp(`${file.bad.length} of ${file.bad.length + file.good} features`),
      );
      assert.deepEqual(rejects, lenient.rejects);
    });
  }
}

const point = (i: number, coordinates: unknown = [i % 170, 10]) =>
  JSON.stringify({ type: 'Feature', properties: { i }, geometry: { type: 'Point', coordinates } });

/** Every 97th lies nowhere, every 101st is no JSON. */
const lines = Array.from({ length: 30_000 }, (_, i) => {
  if (i % 101 === 100) return `{"type":"Feature","properties":{"i":${i},"text":"${'x'.repeat(i % 50)}}`;
  return i % 97 === 96 ? point(i, [i, 95]) : point(i);
});

test('the same features are rejected in input order, whatever the threads and whether data is spilled', async () => {
  const outcomes: Ran[] = [];
  for (const workers of [1, 3])
    for (const memoryMegabytes of [10, 1024]) {
      const options = { processing: { workers, memoryMegabytes } };
      const outcome = await run(tile, 'a.geojsonl', lines.join('\n'), options);
      assert.equal(outcome.isSpilled, memoryMegabytes === 10);
      outcomes.push(outcome);
    }
  const { rejects } = outcomes[0]!;
  const numbers = rejects.map(({ place }) => place!.feature);
  const wanted = lines.flatMap((_, i) => (i % 101 === 100 || i % 97 === 96 ? [i + 1] : []));
  assert.deepEqual(numbers, wanted);
  assert.deepEqual(
    rejects.map(({ place }) => place!.line),
    wanted,
  );
  for (const other of outcomes.slice(1)) assert.deepEqual(other.rejects, rejects);
});

test('the first are kept as they are, and all are counted', async () => {
  const many = Array.from({ length: 30_000 }, (_, i) => (i % 2 === 0 ? point(i) : point(i, [1, 'x'])));
  for (const job of [tile, convert]) {
    const { rejects } = await run(job, 'a.geojsonl', many.join('\n'), { processing: { workers: 2 } });
    const kept = rejects.filter(({ file }) => file !== undefined);
    assert.equal(kept.length, Math.min(maxRejects, 15_000));
    assert.deepEqual([kept[0]!.place!.line, kept.at(-1)!.place!.line], [2, 2 * maxRejects]);
    assert.equal(
      rejects.reduce((sum, { times }) => sum + times, 0),
      15_000,
    );
  }
});

test('a job of which nothing can be used fails, and names the commonest reasons', async () => {
  const bad = [
    point(1, ['a', 0]),
    point(2, ['b', 0]),
    point(3, 7),
    JSON.stringify({ type: 'Feature', properties: {}, geometry: null }),
  ];
  for (const job of [tile, convert]) {
    const { failure, rejects } = await run(job, 'a.geojsonl', bad.join('\n'));
    assert.equal(failure?.code, 'nothingUsable');
    assert.match(
      failure.message,
      /^a\.geojsonl: none of the 4 features can be used: 2 × a coordinate is not a number; 1 × /,
    );
    assert.equal(rejects.length, 4);
    const filtered = [point(1), ...bad].join('\n');
    const options = { modelOptions: { filter: ['!=', ['get', 'i'], 1] } };
    const wanted = await run(job, 'a.geojsonl', filtered, options as TilesVectorOptions);
    assert.equal(wanted.failure?.code, 'nothingUsable');
    assert.match(wanted.failure.message, /none of the 4 features that modelOptions leave/);
  }
});

test('features outside all layers are not rejected', async () => {
  const features = [point(1), JSON.stringify({ type: 'Feature', properties: { i: 2 }, geometry: null })];
  const filter = ['==', ['get', 'i'], 1];
  for (const job of [tile, convert]) {
    const { rejects, featureCount } = await run(job, 'a.geojsonl', features.join('\n'), {
      modelOptions: { filter },
      processing: { strict: true },
    } as TilesVectorOptions);
    assert.deepEqual([rejects, featureCount], [[], 1]);
  }
});

test('if nearly all features are outside the world, the CRS is wrong and the job fails', async () => {
  const metres = Array.from({ length: 95 }, (_, i) => point(i, [391_000 + i, 5_820_000]));
  for (const job of [tile, convert]) {
    const few = await run(job, 'a.geojsonl', [...metres, ...lines.slice(0, 5)].join('\n'));
    assert.equal(few.failure?.code, 'invalidCoordinates');
    assert.match(few.failure.message, /95 of 100 .* CRS/s);
    const many = await run(job, 'a.geojsonl', [...metres, ...lines.slice(0, 50)].join('\n'));
    assert.equal(many.failure, undefined);
    const none = await run(job, 'a.geojsonl', metres.join('\n'));
    assert.equal(none.failure?.code, 'nothingUsable');
    assert.match(none.failure.message, /enter (?:it|the CRS) at the input/);
  }
});

test('features rejected before a file turns out to be damaged are reported', async () => {
  const features = [point(1), point(2, 'x'), point(3)].join(',');
  for (const job of [tile, convert]) {
    const { rejects, failure } = await run(
      job,
      'a.geojson',
      `{"type":"FeatureCollection","features":[${features},{]}`,
    );
    assert.equal(failure?.code, 'brokenJson');
    assert.deepEqual(
      rejects.map(({ place }) => place!.feature),
      [2],
    );
  }
});

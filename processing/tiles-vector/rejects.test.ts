import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runConvertVector } from '../convert-vector/run.ts';
import { everyBrokenFormat } from '../features/testing-broken.ts';
import { JobFailure, type JobContext } from '../job-type.ts';
import { maxRejects, type RejectedFeature } from '../rejects.ts';
import { runTilesVector } from './run.ts';
import type { TilesVectorOptions } from './spec.ts';

const root = await mkdtemp(join(tmpdir(), 'platen-rejects-'));
after(() => rm(root, { recursive: true }));
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
  const context: JobContext = {
    inputs: [{ path, name, size: Buffer.byteLength(content) }],
    outputFolder,
    scratchFolder,
    signal: new AbortController().signal,
    progress: () => {},
    log: (_level, _message, data) => (isSpilled ||= data?.['isSpilled'] === true),
    warn: () => {},
    reject: (code, message, feature, times = 1) => void rejects.push({ code, message, times, ...feature }),
  };
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

const tile: Run = (options, context) => runTilesVector({ tiling: { maxZoom: 2 }, ...options }, context);
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

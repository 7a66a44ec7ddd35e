import { linkSync, mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEgressPolicy } from '@platen/egress/policy';
import type { RunningService } from '@platen/e2e/processes';
import pg from 'pg';
import { stage } from '../runner/stage.ts';
import { databaseUrl } from './database-url.ts';
import { complete, openBenchRunner, sendOutputs, withOutputs } from './held-job.ts';
import { print, printRatio } from './report.ts';

const count = Number(process.env['BENCH_FILES'] ?? 100_000);
const bytesOfEach = 1_000;

/** A folder of 100,000 (BENCH_FILES) small files as the input of a job on the same disk, beside `link` in a loop. */
export async function benchStaging(): Promise<void> {
  await withOutputs(count, bytesOfEach, async (service, output) => {
    const folder = await mkdtemp(join(tmpdir(), 'platen-bench-staging-'));
    try {
      const bare = count / linkAll(join(output, 'tiles'), join(folder, 'bare'));
      print(`link in a loop: ${bare.toFixed(0)} files/s`);
      const ours = count / (await stageFolder(service, output, join(folder, 'inputs')));
      printRatio('files staged per second', ours, 10_000);
      printRatio('ours / link in a loop', ours / bare, 0.1);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}

function linkAll(from: string, to: string): number {
  const began = performance.now();
  const folders = Math.ceil(Math.sqrt(count));
  for (let n = 0; n < folders; n++) mkdirSync(join(to, String(n)), { recursive: true });
  for (let n = 0; n < count; n++) {
    const name = `${n % folders}/${n}.pbf`;
    linkSync(join(from, name), join(to, name));
  }
  return (performance.now() - began) / 1000;
}

/** @returns seconds */
async function stageFolder(service: RunningService, output: string, folder: string): Promise<number> {
  const runner = await openBenchRunner(service);
  const made = await runner.hold('a.geojson');
  await sendOutputs(made, output);
  await complete(made);
  const { outputFiles } = await service.client.getProjectJob({ params: made });
  // as a runner that the service has started
  const db = new pg.Client({ connectionString: databaseUrl(service) });
  await db.connect();
  await db.query('update runner set is_embedded = true');
  await db.end();
  const job = await runner.hold(outputFiles!.folder);
  const began = performance.now();
  const inputs = await stage(job.client, job, {
    folder,
    isEmbedded: true,
    egressPolicy: parseEgressPolicy(''),
    signal: new AbortController().signal,
    onProgress: () => {},
  });
  if (inputs.length !== 1) throw new Error('Nothing was staged.');
  return (performance.now() - began) / 1000;
}

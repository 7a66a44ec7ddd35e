import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from '@platen/contract/jobs';
import { runService, type RunningService } from '@platen/e2e/processes';
import { print, printAtMost } from './report.ts';
import { openDataFolder, osmFeatures } from './tile-data.ts';
import { watchTree } from './watch-process.ts';

/** 2.1 GB. */
const features = Number(process.env['BENCH_LARGE_FEATURES'] ?? 6_500_000);
const memoryMegabytes = 300;
const everyMs = 500;

/**
 * OpenStreetMap features (6,500,000, or BENCH_LARGE_FEATURES) through a whole service whose jobs may use 300 MB: uploaded,
 * inspected, made into tiles with the default options, and served.
 */
export async function benchLargeJob(): Promise<void> {
  const folder = await openDataFolder();
  try {
    const path = await osmFeatures(folder.path, features);
    if (path === undefined) return print('SKIPPED: no sample data; name its folder in PLATEN_SAMPLE_DATA');
    const { size } = await stat(path);
    print(`${features} features in ${(size / 1e9).toFixed(2)} GB`);
    await runThrough(path);
  } finally {
    await folder.end();
  }
}

async function runThrough(path: string): Promise<void> {
  const env = { PLATEN_RUNNERS: '1', PLATEN_RUNNER_MEMORY_MB: String(memoryMegabytes) };
  const service = await runService({ env });
  const watch = watchTree(service.child.pid!);
  try {
    const { client } = service;
    const body = { name: 'Bench', description: '', bbox: [-180, -85, 180, 85] };
    const { _id: projectId, defaultDataBucketId: dataBucketId } = await client.postProject({ body });
    const key = basename(path);
    await timed('upload', async () => {
      const form = new FormData();
      form.append('file', await openAsBlob(path), key);
      await client.postProjectDataBucketUpload({ params: { projectId, dataBucketId }, body: form });
    });
    await timed('inspection', async () => {
      const params = { projectId, dataBucketId };
      for (;;) {
        const reply = await client.postProjectDataBucketInspect({ params, query: { key } });
        if ('layers' in reply) return print(`inspected: ${reply.layers[0]?.featureCount} features`);
      }
    });
    const job = await timed('job', () => tile(service, { projectId, dataBucketId, key }));
    const datasource = job.outputItems?.find(({ type }) => type === 'datasource');
    if (job.state !== 'succeeded' || datasource === undefined) throw new Error(String(job.errorMessage));
    await timed('first tile', async () => {
      const reply = await fetch(`${service.url}/data/${datasource.datasourceId}/0/0/0.pbf`, {
        headers: { authorization: `Bearer ${service.token}` },
      });
      const { byteLength } = await reply.arrayBuffer();
      if (reply.status !== 200 || byteLength === 0)
        throw new Error(`The tile was answered by ${reply.status}.`);
      print(`tile 0/0/0: ${byteLength} bytes`);
    });
  } finally {
    const trees = watch.stop();
    await service.stop();
    const peakOf = (isIt: (command: string) => boolean): number =>
      Math.max(...trees.filter(({ command }) => isIt(command)).map(({ peakMegabytes }) => peakMegabytes));
    const isJob = (command: string): boolean =>
      command.includes('--permission') && command.includes('child.');
    const isService = (command: string): boolean => command.includes('server/start.js');
    print(`peak memory of the service: ${peakOf(isService).toFixed(0)} MB`);
    printAtMost('peak memory of a process of a job, MB', peakOf(isJob), memoryMegabytes);
  }
}

interface Input {
  readonly projectId: string;
  readonly dataBucketId: string;
  readonly key: string;
}

async function tile({ client }: RunningService, { projectId, dataBucketId, key }: Input): Promise<Job> {
  const input = { type: 'internal', dataBucketId, dataBucketKey: key };
  const parameters = { datasource: { command: 'create', name: 'Tiles' }, options: { input } };
  const { lastJobId } = await client.postProjectTask({
    params: { projectId },
    body: { name: 'Tiles', jobType: 'platenTilesVector', parameters },
  });
  for (;;) {
    const job = await client.getProjectJob({ params: { projectId, jobId: lastJobId! } });
    if (job.endTime !== undefined) return job;
    await sleep(everyMs);
  }
}

async function timed<T>(what: string, run: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await run();
  print(`${what}: ${((performance.now() - began) / 1000).toFixed(1)} s`);
  return result;
}

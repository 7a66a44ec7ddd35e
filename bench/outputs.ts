import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningService } from '@platen/e2e/processes';
import { runService } from '@platen/e2e/processes';
import { clientFor } from '../runner/job-client.ts';
import { upload } from '../runner/upload.ts';
import { print, printAtMost, printRatio } from './report.ts';
import { cpuSecondsOfTree } from './watch-process.ts';

const count = Number(process.env['BENCH_FILES'] ?? 100_000);
const bytesOfEach = 1_000;
const enrolmentToken = 'for this benchmark and nothing else';

/** A job's folder of 100,000 (BENCH_FILES) small files from its end to the first tile served, beside tar and one sync. */
export async function benchOutputs(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-bench-outputs-'));
  const output = join(folder, 'output');
  for (let n = 0; n < count; n++) {
    const place = join(output, 'tiles', String(n % 316));
    if (n < 316) mkdirSync(place, { recursive: true });
    writeFileSync(join(place, `${n}.pbf`), randomBytes(bytesOfEach));
  }
  const service = await runService({ env: { PLATEN_RUNNERS: '0', PLATEN_ENROLMENT_TOKEN: enrolmentToken } });
  try {
    const bare = measure(() => {
      execFileSync('sh', ['-c', `mkdir ${folder}/bare && tar c -C ${output} . | tar x -C ${folder}/bare`]);
      execFileSync('sync', ['-f', folder]);
    });
    print(`tar to disk with one sync: ${(count / bare).toFixed(0)} files/s`);
    await benchUpload(service, output, count / bare);
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function measure(work: () => void): number {
  const from = performance.now();
  work();
  return (performance.now() - from) / 1000;
}

async function benchUpload(service: RunningService, output: string, bare: number): Promise<void> {
  const { projectId, jobId, token } = await claimJob(service);
  const client = clientFor(service.url, token);
  const [own, others] = [process.cpuUsage(), cpuSecondsOf(service)];
  const lease = setInterval(() => {
    void client.postRunnerJobHeartbeat({ params: { jobId }, body: { waitMs: 0 } });
  }, 4000);
  const from = performance.now();
  const { signal } = new AbortController();
  await upload(client, { jobId, folder: output, signal, progress: () => {} });
  const sent = (performance.now() - from) / 1000;
  clearInterval(lease);
  await client.postRunnerJobComplete({ params: { jobId }, body: completion });
  const job = await service.client.getProjectJob({ params: { projectId, jobId } });
  const { datasourceId } = job.outputs.at(-1)!;
  const tile = await fetch(`${service.url}/data/${datasourceId}/7/7.pbf`, {
    headers: { authorization: `Bearer ${service.token}` },
  });
  if (tile.status !== 200) throw new Error(`The tile was answered ${tile.status}.`);
  const seconds = (performance.now() - from) / 1000;
  const { user, system } = process.cpuUsage(own);
  const cpu = (user + system) / 1e6 + cpuSecondsOf(service) - others;
  print(`sent in ${sent.toFixed(1)} s, served after ${seconds.toFixed(1)} s`);
  printRatio('files per second from job to served', count / seconds, 3000);
  printRatio('ours / tar to disk with one sync', count / seconds / bare, 0.1);
  print(`→ CPU of all processes per file, ms: ${((cpu * 1000) / count).toFixed(2)} (target: ≤ 1)`);
  const { length } = JSON.stringify(job);
  printAtMost('bytes of GET job', length, 16_384);
}

/** CPU time of the service and its database, which is no child of it. */
function cpuSecondsOf({ child, dataFolder }: RunningService): number {
  const [postmaster] = readFileSync(join(dataFolder, 'postgres/pgdata/postmaster.pid'), 'utf8').split('\n');
  return cpuSecondsOfTree(child.pid!) + cpuSecondsOfTree(Number(postmaster));
}

const completion = {
  datasource: { type: 'vectortiles', path: 'tiles', typeProperties: {}, properties: {} },
  warnings: [],
};

/** The attempt of a job that a runner of this benchmark has claimed. */
async function claimJob({ url, client }: RunningService) {
  const project = await client.postProject({ body: { name: 'Bench', description: '', bbox: [0, 0, 1, 1] } });
  const params = { projectId: project._id };
  const bucket = await client.getProjectDataBuckets({ params });
  const { _id: dataBucketId } = bucket.items[0]!;
  const form = new FormData();
  form.append('file', new Blob(['{"type":"FeatureCollection","features":[]}']), 'a.geojson');
  await client.postProjectDataBucketUpload({ params: { ...params, dataBucketId }, body: form });
  const input = [{ type: 'internal', dataBucketId, dataBucketKey: 'a.geojson' }];
  await client.postProjectTask({
    params,
    body: {
      name: 'Tiles',
      jobType: 'platenTilesVector',
      parameters: { datasource: { command: 'create', name: 'Tiles' }, options: { input } },
    },
  });
  const body = { enrolmentToken, name: 'bench', labels: [], version: '' };
  const runner = clientFor(url, (await clientFor(url).postRunnerEnrol({ body })).token);
  const { job } = await runner.postRunnerClaim({ body: { waitSeconds: 10 } });
  if (!job) throw new Error('There was no job to claim.');
  return { projectId: project._id, ...job };
}

import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClaimedJob } from '@platen/contract/runner';
import { runService, type RunningService } from '@platen/e2e/processes';
import { clientFor, type JobClient } from '../runner/job-client.ts';
import { upload } from '../runner/upload.ts';

const enrolmentToken = 'for this benchmark and nothing else';
/** The environment of a service whose jobs run in the process of the benchmark. */
const withoutRunners = { PLATEN_RUNNERS: '0', PLATEN_ENROLMENT_TOKEN: enrolmentToken };

/** Writes small files of random bytes to a folder, some hundred in each of its own. */
function writeFiles(folder: string, count: number, bytesOfEach: number): void {
  const folders = Math.ceil(Math.sqrt(count));
  for (let n = 0; n < folders; n++) mkdirSync(join(folder, String(n)), { recursive: true });
  for (let n = 0; n < count; n++)
    writeFileSync(join(folder, String(n % folders), `${n}.pbf`), randomBytes(bytesOfEach));
}

/** Runs a benchmark with the outputs of a job, small files in `tiles` of the folder, and a service without runners. */
export async function withOutputs(
  count: number,
  bytesOfEach: number,
  work: (service: RunningService, output: string) => Promise<void>,
): Promise<void> {
  const output = await mkdtemp(join(tmpdir(), 'platen-bench-outputs-'));
  writeFiles(join(output, 'tiles'), count, bytesOfEach);
  const service = await runService({ env: withoutRunners });
  try {
    await work(service, output);
  } finally {
    await service.stop();
    await rm(output, { recursive: true, force: true });
  }
}

export interface HeldJob extends ClaimedJob {
  readonly client: JobClient;
  readonly projectId: string;
  readonly dataBucketId: string;
}

export interface BenchRunner {
  /** Starts a job with an input of the bucket and claims it. */
  hold(key: string): Promise<HeldJob>;
}

/** A runner in this process, with a project and a small file `a.geojson`. */
export async function openBenchRunner({ url, client }: RunningService): Promise<BenchRunner> {
  const project = await client.postProject({ body: { name: 'Bench', description: '', bbox: [0, 0, 1, 1] } });
  const params = { projectId: project._id };
  const { items } = await client.getProjectDataBuckets({ params });
  const { _id: dataBucketId } = items[0]!;
  const form = new FormData();
  form.append('file', new Blob(['{"type":"FeatureCollection","features":[]}']), 'a.geojson');
  await client.postProjectDataBucketUpload({ params: { ...params, dataBucketId }, body: form });
  const body = { enrolmentToken, name: 'bench', labels: [], version: '' };
  const runner = clientFor(url, (await clientFor(url).postRunnerEnrol({ body })).token);
  return {
    async hold(key) {
      const input = [{ type: 'internal', dataBucketId, dataBucketKey: key }];
      const parameters = { datasource: { command: 'create', name: 'Tiles' }, options: { input } };
      await client.postProjectTask({
        params,
        body: { name: 'Tiles', jobType: 'platenTilesVector', parameters },
      });
      for (;;) {
        const { job } = await runner.postRunnerClaim({ body: { waitSeconds: 10 } });
        if (!job) throw new Error('There was no job to claim.');
        const held = { ...job, ...params, dataBucketId, client: clientFor(url, job.token) };
        if (job.jobType === 'platenTilesVector') return held;
        // an inspection of the file
        await held.client.postRunnerJobFail({
          params: { jobId: job.jobId },
          body: { code: 'failed', message: '', warnings: [] },
        });
      }
    },
  };
}

/** Sends a folder as the outputs of a job and keeps its lease meanwhile. */
export async function sendOutputs({ client, jobId }: HeldJob, folder: string): Promise<void> {
  const lease = setInterval(() => {
    void client.postRunnerJobHeartbeat({ params: { jobId }, body: { waitMs: 0 } });
  }, 4000);
  const { signal } = new AbortController();
  await upload(client, { jobId, folder, signal, progress: () => {} }).finally(() => clearInterval(lease));
}

/** Completes a job whose outputs include a folder `tiles`. */
export async function complete({ client, jobId }: HeldJob): Promise<void> {
  const datasource = { type: 'vectortiles', path: 'tiles', typeProperties: {}, properties: {} };
  await client.postRunnerJobComplete({ params: { jobId }, body: { datasource, warnings: [] } });
}

import { openAsBlob } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { runService } from '@platen/e2e/processes';
import { percentile } from './percentile.ts';
import { printAtMost } from './report.ts';

const jobs = Number(process.env['BENCH_PICKUPS'] ?? 200);
const limits = { medianMs: 20, p99Ms: 100 };

/** From the answer to the POST of an immediate task until its job runs on an idle runner. DATABASE_URL names another PostgreSQL. */
export async function benchPickup(): Promise<void> {
  const service = await runService();
  try {
    const { client } = service;
    const project = await client.postProject({
      body: { name: 'Bench', description: '', bbox: [0, 0, 1, 1] },
    });
    const params = { projectId: project._id, dataBucketId: project.defaultDataBucketId };
    const form = new FormData();
    form.append(
      'file',
      await openAsBlob(new URL('../examples/data/rivers.geojson', import.meta.url)),
      'r.geojson',
    );
    await client.postProjectDataBucketUpload({ params, body: form });
    const input = { type: 'internal', dataBucketId: params.dataBucketId, dataBucketKey: 'r.geojson' };
    const waits: number[] = [];
    for (let i = 0; i < jobs; i++) {
      const task = await client.postProjectTask({
        params,
        body: {
          name: `Job ${i}`,
          jobType: 'platenTilesVector',
          schedule: { type: 'immediate' },
          parameters: {
            datasource: { command: 'create', name: `D${i}` },
            options: { input, tiling: { maxZoom: 2 } },
          },
        },
      });
      const answered = Date.now();
      const job = await finished(service, project._id, task._id);
      waits.push(Date.parse(job.startTime!) - answered);
      await sleep(300); // the runner is idle again, with a fresh child waiting
    }
    printAtMost(
      `ms from the answer until a job runs, median of ${jobs}`,
      percentile(waits, 0.5),
      limits.medianMs,
    );
    printAtMost(`ms at the 99th percentile`, percentile(waits, 0.99), limits.p99Ms);
  } finally {
    await service.stop();
  }
}

async function finished(
  { client }: Awaited<ReturnType<typeof runService>>,
  projectId: string,
  taskId: string,
) {
  for (;;) {
    const { items } = await client.getProjectJobs({ params: { projectId }, query: { taskId: [taskId] } });
    const [job] = items;
    if (job && job.state !== 'queued' && job.state !== 'running') return job;
    await sleep(50);
  }
}

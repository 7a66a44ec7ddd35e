import { openAsBlob } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { runService } from '@platen/e2e/processes';
import { median } from './load.ts';
import { print } from './report.ts';

const jobs = 40;
const limitMs = 50;

/** From the answer to the POST of an immediate task until its job runs on an idle runner. */
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
    const sorted = waits.toSorted((a, b) => a - b);
    const p95 = sorted[Math.floor(jobs * 0.95)]!;
    const ok = median(waits) <= limitMs;
    print(
      `→ a job starts ${median(waits)} ms after the answer (median of ${jobs}; 95 %: ${p95} ms; asked: ≤ ${limitMs}) ${ok ? '✓' : '✗'}`,
    );
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

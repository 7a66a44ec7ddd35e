import { setTimeout as sleep } from 'node:timers/promises';
import { runService, type RunningService } from '@platen/e2e/processes';
import { pointsOfWorld } from '@platen/e2e/testing-points';
import { median } from './load.ts';
import { print, printAtMost } from './report.ts';
import { cpuSecondsOfService } from './watch-process.ts';

const jobs = Number(process.env['BENCH_JOBS'] ?? 30);

/** The CPU time that a small job costs all processes, and its time from claim to end with a process that stands ready. */
export async function benchSmallJobs(): Promise<void> {
  const service = await runService({ env: { PLATEN_INSPECT_UPLOADS: 'off' } });
  try {
    const params = await makePlace(service);
    const tiling = await measure(service, params, {
      jobType: 'platenTilesVector',
      parameters: {
        datasource: { command: 'create', name: 'Tiles' },
        options: {
          input: { type: 'internal', dataBucketId: params.dataBucketId, dataBucketKey: 'points.geojson' },
        },
      },
    });
    printAtMost('CPU of all processes for tiles of 200 points, ms', tiling.cpuMs, 250);
    const empty = await measure(service, params, {
      jobType: 'platenCheckRunner',
      parameters: { options: {} },
    });
    print(`CPU of all processes for an empty job: ${empty.cpuMs.toFixed(0)} ms`);
    printAtMost('claim to end of an empty job, ms', empty.wallMs, 40);
  } finally {
    await service.stop();
  }
}

interface Place {
  readonly projectId: string;
  readonly dataBucketId: string;
}

async function makePlace({ client }: RunningService): Promise<Place> {
  const body = { name: 'Bench', description: '', bbox: [-180, -85, 180, 85] };
  const { _id: projectId, defaultDataBucketId: dataBucketId } = await client.postProject({ body });
  const form = new FormData();
  form.append('file', pointsOfWorld(200), 'points.geojson');
  await client.postProjectDataBucketUpload({ params: { projectId, dataBucketId }, body: form });
  return { projectId, dataBucketId };
}

type Task = { readonly jobType: string; readonly parameters: Record<string, unknown> };

/** Runs the jobs one after the other, each when the process for the next one is ready. */
async function measure(
  service: RunningService,
  { projectId }: Place,
  task: Task,
): Promise<{ cpuMs: number; wallMs: number }> {
  const { client } = service;
  const walls: number[] = [];
  let before = 0;
  for (let n = -3; n < jobs; n++) {
    if (n === 0) before = cpuSecondsOfService(service);
    const body = { name: `${task.jobType} ${n}`, ...task };
    const { lastJobId } = await client.postProjectTask({ params: { projectId }, body });
    const params = { projectId, jobId: lastJobId! };
    for (;;) {
      const job = await client.getProjectJob({ params });
      if (job.endTime === undefined) {
        await sleep(20);
        continue;
      }
      if (job.state !== 'succeeded') throw new Error(String(job.errorMessage));
      walls.push(Date.parse(job.endTime) - Date.parse(job.startTime!));
      break;
    }
    await sleep(500);
  }
  return { cpuMs: ((cpuSecondsOfService(service) - before) * 1000) / jobs, wallMs: median(walls) };
}

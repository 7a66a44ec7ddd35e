import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { runService, type RunningService } from '@platen/e2e/processes';
import { pointsOfWorld } from '@platen/e2e/testing-points';
import { median } from './load.ts';
import { print, printAtMost } from './report.ts';
import { cpuOfService, cpuSecondsOfEnded, type ServiceCpu } from './watch-process.ts';

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
    printParts('tiles of 200 points', tiling);
    printAtMost('CPU of all processes for tiles of 200 points, ms', sumOf(tiling.cpu), 250);
    const empty = await measure(service, params, {
      jobType: 'platenCheckRunner',
      parameters: { options: {} },
    });
    printParts('an empty job', empty);
    print(`CPU of all processes for an empty job: ${sumOf(empty.cpu).toFixed(0)} ms`);
    print(`CPU of a bare process of Node, of which each job needs one: ${(await bareMs()).toFixed(0)} ms`);
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

interface Measured {
  /** In milliseconds per job. */
  readonly cpu: ServiceCpu;
  readonly wallMs: number;
}

const sumOf = (cpu: ServiceCpu): number => Object.values(cpu).reduce((sum, ms) => sum + ms, 0);

function printParts(what: string, { cpu }: Measured): void {
  const parts = Object.entries(cpu).map(([name, ms]) => `${name} ${(ms as number).toFixed(0)}`);
  print(`CPU for ${what}, ms: ${parts.join(', ')}`);
}

/**
 * Runs the jobs one after the other, each when the process for the next one is ready. One request starts a job and waits for
 * its end, so that the service answers no others meanwhile.
 */
async function measure(service: RunningService, { projectId }: Place, task: Task): Promise<Measured> {
  const { client } = service;
  const walls: number[] = [];
  let before = cpuOfService(service);
  for (let n = -3; n < jobs; n++) {
    if (n === 0) before = cpuOfService(service);
    const body = { name: `${task.jobType} ${n}`, ...task };
    const { lastJobId: jobId = '' } = await client.postProjectTaskSync({ params: { projectId }, body });
    const job = await client.getProjectJob({ params: { projectId, jobId } });
    if (job.state !== 'succeeded') throw new Error(String(job.errorMessage));
    walls.push(Date.parse(job.endTime!) - Date.parse(job.startTime!));
    await sleep(500);
  }
  const after = cpuOfService(service);
  const perJob = (part: keyof ServiceCpu): number => ((after[part] - before[part]) * 1000) / jobs;
  const cpu = {
    service: perJob('service'),
    database: perJob('database'),
    runners: perJob('runners'),
    jobs: perJob('jobs'),
  };
  return { cpu, wallMs: median(walls.slice(3)) };
}

/** What no job with a process of its own can do without. */
async function bareMs(): Promise<number> {
  const before = cpuSecondsOfEnded();
  for (let n = 0; n < jobs; n++) await once(spawn(process.execPath, ['--eval', '0']), 'close');
  return ((cpuSecondsOfEnded() - before) * 1000) / jobs;
}

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runService, type RunningService } from '@platen/e2e/processes';
import { print } from './report.ts';

const jobs = Number(process.env['BENCH_JOBS'] ?? 300);
const forkMs = 5000;
const targetRate = 20;
/** While the first run, the runners still prepare themselves. */
const warm = 0.2;

/**
 * Jobs that do nothing through all that jobs go through: queue, claim, a process of their own with its folders, log, report,
 * end. Beside it, so many processes of Node that say one word and are ended, one on each core.
 */
export async function benchEmptyJobs(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-bench-'));
  try {
    for (const runners of [1, 2]) {
      const forks = await forksPerSecond(folder);
      const rate = await jobsPerSecond(runners);
      const best = (forks + (await forksPerSecond(folder))) / 2;
      print(`bare processes: ${best.toFixed(1)}/s, with ${runners} runners: ${rate.toFixed(1)} jobs/s`);
      print(
        `→ ${runners} runners: ${rate.toFixed(1)} empty jobs/s, ${(rate / best).toFixed(2)} of bare processes (target: ≥ ${targetRate}/s) ${rate >= targetRate ? '✓' : '✗'}`,
      );
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function forksPerSecond(folder: string): Promise<number> {
  const program = join(folder, 'bare.mjs');
  await writeFile(program, 'process.send(1);');
  const began = performance.now();
  let count = 0;
  const forkSome = async (): Promise<void> => {
    while (performance.now() - began < forkMs) {
      const child = fork(program);
      await once(child, 'message');
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
      count++;
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, forkSome));
  return (count * 1000) / (performance.now() - began);
}

/** The jobs wait before the runners come, so that nothing else is done meanwhile. */
async function jobsPerSecond(runners: number): Promise<number> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'platen-bench-'));
  try {
    const projectId = await withService(dataFolder, 0, queueJobs);
    return await withService(dataFolder, runners, (service) => rateOf(service, projectId));
  } finally {
    await rm(dataFolder, { recursive: true, force: true });
  }
}

async function withService<T>(
  dataFolder: string,
  runners: number,
  work: (service: RunningService) => Promise<T>,
): Promise<T> {
  const service = await runService({ dataFolder, env: { PLATEN_RUNNERS: String(runners) } });
  try {
    return await work(service);
  } finally {
    await service.stop();
  }
}

async function queueJobs({ client }: RunningService): Promise<string> {
  const project = await client.postProject({
    body: { name: 'Bench', description: '', bbox: [0, 0, 1, 1] },
  });
  const body = { name: 'Empty', jobType: 'platenCheckRunner', parameters: { options: {} } };
  for (let i = 0; i < jobs; i++) await client.postProjectTask({ params: { projectId: project._id }, body });
  return project._id;
}

async function rateOf({ client }: RunningService, projectId: string): Promise<number> {
  const query = { state: ['queued', 'running'], limit: 1 } as const;
  const params = { projectId };
  while (
    (await client.getProjectJobs({ params, query: { ...query, state: [...query.state] } })).totalCount > 0
  )
    await sleep(500);
  const ends: number[] = [];
  for (let page = 0; ends.length < jobs; page++) {
    const { items } = await client.getProjectJobs({ params, query: { limit: 100, page } });
    if (items.some(({ state }) => state !== 'succeeded')) throw new Error('A job did not succeed.');
    ends.push(...items.map(({ endTime }) => Date.parse(endTime!)));
  }
  const measured = ends.toSorted((a, b) => a - b).slice(Math.floor(jobs * warm));
  return ((measured.length - 1) * 1000) / (measured.at(-1)! - measured[0]!);
}

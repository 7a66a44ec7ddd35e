import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningService } from '@platen/e2e/processes';
import { complete, openBenchRunner, sendOutputs, withOutputs } from './held-job.ts';
import { print, printAtMost, printRatio } from './report.ts';
import { cpuSecondsOfService } from './watch-process.ts';

const count = Number(process.env['BENCH_FILES'] ?? 100_000);
const bytesOfEach = 1_000;

/** A job's folder of 100,000 (BENCH_FILES) small files from its end to the first tile served, beside tar and one sync. */
export async function benchOutputs(): Promise<void> {
  await withOutputs(count, bytesOfEach, async (service, output) => {
    const bare = await mkdtemp(join(tmpdir(), 'platen-bench-bare-'));
    const from = performance.now();
    execFileSync('sh', ['-c', `tar c -C ${output} . | tar x -C ${bare}`]);
    execFileSync('sync', ['-f', bare]);
    const rate = (count * 1000) / (performance.now() - from);
    await rm(bare, { recursive: true, force: true });
    print(`tar to disk with one sync: ${rate.toFixed(0)} files/s`);
    await benchFolder(service, output, rate);
  });
}

async function benchFolder(service: RunningService, output: string, bare: number): Promise<void> {
  const held = await (await openBenchRunner(service)).hold('a.geojson');
  const [own, others] = [process.cpuUsage(), cpuSecondsOfService(service)];
  const from = performance.now();
  await sendOutputs(held, output);
  const sent = (performance.now() - from) / 1000;
  await complete(held);
  const job = await service.client.getProjectJob({ params: held });
  const { datasourceId } = job.outputItems.at(-1)!;
  const tile = await fetch(`${service.url}/data/${datasourceId}/7/7.pbf`, {
    headers: { authorization: `Bearer ${service.token}` },
  });
  if (tile.status !== 200) throw new Error(`The tile was answered ${tile.status}.`);
  const seconds = (performance.now() - from) / 1000;
  const { user, system } = process.cpuUsage(own);
  const cpu = (user + system) / 1e6 + cpuSecondsOfService(service) - others;
  print(`sent in ${sent.toFixed(1)} s, served after ${seconds.toFixed(1)} s`);
  printRatio('files per second from job to served', count / seconds, 3000);
  printRatio('ours / tar to disk with one sync', count / seconds / bare, 0.1);
  printAtMost('CPU of all processes per file, µs', (cpu * 1e6) / count, 1000);
  printAtMost('bytes of GET job', JSON.stringify(job).length, 16_384);
}

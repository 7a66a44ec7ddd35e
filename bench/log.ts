import { setTimeout as sleep } from 'node:timers/promises';
import { runService } from '@platen/e2e/processes';
import { median } from './load.ts';
import { print } from './report.ts';

const lines = 100_000;
const rounds = 30;
const limitMs = 20;

/** Looks into the log of a job that has written 100,000 lines. */
export async function benchLog(): Promise<void> {
  const service = await runService();
  try {
    const { client } = service;
    const { _id: projectId } = await client.postProject({
      body: { name: 'Bench', description: '', bbox: [0, 0, 1, 1] },
    });
    const began = performance.now();
    const { lastJobId } = await client.postProjectTask({
      params: { projectId },
      body: { name: 'Lines', jobType: 'platenCheckRunner', parameters: { options: { lines } } },
    });
    const params = { projectId, jobId: lastJobId! };
    while ((await client.getProjectJob({ params })).endTime === undefined) await sleep(50);
    const seconds = (performance.now() - began) / 1000;
    print(`a job writes ${lines} lines in ${seconds.toFixed(1)} s`);
    const end = 2_147_483_647;
    const looks = {
      'the last 100 lines': { before: end, limit: 100 },
      '1000 lines in the middle': { after: lines / 2 },
      'nothing new': { after: end },
      'a text that is nowhere': { search: 'nowhere' },
      'the same from the end': { search: 'nowhere', before: end },
      'errors, of which there are none': { level: ['error' as const] },
    };
    for (const [what, query] of Object.entries(looks)) {
      const times: number[] = [];
      for (let i = 0; i < rounds; i++) {
        const start = performance.now();
        await client.getProjectJobLog({ params, query });
        times.push(performance.now() - start);
      }
      const slowest = Math.max(...times);
      const ok = slowest <= limitMs ? '✓' : '✗';
      print(
        `→ ${what}: ${median(times).toFixed(1)} ms, at most ${slowest.toFixed(1)} ms (target: ≤ ${limitMs}) ${ok}`,
      );
    }
  } finally {
    await service.stop();
  }
}

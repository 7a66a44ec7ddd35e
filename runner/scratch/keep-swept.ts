import { maxOpenJobs } from '@platen/contract/open-jobs';
import type { JobClient } from '../job-client.ts';
import type { Log } from '../log.ts';
import { sweepScratch } from './sweep-scratch.ts';

const everyMs = 60_000;

interface SweeperOptions {
  readonly root: string;
  readonly service: string;
  readonly client: JobClient;
  readonly log: Log;
}

/** Sweeps now and then every minute. */
export async function startScratchSweeper({ root, service, client, log }: SweeperOptions): Promise<void> {
  const openJobs = async (jobIds: readonly string[]): Promise<readonly string[]> => {
    const body = { jobIds: jobIds.slice(0, maxOpenJobs) };
    return (await client.postRunnerOpenJobs({ body, signal: AbortSignal.timeout(10_000) })).jobIds;
  };
  const sweep = () =>
    sweepScratch({ root, service, openJobs, now: Date.now }).catch((error: unknown) => {
      log('warning', 'the scratch folder could not be cleaned', { error: String(error) });
    });
  await sweep();
  let sweeping = Promise.resolve();
  setInterval(() => (sweeping = sweeping.then(sweep)), everyMs).unref();
}

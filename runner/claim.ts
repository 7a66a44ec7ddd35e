import { setTimeout as sleep } from 'node:timers/promises';
import { RequestFailed } from '@platen/client/client';
import { longestClaimSeconds, type ClaimedJob } from '@platen/contract/runner';
import type { RunnerConfig } from './config.ts';
import { clientFor, type JobClient } from './job-client.ts';
import type { Log } from './log.ts';
import { startProcessOfJob, type ProcessOfJob } from './process-of-job.ts';
import { runJob } from './run-job.ts';

const longestPauseMs = 10_000;

interface Claiming {
  readonly config: RunnerConfig;
  readonly client: JobClient;
  readonly log: Log;
  readonly shutdown: AbortSignal;
}

/**
 * Claims and runs one job after the other until `shutdown` aborts. A process that waits for the next job always stands
 * ready, so that a job starts without waiting for one.
 * @throws RequestFailed when the service no longer knows this runner
 */
export async function claimJobs({ config, client, log, shutdown }: Claiming): Promise<void> {
  let waiting = startProcessOfJob(config);
  waiting.catch(() => {});
  const takeProcess = async (): Promise<ProcessOfJob> => {
    const child = await waiting;
    if (child.isAlive()) return child;
    await child.end();
    return startProcessOfJob(config);
  };
  const standReady = () => {
    waiting = startProcessOfJob(config);
    waiting.catch(() => {});
  };
  try {
    while (!shutdown.aborted) {
      // who cannot run a job does not claim one
      if (!(await isReady(waiting, log, shutdown))) {
        await waiting.then((child) => child.end()).catch(() => {});
        standReady();
        continue;
      }
      const job = await nextJob(client, log, shutdown);
      if (!job) continue;
      let isStarted = false;
      const onStarted = () => {
        isStarted = true;
        standReady();
      };
      const child = await takeProcess();
      const jobClient = clientFor(config.url, job.token);
      await runJob({ client: jobClient, job, child, runnerName: config.name, log, shutdown, onStarted });
      if (!isStarted) standReady();
    }
  } finally {
    await waiting.then((child) => child.end()).catch(() => {});
  }
}

/** Pauses after a process that could not begin, so that a broken installation does not start one after the other. */
async function isReady(waiting: Promise<ProcessOfJob>, log: Log, signal: AbortSignal): Promise<boolean> {
  try {
    await (
      await waiting
    ).ready;
    return true;
  } catch (error) {
    log('error', 'no job can be run', { error: String(error) });
    await sleep(longestPauseMs, undefined, { signal }).catch(() => {});
    return false;
  }
}

/** Waits at the service; pauses longer and longer while that cannot be reached. */
async function nextJob(client: JobClient, log: Log, signal: AbortSignal): Promise<ClaimedJob | undefined> {
  for (let pauseMs = 200; !signal.aborted; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return (await client.postRunnerClaim({ body: { waitSeconds: longestClaimSeconds }, signal })).job;
    } catch (error) {
      if (signal.aborted) return undefined;
      if (error instanceof RequestFailed && error.status === 401) throw error;
      log('warning', 'the service cannot be reached', { error: String(error), pauseMs });
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
    }
  }
  return undefined;
}

import { setTimeout as sleep } from 'node:timers/promises';
import { RequestFailed } from '@platen/client/client';
import { longestClaimSeconds, type ClaimedJob } from '@platen/contract/runner';
import { findJobSpec } from '@platen/processing/catalog';
import { serviceOf, type RunnerConfig } from './config.ts';
import { failureReportOf } from './transient-error.ts';
import { clientFor, type JobClient } from './job-client.ts';
import type { Log } from './log.ts';
import type { PlainCode } from './plain/plain-code.ts';
import { startProcessOfJob } from './process-of-job.ts';
import { runJob } from './run-job.ts';
import { runTransfer } from './publish/run-transfer.ts';
import { standReady } from './standing-ready.ts';

const longestPauseMs = 10_000;
/** A service that does not answer by then is not there any more: the connection has died in silence. */
const longestWaitMs = (longestClaimSeconds + 5) * 1000;

interface Claiming {
  readonly config: RunnerConfig & { readonly name: string };
  readonly client: JobClient;
  readonly log: Log;
  readonly shutdown: AbortSignal;
  readonly plainCode: PlainCode;
}

/**
 * Claims and runs one job after the other until `shutdown` aborts. A process that waits for the next job always stands
 * ready, so that a job starts without waiting for one.
 * @throws RequestFailed when the service no longer knows this runner
 */
export async function claimJobs({ config, client, log, shutdown, plainCode }: Claiming): Promise<void> {
  let likely: string[] = [];
  const processes = standReady(() => startProcessOfJob({ ...config, plainCode, likely }), log);
  try {
    while (!shutdown.aborted) {
      // who cannot run a job does not claim one
      if (!(await processes.isReady(shutdown))) continue;
      const job = await nextJob(client, log, shutdown);
      if (!job) continue;
      const jobClient = clientFor(config.url, job.token);
      if (findJobSpec(job.jobType)?.transfers) {
        await runTransfer({ ...config, runnerName: config.name, client: jobClient, job, log, shutdown });
        continue; // the process goes on waiting
      }
      likely = latestFirst(job, likely);
      const child = await processes.take().catch((error: unknown) => giveUp(jobClient, job, { error, log }));
      if (!child) continue;
      const { name: runnerName, isEmbedded, egressPolicy, scratchFolder: root } = config;
      await runJob({
        client: jobClient,
        job,
        child,
        runnerName,
        isEmbedded,
        egressPolicy,
        root,
        service: serviceOf(config),
        log,
        shutdown,
        onStarted: processes.refill,
      });
      processes.refill();
    }
  } finally {
    await processes.end();
  }
}

/** Without a process, as on a disk that has just become full, the job is another runner's, or has to wait. */
async function giveUp(
  client: JobClient,
  { jobId }: ClaimedJob,
  { error, log }: { error: unknown; log: Log },
): Promise<undefined> {
  log('error', 'a job could not be begun', { jobId, error: String(error) });
  const body = { ...failureReportOf(error), warnings: [] };
  await client.postRunnerJobFail({ params: { jobId }, body }).catch(() => {}); // then its lease will be over
}

/** Jobs come in series: the process that waits is prepared for one like those before. */
function latestFirst({ jobType }: ClaimedJob, before: readonly string[]): string[] {
  const name = findJobSpec(jobType)?.name;
  return name === undefined ? [...before] : [name, ...before.filter((other) => other !== name)];
}

/** Waits at the service; pauses longer and longer while that cannot be reached. */
export async function nextJob(
  client: JobClient,
  log: Log,
  signal: AbortSignal,
): Promise<ClaimedJob | undefined> {
  const body = { waitSeconds: longestClaimSeconds };
  for (let pauseMs = 200; !signal.aborted; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      const either = AbortSignal.any([signal, AbortSignal.timeout(longestWaitMs)]);
      return (await client.postRunnerClaim({ body, signal: either })).job;
    } catch (error) {
      if (signal.aborted) return undefined;
      if (error instanceof RequestFailed && error.status === 401) throw error;
      log('warning', 'the service cannot be reached', { error: String(error), pauseMs });
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
    }
  }
  return undefined;
}

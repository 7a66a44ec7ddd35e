import { setTimeout as sleep } from 'node:timers/promises';
import { RequestFailed } from '@platen/client/client';
import { maxClaimSeconds, type ClaimedJob } from '@platen/contract/runner';
import { findJobSpec } from '@platen/processing/catalog';
import { serviceOf, type RunnerConfig } from './config.ts';
import { failureReportOf } from './transient-error.ts';
import { clientFor, type JobClient } from './job-client.ts';
import type { Log } from './log.ts';
import type { JobCode } from './job-code/job-code.ts';
import { startJobProcess } from './job-process.ts';
import { runJob } from './run-job.ts';
import { runnerJobOf } from './runner-jobs.ts';
import { startWarmPool } from './warm-pool.ts';

const maxBackoffMs = 10_000;
/** While the service is away, it is logged once in this time. */
const reportEveryMs = 60_000;
/** A claim without a response by then has lost its connection. */
const claimTimeoutMs = (maxClaimSeconds + 5) * 1000;

interface ClaimOptions {
  readonly config: RunnerConfig & { readonly name: string };
  readonly client: JobClient;
  readonly log: Log;
  readonly shutdown: AbortSignal;
  readonly jobCode: JobCode;
}

/**
 * Claims and runs one job after the other until `shutdown` aborts. A prewarmed process always waits for the next job.
 * @throws RequestFailed if the service no longer knows this runner
 */
export async function claimJobs({ config, client, log, shutdown, jobCode }: ClaimOptions): Promise<void> {
  let likely: string[] = [];
  const processes = startWarmPool(() => startJobProcess({ ...config, jobCode, likely }), log);
  try {
    while (!shutdown.aborted) {
      // claims no job before a process is ready to run it
      if (!(await processes.isReady(shutdown))) continue;
      const job = await claimNextJob(client, log, shutdown);
      if (!job) continue;
      const jobClient = clientFor(config.url, job.token);
      const runHere = runnerJobOf(job.jobType);
      if (runHere) {
        await runHere({ ...config, runnerName: config.name, client: jobClient, job, log, shutdown });
        continue; // the prewarmed process stays available
      }
      likely = mostRecentFirst(job, likely);
      const child = await processes
        .take()
        .catch((error: unknown) => reportNotStarted(jobClient, job, { error, log }));
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

/** Reports a job whose process could not be started, for example on a full disk; the service retries it. */
async function reportNotStarted(
  client: JobClient,
  { jobId }: ClaimedJob,
  { error, log }: { error: unknown; log: Log },
): Promise<undefined> {
  log('error', 'a job could not be started', { jobId, error: String(error) });
  const body = { ...failureReportOf(error), warnings: [] };
  await client.postRunnerJobFail({ params: { jobId }, body }).catch(() => {}); // otherwise the lease expires
}

/** Jobs often come in series, so the next process is prepared for the types of the latest jobs. */
function mostRecentFirst({ jobType }: ClaimedJob, before: readonly string[]): string[] {
  const name = findJobSpec(jobType)?.name;
  return name === undefined ? [...before] : [name, ...before.filter((other) => other !== name)];
}

/** Waits for a job by long polling; backs off while the service cannot be reached. */
export async function claimNextJob(
  client: JobClient,
  log: Log,
  signal: AbortSignal,
): Promise<ClaimedJob | undefined> {
  const body = { waitSeconds: maxClaimSeconds };
  let reportedAt: number | undefined;
  for (let pauseMs = 200; !signal.aborted; pauseMs = Math.min(pauseMs * 2, maxBackoffMs)) {
    try {
      const either = AbortSignal.any([signal, AbortSignal.timeout(claimTimeoutMs)]);
      const { job } = await client.postRunnerClaim({ body, signal: either });
      if (reportedAt !== undefined) log('info', 'the service can be reached again');
      return job;
    } catch (error) {
      if (signal.aborted) return undefined;
      if (error instanceof RequestFailed && error.status === 401) throw error;
      if (reportedAt === undefined || performance.now() - reportedAt > reportEveryMs) {
        reportedAt = performance.now();
        log('warning', 'the service cannot be reached, retrying', { error: String(error) });
      }
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
    }
  }
  return undefined;
}

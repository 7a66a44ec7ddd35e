import { setTimeout as sleep } from 'node:timers/promises';
import { timedOut } from '@platen/contract/job-end';
import { type ClaimedJob, heartbeatMs, leaseMs } from '@platen/contract/runner';
import { findJobSpec } from '@platen/processing/catalog';
import { JobFailure } from '@platen/processing/job-type';
import { type JobClient, isLeaseLost, isRejected, withRetry } from './job-client.ts';
import type { Log } from './log.ts';
import { type Report, startReport } from './report.ts';
import { failureReportOf } from './transient-error.ts';

/** Why the runner stops a job before it has ended by itself. */
export type StopReason = 'aborted' | 'lost' | 'shutdown';

export class JobStopped extends Error {
  readonly reason: StopReason;

  constructor(why: StopReason) {
    super(`The job was stopped: ${why}.`);
    this.reason = why;
  }
}

export interface Attempt {
  readonly client: JobClient;
  readonly job: ClaimedJob;
  readonly log: Log;
  /** Aborts when the runner is shut down. */
  readonly shutdown: AbortSignal;
}

export interface RunningAttempt extends Attempt {
  readonly report: Report;
  /** Aborts with a JobStopped when the job has to stop. */
  readonly signal: AbortSignal;
  /** Called when the job is about to be reported as complete. */
  readonly onCompleting: () => void;
}

interface AttemptSteps {
  /** Runs the job, up to reporting it as complete. */
  work(attempting: RunningAttempt): Promise<void>;
  /** Ends what still runs and uploads what is to be kept, before the failure is reported. */
  beforeEnd(attempting: RunningAttempt, error: unknown): Promise<void>;
  /** Cleans up after every attempt, complete or not. */
  afterwards(attempting: RunningAttempt, isComplete: boolean): Promise<void>;
}

/** Runs one claimed job and reports how it ended; never throws. */
export async function runAttempt(attempt: Attempt, steps: AttemptSteps): Promise<void> {
  const { client, job, shutdown, log } = attempt;
  const stop = new AbortController();
  const stopFor = (why: StopReason) => stop.abort(new JobStopped(why));
  const onShutdown = () => stopFor('shutdown');
  if (shutdown.aborted) onShutdown();
  shutdown.addEventListener('abort', onShutdown);
  const done = new AbortController();
  let isCompleting = false;
  const lease = keepLease(client, job.jobId, {
    signal: done.signal,
    isCompleting: () => isCompleting,
    onAbort: () => stopFor('aborted'),
    onLost: () => stopFor('lost'),
  });
  const report = startReport(client, job.jobId);
  const onCompleting = () => void (isCompleting = true);
  const attempting = { ...attempt, report, signal: stop.signal, onCompleting };
  let isComplete = false;
  try {
    await withTimeout(timeoutOf(job), stop.signal, (signal) => steps.work({ ...attempting, signal }));
    isComplete = true;
  } catch (error) {
    // an interrupted request fails with an error of its own; the reason is that of the stop
    const why: unknown = stop.signal.aborted ? stop.signal.reason : error;
    await reportEnd(attempting, steps, why).catch((failure: unknown) => {
      log('warning', 'could not report how a job ended', { jobId: job.jobId, error: String(failure) });
    });
  } finally {
    shutdown.removeEventListener('abort', onShutdown);
    done.abort();
    const closed = report.close(shutdownReportMs); // unless it is closed already
    await Promise.all([lease, closed, steps.afterwards(attempting, isComplete)]).catch(() => {});
  }
}

function timeoutOf({ jobType, timeoutSeconds }: ClaimedJob): { title: string; seconds: number } {
  const { title = jobType, maxSeconds = timeoutSeconds } = findJobSpec(jobType) ?? {};
  return { title, seconds: Math.min(timeoutSeconds, maxSeconds) };
}

/** A runner that shuts down waits no longer than this for a service that does not answer. */
const shutdownReportMs = 2000;
const releaseMs = 5000;
const failureReportMs = 60_000;

/** Reports the end of the attempt: failed, aborted or released; nothing if the lease is lost. */
async function reportEnd(attempting: RunningAttempt, steps: AttemptSteps, error: unknown): Promise<void> {
  const { client, job, report, log } = attempting;
  const params = { jobId: job.jobId };
  const why = error instanceof JobStopped ? error.reason : undefined;
  if (why === 'lost' || isLeaseLost(error)) return log('warning', 'the lease of a job was lost', params);
  await steps.beforeEnd(attempting, error);
  if (why === 'shutdown') {
    await report.close(shutdownReportMs);
    const signal = AbortSignal.timeout(releaseMs);
    await withRetry(signal, () => client.postRunnerJobRelease({ params, signal }));
    return;
  }
  await report.close();
  const signal = AbortSignal.timeout(failureReportMs);
  const aborted = { code: 'aborted', message: (error as Error).message, isTransient: false };
  const failure = why === 'aborted' ? aborted : failureReportOf(error);
  if (failure.code === 'runnerTrouble')
    log('error', 'a job could not be run', { ...params, error: String(error) });
  const body = { ...failure, message: failure.message.slice(0, 10_000), warnings: report.allWarnings() };
  try {
    await withRetry(signal, () => client.postRunnerJobFail({ params, body, signal }));
  } catch (refusal) {
    if (!isRejected(refusal)) throw refusal;
    // report a minimal failure, so that the job ends
    const minimal = {
      code: 'failed',
      message: 'The job failed. Its error message could not be reported.',
      warnings: [],
    };
    await withRetry(signal, () => client.postRunnerJobFail({ params, body: minimal, signal }));
  }
}

type Completion = Parameters<JobClient['postRunnerJobComplete']>[0]['body'];

/**
 * Reports the job as complete. If it has to stop meanwhile, the service gets a little longer to respond, as it may have
 * completed the job already.
 */
export async function reportComplete(
  { client, job, report, signal, onCompleting }: RunningAttempt,
  result: Omit<Completion, 'warnings'>,
): Promise<void> {
  const late = new AbortController();
  const onStop = () => {
    void report.close(shutdownReportMs);
    setTimeout(() => late.abort(signal.reason), shutdownReportMs);
  };
  signal.addEventListener('abort', onStop, { once: true });
  await report.close();
  signal.throwIfAborted();
  onCompleting();
  const complete = {
    params: { jobId: job.jobId },
    body: { ...result, warnings: report.allWarnings() },
    signal: late.signal,
  };
  await withRetry(signal, () => client.postRunnerJobComplete(complete));
}

interface LeaseListener {
  /** The service locks the job while it completes it, and answers no heartbeat meanwhile. */
  readonly isCompleting: () => boolean;
  /** The service asks to abort the job. */
  readonly onAbort: () => void;
  /** The lease is lost or about to expire, as the service could not be reached. */
  readonly onLost: () => void;
}

/** A claim includes a lease, and many jobs end before the first heartbeat is due. */
const firstAfterMs = 300;

/** A heartbeat on a dead connection is given up early enough for another before the lease expires. */
const maxHeartbeatMs = heartbeatMs + 3000;

/** A service that completes a job of a million files may take minutes. */
const maxCompletionMs = 600_000;

/** The job is stopped this long before its lease expires, so that it never overlaps with the next attempt. */
const marginMs = 1000;

/** Renews the lease of a job until `signal` aborts. Each heartbeat is a long poll that returns at an abort. */
export async function keepLease(
  client: JobClient,
  jobId: string,
  { signal, isCompleting, onAbort, onLost }: LeaseListener & { signal: AbortSignal },
): Promise<void> {
  let answeredAt = performance.now();
  await sleep(firstAfterMs, undefined, { signal }).catch(() => {});
  while (!signal.aborted) {
    const sentAt = performance.now();
    const silenceMs = isCompleting() ? maxCompletionMs : leaseMs - marginMs;
    const leftMs = Math.floor(answeredAt + silenceMs - sentAt); // AbortSignal.timeout takes whole milliseconds
    if (leftMs <= 0) return onLost();
    try {
      const { abort } = await client.postRunnerJobHeartbeat({
        params: { jobId },
        body: { waitMs: heartbeatMs },
        signal: AbortSignal.any([signal, AbortSignal.timeout(Math.min(maxHeartbeatMs, leftMs))]),
      });
      answeredAt = sentAt;
      if (abort) return onAbort();
    } catch (error) {
      if (signal.aborted) return;
      if (isLeaseLost(error)) return onLost();
    }
    const spentMs = performance.now() - sentAt; // a service that is closing answers at once
    if (spentMs < 500) await sleep(500 - spentMs, undefined, { signal }).catch(() => {});
  }
}

/** The maximum delay of a timer. */
const maxTimerMs = 2 ** 31 - 1;

/** Rejects when the work exceeds its time, even if it ignores its signal. @throws JobFailure `timedOut` */
export async function withTimeout<T>(
  { title, seconds }: { readonly title: string; readonly seconds: number },
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const reason = new JobFailure(timedOut, `${title} exceeded its time limit of ${seconds} seconds.`);
  const end = performance.now() + seconds * 1000;
  let timer: NodeJS.Timeout | undefined;
  const wait = () => {
    const leftMs = end - performance.now();
    if (leftMs <= 0) late.abort(reason);
    else timer = setTimeout(wait, Math.min(leftMs, maxTimerMs));
  };
  wait();
  const { promise: over, reject } = Promise.withResolvers<never>();
  late.signal.addEventListener('abort', () => reject(reason));
  try {
    return await Promise.race([work(AbortSignal.any([signal, late.signal])), over]);
  } catch (error) {
    throw late.signal.aborted ? reason : error; // an aborted request fails with an error of its own
  } finally {
    clearTimeout(timer);
  }
}

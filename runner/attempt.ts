import type { ClaimedJob } from '@platen/contract/runner';
import { findJobSpec } from '@platen/processing/catalog';
import { failureReportOf } from './transient-error.ts';
import { keepLease } from './heartbeat.ts';
import { isLeaseLost, isRejected, withRetry, type JobClient } from './job-client.ts';
import type { Log } from './log.ts';
import { startReport, type Report } from './report.ts';
import { withTimeout } from './timeout.ts';

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
  const lease = keepLease(client, job.jobId, {
    signal: done.signal,
    onAbort: () => stopFor('aborted'),
    onLost: () => stopFor('lost'),
  });
  const report = startReport(client, job.jobId);
  const attempting = { ...attempt, report, signal: stop.signal };
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
    await Promise.all([lease, report.close(), steps.afterwards(attempting, isComplete)]).catch(() => {});
  }
}

function timeoutOf({ jobType, timeoutSeconds }: ClaimedJob): { title: string; seconds: number } {
  const { title = jobType, maxSeconds = timeoutSeconds } = findJobSpec(jobType) ?? {};
  return { title, seconds: Math.min(timeoutSeconds, maxSeconds) };
}

/** Reports the end of the attempt: failed, aborted or released; nothing if the lease is lost. */
async function reportEnd(attempting: RunningAttempt, steps: AttemptSteps, error: unknown): Promise<void> {
  const { client, job, report, log } = attempting;
  const params = { jobId: job.jobId };
  const why = error instanceof JobStopped ? error.reason : undefined;
  if (why === 'lost' || isLeaseLost(error)) return log('warning', 'the lease of a job was lost', params);
  await steps.beforeEnd(attempting, error);
  await report.close();
  const signal = AbortSignal.timeout(10_000);
  if (why === 'shutdown') {
    await withRetry(signal, () => client.postRunnerJobRelease({ params }));
    return;
  }
  const aborted = { code: 'aborted', message: (error as Error).message, isTransient: false };
  const failure = why === 'aborted' ? aborted : failureReportOf(error);
  if (failure.code === 'runnerTrouble')
    log('error', 'a job could not be run', { ...params, error: String(error) });
  const body = { ...failure, message: failure.message.slice(0, 10_000), warnings: report.allWarnings() };
  try {
    await withRetry(signal, () => client.postRunnerJobFail({ params, body }));
  } catch (refusal) {
    if (!isRejected(refusal)) throw refusal;
    // report a minimal failure, so that the job ends
    const minimal = {
      code: 'failed',
      message: 'The job failed. Its error message could not be reported.',
      warnings: [],
    };
    await withRetry(signal, () => client.postRunnerJobFail({ params, body: minimal }));
  }
}

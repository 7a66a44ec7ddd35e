import type { ClaimedJob } from '@platen/contract/runner';
import { findJobSpec } from '@platen/processing/catalog';
import { failureReportOf } from './transient-error.ts';
import { keepLease } from './heartbeat.ts';
import { isLost, isRefused, persistently, type JobClient } from './job-client.ts';
import type { Log } from './log.ts';
import { startReport, type Report } from './report.ts';
import { within } from './within.ts';

/** Why a job is ended from outside. */
export type Stop = 'aborted' | 'lost' | 'shutdown';

export class Stopped extends Error {
  readonly why: Stop;

  constructor(why: Stop) {
    super(`The job was stopped: ${why}.`);
    this.why = why;
  }
}

export interface Attempt {
  readonly client: JobClient;
  readonly job: ClaimedJob;
  readonly log: Log;
  /** Aborts when the runner is shut down. */
  readonly shutdown: AbortSignal;
}

export interface Attempting extends Attempt {
  readonly report: Report;
  /** Aborts when the job has to stop, with a Stopped. */
  readonly signal: AbortSignal;
}

interface Course {
  /** All that the job does, up to telling that it is complete. */
  work(attempting: Attempting): Promise<void>;
  /** Sees to it that nothing of it goes on, and sends what belongs to it, before the service is told of its end. */
  beforeEnd(attempting: Attempting, error: unknown): Promise<void>;
  /** At last, whatever the end was. */
  afterwards(attempting: Attempting): Promise<void>;
}

/** Leads one claimed job to its end, whatever that is; never throws. */
export async function makeAttempt(attempt: Attempt, course: Course): Promise<void> {
  const { client, job, shutdown, log } = attempt;
  const stop = new AbortController();
  const stopFor = (why: Stop) => stop.abort(new Stopped(why));
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
  try {
    await within(timeOf(job), stop.signal, (signal) => course.work({ ...attempting, signal }));
  } catch (error) {
    // whatever a request that was broken off says: it is why it was
    const why: unknown = stop.signal.aborted ? stop.signal.reason : error;
    await end(attempting, course, why).catch((failure: unknown) => {
      log('warning', 'could not tell how a job ended', { jobId: job.jobId, error: String(failure) });
    });
  } finally {
    shutdown.removeEventListener('abort', onShutdown);
    done.abort();
    await Promise.all([lease, report.end(), course.afterwards(attempting)]).catch(() => {});
  }
}

function timeOf({ jobType, timeoutSeconds }: ClaimedJob): { title: string; seconds: number } {
  const { title = jobType, longestSeconds = timeoutSeconds } = findJobSpec(jobType) ?? {};
  return { title, seconds: Math.min(timeoutSeconds, longestSeconds) };
}

/** Tells the service how it ended: failed, aborted as asked, given back; or nothing, when the job is another's by now. */
async function end(attempting: Attempting, course: Course, error: unknown): Promise<void> {
  const { client, job, report, log } = attempting;
  const params = { jobId: job.jobId };
  const why = error instanceof Stopped ? error.why : undefined;
  if (why === 'lost' || isLost(error)) return log('warning', 'a job was lost', params);
  await course.beforeEnd(attempting, error);
  await report.end();
  const signal = AbortSignal.timeout(10_000);
  if (why === 'shutdown') {
    await persistently(signal, () => client.postRunnerJobRelease({ params }));
    return;
  }
  const aborted = { code: 'aborted', message: (error as Error).message, isTransient: false };
  const trouble = why === 'aborted' ? aborted : failureReportOf(error);
  if (trouble.code === 'runnerTrouble')
    log('error', 'a job could not be run', { ...params, error: String(error) });
  const body = { ...trouble, message: trouble.message.slice(0, 10_000), warnings: report.allWarnings() };
  try {
    await persistently(signal, () => client.postRunnerJobFail({ params, body }));
  } catch (refusal) {
    if (!isRefused(refusal)) throw refusal;
    // the job must end all the same, with less to tell
    const least = { code: 'failed', message: 'The job failed, but how cannot be told.', warnings: [] };
    await persistently(signal, () => client.postRunnerJobFail({ params, body: least }));
  }
}

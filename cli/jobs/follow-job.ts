import { hasEnded, type Job } from '@platen/contract/jobs';
import { CommandFailure, exitCodes } from '../failures.ts';
import type { ApiClient } from '../session.ts';
import type { Terminal } from '../terminal.ts';
import { JobReport } from './job-report.ts';

export interface FollowedJob {
  readonly projectId: string;
  readonly jobId: string;
}

/** Shows what happens to a job until it has ended; Ctrl-C ends that, not the job. @returns the exit code */
export async function followJob(api: ApiClient, path: FollowedJob, terminal: Terminal): Promise<number> {
  const report = new JobReport(terminal);
  const job = await events(api, path, terminal, async (event, data, job) => {
    terminal.json({ event, data });
    // events do not say what a queued job waits for
    const isWaiting = event !== 'log' && job.state === 'queued' && !terminal.isJson;
    report.add(event, data, isWaiting ? await api.getProjectJob({ params: { ...path } }) : job);
  });
  return outcomeOf(job, terminal);
}

/** Waits for the end of a job. With `--json`, the job is written then. @returns the exit code */
export async function waitForJob(api: ApiClient, path: FollowedJob, terminal: Terminal): Promise<number> {
  const job = await events(api, path, terminal, async () => {});
  terminal.json(job);
  return outcomeOf(job, terminal);
}

type Listener = (event: string, data: unknown, job: Job) => Promise<void>;

async function events(
  api: ApiClient,
  params: FollowedJob,
  { signal }: Terminal,
  listener: Listener,
): Promise<Job> {
  let job = {} as Job;
  try {
    for await (const { event, data } of api.getProjectJobEvents({ params: { ...params }, signal })) {
      if (event === 'job') job = data;
      if (event === 'change') job = changed(job, data);
      await listener(event, data, job);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    const { jobId, projectId } = params;
    throw new CommandFailure(
      'interrupted',
      `The job continues. To follow it again: platen job follow ${jobId} --project ${projectId}`,
    );
  }
  return job;
}

/** A change names the fields that differ; null removes one. */
function changed(job: Job, change: object): Job {
  const entries = Object.entries({ ...job, ...change }).filter(([, value]) => value !== null);
  return Object.fromEntries(entries) as unknown as Job;
}

const outcomes = { failed: 'failed', aborted: 'was cancelled', timedOut: 'exceeded its time limit' } as const;

function outcomeOf({ _id, state, errorCode, errorMessage, ...job }: Job, terminal: Terminal): number {
  if (!hasEnded(state)) throw new CommandFailure('failed', `The events of job ${_id} ended before the job.`);
  if (state !== 'succeeded') {
    const reason = errorMessage === undefined ? '' : `: ${errorMessage}`;
    const code = errorCode === undefined ? '' : ` (${errorCode})`;
    throw new CommandFailure('failed', `Job ${_id} ${outcomes[state]}${reason}${code}`);
  }
  terminal.line(`Job ${_id} succeeded${durationOf(job)}.`);
  const { datasourceIds, dataBucketKey } = job.outputs;
  for (const id of datasourceIds) terminal.line(`Datasource ${id}`);
  if (datasourceIds.length === 0 && dataBucketKey !== undefined) terminal.line(`Files ${dataBucketKey}`);
  return exitCodes.ok;
}

function durationOf({ startTime, endTime }: Pick<Job, 'startTime' | 'endTime'>): string {
  if (startTime === undefined || endTime === undefined) return '';
  const seconds = (Date.parse(endTime) - Date.parse(startTime)) / 1000;
  return ` in ${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
}

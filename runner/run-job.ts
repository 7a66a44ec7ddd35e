import { RequestFailed } from '@platen/client/client';
import type { ClaimedJob } from '@platen/contract/runner';
import { findJobSpec } from '@platen/processing/catalog';
import type { JobResult } from '@platen/processing/job-type';
import { keepLease } from './heartbeat.ts';
import { isLost, isRefused, persistently, type JobClient } from './job-client.ts';
import type { Log } from './log.ts';
import type { ChildMessage } from './messages.ts';
import { JobFailed, type ProcessOfJob } from './process-of-job.ts';
import { startReport, type Report } from './report.ts';
import { stage } from './stage.ts';
import { upload } from './upload.ts';

/** Why a job is ended from outside. */
type Stop = 'aborted' | 'lost' | 'shutdown';

class Stopped extends Error {
  readonly why: Stop;

  constructor(why: Stop) {
    super(`The job was stopped: ${why}.`);
    this.why = why;
  }
}

interface Run {
  readonly client: JobClient;
  readonly job: ClaimedJob;
  readonly child: ProcessOfJob;
  readonly runnerName: string;
  readonly log: Log;
  /** Aborts when the runner is shut down. */
  readonly shutdown: AbortSignal;
  /** Called when the process has begun with the job. */
  readonly onStarted: () => void;
}

/** Runs one claimed job to its end, whatever that is; never throws. */
export async function runJob(run: Run): Promise<void> {
  const { client, job, child, shutdown, log } = run;
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
  const context = { ...run, report, signal: stop.signal };
  try {
    await finish(context, await process(context));
  } catch (error) {
    await end(context, error).catch((failure: unknown) => {
      log('warning', 'could not tell how a job ended', { jobId: job.jobId, error: String(failure) });
    });
  } finally {
    shutdown.removeEventListener('abort', onShutdown);
    done.abort();
    await Promise.all([lease, report.end(), child.end({ keepFolders: job.debugLevel === 2 })]).catch(
      () => {},
    );
  }
}

interface Running extends Run {
  readonly report: Report;
  readonly signal: AbortSignal;
}

async function process({ client, job, child, report, signal, log, ...run }: Running): Promise<JobResult> {
  const spec = findJobSpec(job.jobType);
  if (!spec) throw new JobFailed('unknownJobType', `This runner does not know the job type ${job.jobType}.`);
  const { inputs: folder, output: outputFolder, scratch: scratchFolder } = child.folders;
  const inputs = await stage(client, job, { folder, signal });
  const start = {
    name: spec.name,
    options: job.options,
    inputs,
    outputFolder,
    scratchFolder,
    isVerbose: job.debugLevel > 0,
  };
  const hear = (message: ChildMessage) => {
    if (message.type === 'started') {
      const text = `Attempt ${job.attempt} runs on ${run.runnerName}.`;
      report.log({ at: new Date().toISOString(), level: 'info', message: text });
      run.onStarted();
    }
    if (message.type === 'log') {
      const { type: _type, ...entry } = message;
      report.log(entry);
    }
    if ('warnings' in message) report.warnings(message.warnings);
    if (message.type === 'progress' && message.progress) report.progress(message.progress);
    if (message.type === 'failed' && message.stack !== undefined)
      log('error', 'a job type failed unexpectedly', { jobId: job.jobId, stack: message.stack });
  };
  return child.run(start, hear, signal);
}

async function finish({ client, job, child, report, signal }: Running, result: JobResult): Promise<void> {
  const { jobId } = job;
  const progress = (done: number, total: number) => report.progress({ phase: 'upload', done, total });
  await upload(client, { jobId, folder: child.folders.output, signal, progress });
  await report.end();
  const body = { ...completionOf(result), warnings: report.allWarnings() };
  await persistently(signal, () => client.postRunnerJobComplete({ params: { jobId }, body }));
}

function completionOf({ datasource, report }: JobResult) {
  const found = report && { report };
  if (!datasource) return { ...found };
  const { type, path, bbox, typeProperties, properties } = datasource;
  return {
    ...found,
    datasource: { type, path, ...(bbox && { bbox: [...bbox] }), typeProperties, properties },
  };
}

/** Tells the service how it ended: failed, aborted as asked, given back; or nothing, when the job is another's by now. */
async function end({ client, job, child, report, log }: Running, error: unknown): Promise<void> {
  const params = { jobId: job.jobId };
  const why = error instanceof Stopped ? error.why : undefined;
  if (why === 'lost' || isLost(error)) return log('warning', 'a job was lost', params);
  await child.end({ keepFolders: job.debugLevel === 2 }); // whatever is told, nothing of it goes on
  await report.end();
  const signal = AbortSignal.timeout(10_000);
  const isOurs = !(error instanceof JobFailed || error instanceof RequestFailed || why === 'aborted');
  if (isOurs) {
    if (why === undefined) log('error', 'a job is given back', { ...params, error: String(error) });
    await persistently(signal, () => client.postRunnerJobRelease({ params }));
    return;
  }
  const { message } = error as Error;
  const code = error instanceof JobFailed ? error.code : 'cannotTransfer';
  const body = { code: why ?? code, message: message.slice(0, 10_000), warnings: report.allWarnings() };
  try {
    await persistently(signal, () => client.postRunnerJobFail({ params, body }));
  } catch (refusal) {
    if (!isRefused(refusal)) throw refusal;
    // the job must end all the same, with less to tell
    const least = { code: 'failed', message: 'The job failed, but how cannot be told.', warnings: [] };
    await persistently(signal, () => client.postRunnerJobFail({ params, body: least }));
  }
}

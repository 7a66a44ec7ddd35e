import type { JobProgress } from '@platen/contract/jobs';
import { timedOut, type ClaimedJob } from '@platen/contract/runner';
import { findJobSpec } from '@platen/processing/catalog';
import { JobFailure, type JobResult, type JobSpec } from '@platen/processing/job-type';
import { answerChild } from './answer-child.ts';
import { makeAttempt, Stopped, type Attempt, type Attempting } from './attempt.ts';
import { persistently } from './job-client.ts';
import type { ChildMessage } from './messages.ts';
import type { ProcessOfJob } from './process-of-job.ts';
import { openInputs, placesOf } from './pieces.ts';
import type { Told } from './phases.ts';
import { goOn } from './scratch/go-on.ts';
import { sendScratch } from './scratch/send-scratch.ts';
import { makeRoom } from './scratch/sweep-scratch.ts';
import { keepRejects, readRejects } from './rejects/send-rejects.ts';
import { stage } from './stage.ts';
import { upload } from './upload.ts';
import type { EgressPolicy } from '@platen/egress/policy';

/** The debug level of a job whose scratch folder is wanted, too. */
const keepsAll = 2;
/** An aborted or overdue job has this long to end by itself; then its process is killed. */
const graceMs = 2000;
/** Who aborts a job wants it gone. */
const rejectsOfAbortedMs = 500;

interface Run extends Attempt {
  readonly child: ProcessOfJob;
  readonly runnerName: string;
  readonly egressPolicy: EgressPolicy;
  /** The runner shares the disk of the service. */
  readonly isEmbedded: boolean;
  /** Where the runners of this machine have their folders. */
  readonly root: string;
  /** Which service it is, for those folders. */
  readonly service: string;
  /** Called when the process has begun with the job. */
  readonly onStarted: () => void;
}

/** Runs one claimed job to its end, whatever that is; never throws. */
export async function runJob(run: Run): Promise<void> {
  await makeAttempt(run, {
    async work(attempting) {
      const running = { ...run, ...attempting };
      await finish(running, await process(running));
    },
    beforeEnd: (attempting, error) => putAway({ ...run, ...attempting }, error),
    afterwards: (attempting) => run.child.end(foldersAfter(attempting)),
  });
}

/** The next attempt can go on where this one was ended, if its job type does so; what has failed begins anew. */
function foldersAfter({ job, signal }: Pick<Attempting, 'job' | 'signal'>): 'removed' | 'left' {
  const why = signal.reason instanceof Stopped ? signal.reason.why : undefined;
  const resumes = findJobSpec(job.jobType)?.resumes === true;
  return resumes && (why === 'shutdown' || why === 'lost') ? 'left' : 'removed';
}

type Running = Run & Attempting;

async function process({
  client,
  job,
  child,
  report,
  signal,
  log,
  egressPolicy,
  isEmbedded,
  ...run
}: Running): Promise<JobResult> {
  const spec = findJobSpec(job.jobType);
  if (!spec) throw new JobFailure('unknownJobType', `This runner does not know the job type ${job.jobType}.`);
  const { inputs: folder, output: outputFolder, scratch: scratchFolder } = child.folders;
  const inPieces = spec.reads === 'pieces';
  const pieces = openInputs(client, job, { folder, isEmbedded, signal });
  const onProgress = (phase: 'stage' | 'fetch', done: number, total: number) =>
    report.progress({ phase, done, total, unit: 'bytes' });
  await makeRoom(run.root);
  const staged = inPieces
    ? { inputs: placesOf(job, folder), contents: [] }
    : await stage(client, job, { folder, isEmbedded, egressPolicy, signal, onProgress });
  const { inputs } = staged;
  const { root, service } = run;
  const { folders, pid } = child;
  const former = spec.resumes && (await goOn({ root, service, job, spec, staged, folders, pid, signal }));
  const start = {
    name: spec.name,
    options: job.options,
    inputs,
    outputFolder,
    scratchFolder,
    inPieces,
    isVerbose: job.debugLevel > 0,
    keepsScratch: job.debugLevel === keepsAll,
  };
  const hear = (message: ChildMessage) => {
    if (message.type === 'started') {
      const goesOn = former ? ` It goes on with what attempt ${former} has left.` : '';
      const text = `Attempt ${job.attempt} runs on ${run.runnerName}.${goesOn}`;
      report.log({ at: new Date().toISOString(), level: 'info', message: text });
      run.onStarted();
    }
    if (message.type === 'bring' || message.type === 'list')
      void answerChild(message, pieces, log).then(child.answer);
    if (message.type === 'log') {
      const { type: _type, ...entry } = message;
      report.log(entry);
    }
    if ('warnings' in message && message.warnings) report.warnings(message.warnings);
    if (message.type === 'progress' && message.progress) report.progress(toldOf(spec, message.progress));
    if (message.type === 'failed' && message.stack !== undefined)
      log('error', 'a job type failed unexpectedly', { jobId: job.jobId, stack: message.stack });
  };
  return child.run(start, hear, signal);
}

function toldOf({ phases, foretells }: JobSpec, progress: JobProgress): Told {
  const unit = phases?.[progress.phase];
  return { ...progress, ...(unit !== undefined && { unit }), isForetold: foretells === true };
}

async function finish({ client, job, child, report, signal }: Running, result: JobResult): Promise<void> {
  const { jobId } = job;
  const progress = (done: number, total: number) =>
    report.progress({ phase: 'upload', done, total, unit: 'bytes' });
  await upload(client, { jobId, folder: child.folders.output, signal, progress });
  await keepRejects(await readRejects(child.folders.scratch), { client, jobId, report, signal });
  await keepScratch({ client, job, child, report, signal });
  await report.end();
  const body = { ...completionOf(result), warnings: report.allWarnings() };
  await persistently(signal, () => client.postRunnerJobComplete({ params: { jobId }, body }));
}

function completionOf({ datasource, report, samples }: JobResult) {
  const found = {
    ...(report && { report }),
    ...(samples && {
      samples: samples.map(({ features, ...sample }) => ({ ...sample, features: [...features] })),
    }),
  };
  if (!datasource) return { ...found };
  const { type, path, bbox, typeProperties, properties } = datasource;
  return {
    ...found,
    datasource: { type, path, ...(bbox && { bbox: [...bbox] }), typeProperties, properties },
  };
}

type Keeping = Pick<Running, 'client' | 'job' | 'child' | 'report' | 'signal'>;

/** Of what took too long the service hears no more ten seconds after its time is over. */
const isLate = (error: unknown) => error instanceof JobFailure && error.code === timedOut;
const scratchMs = { usually: 120_000, late: 5_000 };

/** For whoever wants to look into it. What was aborted is gone at once, and what was given back is needed. */
async function keepScratch(
  { client, job, child, report, signal }: Keeping,
  { isLate: late = false } = {},
): Promise<void> {
  if (job.debugLevel !== keepsAll) return;
  await child.stop(); // nothing changes while it is packed
  const longestMs = late ? scratchMs.late : scratchMs.usually;
  await sendScratch(child.folders.scratch, { client, jobId: job.jobId, report, signal, longestMs });
}

/**
 * Whether the job may clean up before its process ends. Not once the lease is lost, as the next attempt may begin, and not at
 * a shutdown if the type resumes, as it would remove what the next attempt resumes with.
 */
function isAskedToStop(error: unknown, { jobType }: ClaimedJob): boolean {
  if (error instanceof Stopped) {
    const resumes = findJobSpec(jobType)?.resumes === true;
    return error.why === 'aborted' || (error.why === 'shutdown' && !resumes);
  }
  return isLate(error);
}

/** Ends the process, keeps what it has set aside, and removes its folders or leaves them to the next attempt. */
async function putAway(
  { client, job, child, report, signal: stopped }: Running,
  error: unknown,
): Promise<void> {
  const why = error instanceof Stopped ? error.why : undefined;
  await child.stop(isAskedToStop(error, job) ? { graceMs } : {});
  const rejects = await readRejects(child.folders.scratch);
  const brief = why === 'aborted' && { signal: AbortSignal.timeout(rejectsOfAbortedMs) };
  if (why !== 'shutdown') await keepRejects(rejects, { client, jobId: job.jobId, report, ...brief });
  if (why === undefined)
    await keepScratch({ client, job, child, report, signal: stopped }, { isLate: isLate(error) });
  await child.end(foldersAfter({ job, signal: stopped }));
}

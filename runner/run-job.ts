import type { JobProgress } from '@platen/contract/jobs';
import { timedOut } from '@platen/contract/job-end';
import type { ClaimedJob } from '@platen/contract/runner';
import { findJobSpec } from '@platen/processing/catalog';
import { estimateTimeLeft, hasShares } from '@platen/processing/phases';
import { JobFailure, type JobResult, type JobSpec } from '@platen/processing/job-type';
import { reportComplete, runAttempt, JobStopped, type Attempt, type RunningAttempt } from './attempt.ts';
import type { ChildMessage } from './messages.ts';
import type { JobProcess } from './job-process.ts';
import { answerChild, openInputs } from './fetch-ranges.ts';
import type { PhaseProgress } from './phases.ts';
import { resume } from './scratch/resume.ts';
import { sendScratch } from './scratch/send-scratch.ts';
import { freeDiskSpace } from './scratch/sweep-scratch.ts';
import { uploadRejects, readRejects } from './rejects/send-rejects.ts';
import { allInputsOf, prepareFormer, prepareInputs } from './prepare-inputs.ts';
import { upload } from './upload.ts';
import type { EgressPolicy } from '@platen/egress/policy';

/** The debug level at which the scratch folder is kept with the job. */
const keepsScratchLevel = 2;
/** An aborted or overdue job has this long to end by itself; then its process is killed. */
const graceMs = 2000;
/** An aborted job should end quickly, so its rejects get little time. */
const abortedRejectsMs = 500;

interface JobRun extends Attempt {
  readonly child: JobProcess;
  readonly runnerName: string;
  readonly egressPolicy: EgressPolicy;
  /** True if the runner shares the disk of the service. */
  readonly isEmbedded: boolean;
  /** The scratch folder of all runners of this machine. */
  readonly root: string;
  /** Identifies the service in lease files. */
  readonly service: string;
  /** Called when the process has started the job. */
  readonly onStarted: () => void;
}

/** Runs one claimed job and reports how it ended; never throws. */
export async function runJob(run: JobRun): Promise<void> {
  await runAttempt(run, {
    async work(attempting) {
      const running = { ...run, ...attempting };
      await complete(running, await runInProcess(running));
    },
    beforeEnd: (attempting, error) => cleanUp({ ...run, ...attempting }, error),
    afterwards: (attempting, isComplete) => run.child.end(isComplete ? 'removed' : foldersAfter(attempting)),
  });
}

/** The scratch folder is kept if the next attempt can resume with it; a failed attempt restarts. */
function foldersAfter({ job, signal }: Pick<RunningAttempt, 'job' | 'signal'>): 'removed' | 'left' {
  const why = signal.reason instanceof JobStopped ? signal.reason.reason : undefined;
  const resumes = findJobSpec(job.jobType)?.resumes === true;
  return resumes && (why === 'shutdown' || why === 'lost') ? 'left' : 'removed';
}

type RunningJob = JobRun & RunningAttempt;

/** What the process of a job has made, or that nothing has changed. */
interface RunResult extends JobResult {
  readonly fingerprint?: string | undefined;
  readonly recipe?: string | undefined;
  readonly isUnchanged?: true;
}

async function runInProcess({
  client,
  job,
  child,
  report,
  signal,
  log,
  egressPolicy,
  isEmbedded,
  ...run
}: RunningJob): Promise<RunResult> {
  const spec = findJobSpec(job.jobType);
  if (!spec) throw new JobFailure('unknownJobType', `This runner does not know the job type ${job.jobType}.`);
  const { inputs: folder, output: outputFolder, scratch: scratchFolder } = child.folders;
  const inputGroup = child.folders.user?.inputGroup;
  const readsRanges = spec.reads === 'ranges';
  const maxBytes = spec.maxReadBytes;
  const all = { ...job, inputs: allInputsOf(job) };
  const inputRanges = openInputs(client, all, { folder, isEmbedded, inputGroup, maxBytes, signal });
  const onProgress = (phase: 'stage' | 'fetch', done: number, total: number) =>
    report.progress({ phase, done, total, unit: 'bytes' });
  await freeDiskSpace(run.root);
  const staging = { folder, isEmbedded, inputGroup, egressPolicy, signal, onProgress };
  const { inputs, recipe, fingerprint } = await prepareInputs(client, job, spec, staging);
  if (fingerprint !== undefined && fingerprint === job.former?.fingerprint) {
    report.log(
      logEntry('The datasource keeps its data: it was made of the same inputs with the same options.'),
    );
    return { isUnchanged: true, fingerprint };
  }
  const former = await prepareFormer(client, job, spec, { ...staging, recipe });
  if (job.former?.recipe !== undefined && job.former.recipe !== recipe)
    report.log(
      logEntry(
        'Everything is made again: an option, the version of the job type or that of Node has changed.',
      ),
    );
  const { root, service } = run;
  const { folders, pid } = child;
  const resumedAttempt =
    spec.resumes && fingerprint !== undefined
      ? await resume({ root, service, job, fingerprint, folders, pid })
      : undefined;
  const start = {
    name: spec.name,
    options: job.options,
    inputs,
    former,
    outputFolder,
    scratchFolder,
    readsRanges,
    isVerbose: job.debugLevel > 0,
    keepsScratch: job.debugLevel === keepsScratchLevel,
  };
  const inSpec = trackJob(spec);
  const onMessage = (message: ChildMessage) => {
    if (message.type === 'started') {
      const resumed = resumedAttempt ? ` It resumes attempt ${resumedAttempt}.` : '';
      const text = `Attempt ${job.attempt} runs on ${run.runnerName}.${resumed}`;
      report.log(logEntry(text));
      run.onStarted();
    }
    if (message.type === 'bring' || message.type === 'list')
      void answerChild(message, inputRanges, log).then(child.answer);
    if (message.type === 'log') {
      const { type: _type, ...entry } = message;
      report.log(entry);
    }
    if ('warnings' in message && message.warnings) report.warnings(message.warnings);
    if (message.type === 'progress' && message.progress) report.progress(inSpec(message.progress));
    if (message.type === 'failed' && message.stack !== undefined)
      log('error', 'a job type failed unexpectedly', { jobId: job.jobId, stack: message.stack });
  };
  const { isUnchanged: _ours, ...result }: RunResult = await child.run(start, onMessage, signal);
  return { ...result, fingerprint, recipe };
}

const logEntry = (message: string) => ({ at: new Date().toISOString(), level: 'info', message }) as const;

/** Adds the unit of the phase and, where the shares of phases are known, the time left of the whole job. */
function trackJob({ phases = {} }: JobSpec): (progress: JobProgress) => PhaseProgress {
  const estimate = estimateTimeLeft(phases, () => performance.now());
  return (progress) => {
    const { phase, done, total } = progress;
    const unit = Object.hasOwn(phases, phase) ? phases[phase]!.unit : undefined;
    const secondsLeft = progress.secondsLeft ?? estimate(phase, done, total);
    return {
      ...progress,
      ...(unit !== undefined && { unit }),
      ...(secondsLeft !== undefined && { secondsLeft }),
      hasTotalEstimate: hasShares(phases),
    };
  };
}

async function complete(running: RunningJob, result: RunResult): Promise<void> {
  const { client, job, child, report, signal } = running;
  const { jobId } = job;
  const progress = (done: number, total: number) =>
    report.progress({ phase: 'upload', done, total, unit: 'bytes' });
  await child.stop(); // from here on nothing changes its files
  await upload(client, { jobId, folder: child.folders.output, signal, progress });
  await uploadRejects(await readRejects(child.folders.scratch), { client, jobId, report, signal });
  await uploadScratch({ client, job, child, report, signal });
  await reportComplete(running, completionOf(result));
}

function completionOf(completion: RunResult) {
  const { datasource, furtherDatasources, manifest, report, samples, fingerprint, recipe, isUnchanged } =
    completion;
  return {
    ...(fingerprint !== undefined && { fingerprint }),
    ...(isUnchanged && { isUnchanged }),
    ...(report && { report }),
    ...(samples && {
      samples: samples.map(({ layer, isWhole, features }) => ({ layer, isWhole, features: [...features] })),
    }),
    ...(datasource && { datasource }),
    ...(furtherDatasources && { furtherDatasources: [...furtherDatasources] }),
    ...(manifest !== undefined && recipe !== undefined && { manifest: { path: manifest, recipe } }),
  };
}

type ScratchOptions = Pick<RunningJob, 'client' | 'job' | 'child' | 'report' | 'signal'>;

/** The service rejects reports later than 10 s after the timeout. */
const isLate = (error: unknown) => error instanceof JobFailure && error.code === timedOut;
const scratchTimeoutMs = { usually: 120_000, late: 5_000 };

/** Uploads the scratch folder for debugging, unless the job was aborted, or released and needs it. */
async function uploadScratch(
  { client, job, child, report, signal }: ScratchOptions,
  { isLate: late = false } = {},
): Promise<void> {
  if (job.debugLevel !== keepsScratchLevel) return;
  await child.stop(); // nothing changes while it is packed
  const timeoutMs = late ? scratchTimeoutMs.late : scratchTimeoutMs.usually;
  await sendScratch(child.folders.scratch, { client, jobId: job.jobId, report, signal, timeoutMs });
}

/**
 * Whether the job may clean up before its process ends. Not once the lease is lost, as the next attempt may begin, and not at
 * a shutdown if the type resumes, as it would remove what the next attempt resumes with.
 */
function isAskedToStop(error: unknown, { jobType }: ClaimedJob): boolean {
  if (error instanceof JobStopped) {
    const resumes = findJobSpec(jobType)?.resumes === true;
    return error.reason === 'aborted' || (error.reason === 'shutdown' && !resumes);
  }
  return isLate(error);
}

/** Ends the process, uploads its rejects, and removes its folders or keeps them for the next attempt. */
async function cleanUp(
  { client, job, child, report, signal: stopped }: RunningJob,
  error: unknown,
): Promise<void> {
  const why = error instanceof JobStopped ? error.reason : undefined;
  await child.stop(isAskedToStop(error, job) ? { graceMs } : {});
  const rejects = await readRejects(child.folders.scratch);
  const brief = why === 'aborted' && { signal: AbortSignal.timeout(abortedRejectsMs) };
  if (why !== 'shutdown') await uploadRejects(rejects, { client, jobId: job.jobId, report, ...brief });
  if (why === undefined)
    await uploadScratch({ client, job, child, report, signal: stopped }, { isLate: isLate(error) });
  await child.end(foldersAfter({ job, signal: stopped }));
}

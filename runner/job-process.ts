import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { JobFailure, type JobLimits, type JobResult } from '@platen/processing/job-type';
import { outOfMemory, watchLimits, type ExceededLimit } from './limits/watch-limits.ts';
import type { AbortMessage, AnswerMessage, ChildMessage, StartMessage } from './messages.ts';
import type { JobCode } from './job-code/job-code.ts';
import { originalStack } from './job-code/original-stack.ts';
import { keepFolder, removeFolder, writeLeaseFile } from './scratch/scratch-folders.ts';
import { processIdentity } from './scratch/process-identity.ts';
import { confinementOf, type JobConfinement } from './job-confinement.ts';
import { makeJobFolders, type JobFolders } from './job-folders.ts';
import { killJob, spawnJob } from './spawn-job.ts';

/** The process ended before the job started, so the job can start in another one. */
export class NotStarted extends Error {}

/** A process that runs one job, with folders of its own. */
export interface JobProcess {
  readonly folders: JobFolders;
  readonly pid: number | undefined;
  readonly isAlive: () => boolean;
  /** Resolves when the process can start a job; rejects with its error output if it ends instead. */
  readonly ready: Promise<void>;
  /**
   * Runs the job; messages of the process go to `onMessage`.
   * @throws JobFailure if the job fails or the process ends, NotStarted if it ends before the job has started, the signal's reason if that aborts
   */
  run(
    start: Omit<StartMessage, 'limits' | 'geoidFolder'>,
    onMessage: (message: ChildMessage) => void,
    signal: AbortSignal,
  ): Promise<JobResult>;
  /** Sends the answer to a question of the process. */
  readonly answer: (message: AnswerMessage) => void;
  /**
   * Ends the process if it still runs. With a grace period, a running job is asked to stop first, by its AbortSignal, and the
   * process is killed once the job has ended or the period is over.
   */
  stop(options?: { readonly graceMs?: number }): Promise<void>;
  /** Stops the process and removes its folders, or keeps its scratch folder for the next attempt. */
  end(folders?: 'removed' | 'left'): Promise<void>;
}

interface Options extends JobLimits {
  readonly scratchFolder: string;
  /** Another program than `child.ts`; for tests. */
  readonly program?: string;
  readonly jobCode?: JobCode;
  /** By default all that this machine allows. */
  readonly confinement?: JobConfinement;
  /** The folder of PLATEN_GEOIDS, which the job may read. */
  readonly geoidFolder?: string | undefined;
  /** The job types that will probably run next. */
  readonly likely?: readonly string[];
}

const maxErrorText = 4000;

/** Only these, as callers pass all that they know, and the job gets the limits: a runner's token is not for jobs. */
function limitsOf({ memoryMegabytes, cpuSeconds, scratchMegabytes }: JobLimits): JobLimits {
  return {
    memoryMegabytes,
    ...(cpuSeconds !== undefined && { cpuSeconds }),
    ...(scratchMegabytes !== undefined && { scratchMegabytes }),
  };
}

export async function startJobProcess({
  scratchFolder,
  program,
  jobCode = () => undefined,
  likely = [],
  confinement: chosen,
  geoidFolder,
  ...options
}: Options): Promise<JobProcess> {
  const limits = limitsOf(options);
  const confinement = chosen ?? (await confinementOf(scratchFolder));
  const folders = await makeJobFolders(scratchFolder, confinement.newUser());
  const { own: folder } = folders;
  const runner = await processIdentity(process.pid);
  if (runner) await writeLeaseFile(folder, { runner });
  const { memoryMegabytes } = limits;
  const code = jobCode();
  const child = spawnJob({
    folders,
    confinement,
    memoryMegabytes,
    program,
    jobCode: code,
    geoidFolder,
    likely,
  });
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  ended.catch(() => {});
  let errorText = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    errorText = (errorText + text).slice(-maxErrorText);
  });
  const ready = Promise.race([
    once(child, 'message').then(() => {}), // the first message says that it is ready
    ended.then(() => {
      throw new NotStarted(`The process of a job ended before it was ready: ${errorText.trim()}`);
    }),
  ]);
  ready.catch(() => {});
  const watch = watchLimits({ pid: child.pid ?? 0, folders, limits, kill: () => killJob(child) });
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  let jobEnded: Promise<void> | undefined; // undefined: no job is running
  const stop = async ({ graceMs = 0 } = {}) => {
    if (isAlive() && jobEnded && graceMs > 0) {
      child.send({ type: 'abort' } satisfies AbortMessage, () => {});
      const timer = new AbortController();
      await Promise.race([jobEnded, ended, sleep(graceMs, undefined, { signal: timer.signal })]);
      timer.abort();
    }
    watch.stop();
    if (!isAlive()) return;
    killJob(child);
    await ended;
  };
  return {
    folders,
    pid: child.pid,
    isAlive,
    ready,
    async run(start, onMessage, signal) {
      const receive = (message: ChildMessage) => onMessage(withOriginalStack(message, code));
      const why = () => exitFailure(child, { errorText, exceeded: watch.exceeded(), limits });
      const result = resultOf(child, receive, signal, why);
      await Promise.race([ready.catch(() => {}), result]);
      watch.begin();
      if (isAlive() && !signal.aborted) {
        jobEnded = endOfJob(child).finally(() => (jobEnded = undefined));
        child.send({ ...start, limits, geoidFolder }, () => {}); // if it has just died, `result` rejects
      }
      return result;
    },
    answer(message) {
      if (isAlive()) child.send(message, () => {});
    },
    stop,
    async end(ends = 'removed') {
      await stop();
      await (ends === 'left' ? keepFolder : removeFolder)(scratchFolder, folder);
    },
  };
}

function withOriginalStack(message: ChildMessage, jobCode: string | undefined): ChildMessage {
  if (message.type !== 'failed' || typeof message.stack !== 'string' || jobCode === undefined) return message;
  return { ...message, stack: originalStack(message.stack, jobCode) };
}

/** Resolves when the process reports that its job has ended, well or not. */
function endOfJob(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    const onMessage = (value: unknown) => {
      const { type } = value as ChildMessage;
      if (type !== 'result' && type !== 'failed') return;
      child.off('message', onMessage);
      resolve();
    };
    child.on('message', onMessage);
  });
}

function resultOf(
  child: ChildProcess,
  onMessage: (message: ChildMessage) => void,
  signal: AbortSignal,
  why: () => JobFailure,
): Promise<JobResult> {
  return new Promise((settle, refuse) => {
    let hasBegun = false;
    const onGone = () =>
      refuse(hasBegun ? why() : new NotStarted('The process of the job ended before the job started.'));
    const abort = () => refuse(signal.reason as Error);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    child.on('message', (value) => {
      const message = value as ChildMessage;
      if (message.type === 'started') hasBegun = true;
      onMessage(message);
      if (message.type === 'result') settle(message.result);
      if (message.type === 'failed') refuse(new JobFailure(message.code, message.message));
    });
    if (child.exitCode !== null || child.signalCode !== null) return onGone();
    child.once('close', onGone);
    child.once('error', onGone);
  });
}

interface ExitDetails {
  readonly errorText: string;
  readonly exceeded: ExceededLimit | undefined;
  readonly limits: JobLimits;
}

function exitFailure(
  { exitCode, signalCode }: ChildProcess,
  { errorText, exceeded, limits }: ExitDetails,
): JobFailure {
  const isOfHeap = /heap out of memory|allocation failed/i.test(errorText);
  const limit = exceeded ?? (isOfHeap ? outOfMemory(limits) : undefined);
  if (limit) return new JobFailure(limit.code, limit.message);
  const how = signalCode ? `by the signal ${signalCode}` : `with the code ${exitCode}`;
  return new JobFailure('crashed', `The process of the job ended unexpectedly ${how}.`);
}

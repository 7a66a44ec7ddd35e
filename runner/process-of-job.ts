import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { JobResult } from '@platen/processing/job-type';
import type { ChildMessage, StartMessage } from './messages.ts';

/** A job that failed, with words for the person who started it. */
export class JobFailed extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** The process ended before it had begun with the job: the job is not to blame, and can begin in another. */
export class NotBegun extends Error {}

export interface JobFolders {
  readonly inputs: string;
  readonly output: string;
  readonly scratch: string;
}

/** A process that waits for a job, with folders of its own. */
export interface ProcessOfJob {
  readonly folders: JobFolders;
  readonly isAlive: () => boolean;
  /** Resolves when the process can begin; rejects, with what it said, when it ends instead. */
  readonly ready: Promise<void>;
  /**
   * Runs the job; what it tells meanwhile goes to `hear`.
   * @throws JobFailed also when the process ends by itself; NotBegun when it does so before it has begun; the signal's
   * reason when that aborts
   */
  run(start: StartMessage, hear: (message: ChildMessage) => void, signal: AbortSignal): Promise<JobResult>;
  /** Ends the process if it still runs, and removes its folders. */
  end(options?: { keepFolders: boolean }): Promise<void>;
}

interface Limits {
  readonly scratchFolder: string;
  readonly memoryMegabytes: number;
  /** Another than that of jobs; for tests. */
  readonly program?: string;
}

const root = resolve(import.meta.dirname, '..');
/** The code that a job needs; nothing else of the installation, and so no data folder in it, can be read. */
const code = ['package.json', 'node_modules', 'contract', 'geo', 'formats', 'processing', 'runner'];
const watchEveryMs = 500;
const keptErrorText = 4000;

export async function startProcessOfJob({
  scratchFolder,
  memoryMegabytes,
  program = join(import.meta.dirname, 'child.ts'),
}: Limits): Promise<ProcessOfJob> {
  const folder = join(scratchFolder, `job-${process.pid}-${randomUUID()}`);
  const folders = {
    inputs: join(folder, 'inputs'),
    output: join(folder, 'output'),
    scratch: join(folder, 'scratch'),
  };
  for (const path of Object.values(folders)) await mkdir(path, { recursive: true, mode: 0o700 });
  const child = fork(program, [], {
    execArgv: [...permissions(folder, folders), `--max-old-space-size=${Math.floor(memoryMegabytes * 0.8)}`],
    env: { TMPDIR: folders.scratch },
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    detached: true, // a Ctrl-C in the terminal is for the runner alone
  });
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  ended.catch(() => {});
  let errorText = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    errorText = (errorText + text).slice(-keptErrorText);
  });
  const ready = Promise.race([
    once(child, 'message').then(() => {}), // its first message says that it is ready
    ended.then(() => {
      throw new NotBegun(`The process of a job ended before it could begin: ${errorText.trim()}`);
    }),
  ]);
  ready.catch(() => {});
  const overLimit = watchMemory(child, memoryMegabytes);
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  return {
    folders,
    isAlive,
    ready,
    async run(start, hear, signal) {
      const why = () => reasonOf(child, { errorText, isOverLimit: overLimit.reached(), memoryMegabytes });
      const result = resultOf(child, hear, signal, why);
      await Promise.race([ready.catch(() => {}), result]);
      if (isAlive()) child.send(start, () => {}); // when it has just died, `result` tells
      return result;
    },
    async end({ keepFolders } = { keepFolders: false }) {
      overLimit.stop();
      if (isAlive()) {
        child.kill('SIGKILL');
        await ended;
      }
      if (!keepFolders) await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

function permissions(folder: string, { output, scratch }: JobFolders): string[] {
  return [
    '--permission', // denies the network, other processes and native code too
    '--allow-worker',
    '--disable-warning=PERM0006',
    ...code.map((name) => `--allow-fs-read=${join(root, name)}`),
    `--allow-fs-read=${folder}`,
    `--allow-fs-write=${output}`,
    `--allow-fs-write=${scratch}`,
  ];
}

function resultOf(
  child: ChildProcess,
  hear: (message: ChildMessage) => void,
  signal: AbortSignal,
  why: () => JobFailed,
): Promise<JobResult> {
  return new Promise((settle, refuse) => {
    let hasBegun = false;
    const onGone = () =>
      refuse(hasBegun ? why() : new NotBegun('The process of the job ended before it had begun.'));
    const abort = () => refuse(signal.reason as Error);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    child.on('message', (value) => {
      const message = value as ChildMessage;
      if (message.type === 'started') hasBegun = true;
      hear(message);
      if (message.type === 'result') settle(message.result);
      if (message.type === 'failed') refuse(new JobFailed(message.code, message.message));
    });
    if (child.exitCode !== null || child.signalCode !== null) return onGone();
    child.once('close', onGone);
    child.once('error', onGone);
  });
}

interface Circumstances {
  readonly errorText: string;
  readonly isOverLimit: boolean;
  readonly memoryMegabytes: number;
}

function reasonOf(
  { exitCode, signalCode }: ChildProcess,
  { errorText, isOverLimit, memoryMegabytes }: Circumstances,
): JobFailed {
  if (isOverLimit || /heap out of memory|allocation failed/i.test(errorText)) {
    return new JobFailed(
      'outOfMemory',
      `The job needed more than the ${memoryMegabytes} MB of memory it may have.`,
    );
  }
  const how = signalCode ? `by the signal ${signalCode}` : `with the code ${exitCode}`;
  return new JobFailed('crashed', `The process of the job ended unexpectedly ${how}.`);
}

/** The heap has a limit of its own; what lies outside of it, in buffers, is watched where the system tells. */
function watchMemory(child: ChildProcess, megabytes: number): { reached(): boolean; stop(): void } {
  let isReached = false;
  const timer = setInterval(() => {
    void readFile(`/proc/${child.pid}/status`, 'utf8')
      .then((text) => {
        const kilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(text)?.[1] ?? 0);
        if (kilobytes <= megabytes * 1024) return;
        isReached = true;
        child.kill('SIGKILL');
      })
      .catch(() => clearInterval(timer)); // it has ended, or this system has no /proc
  }, watchEveryMs);
  timer.unref();
  return { reached: () => isReached, stop: () => clearInterval(timer) };
}

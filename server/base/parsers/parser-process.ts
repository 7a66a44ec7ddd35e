import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { BytesError } from '@platen/formats/bytes/bytes';
import { ArchiveError } from '@platen/geo/pmtiles/header';
import { detectConfinement, type Confinement } from '@platen/confinement/confinement';
import type { CallMessage, FailedMessage, ParserMessage, RequestMessage } from './messages.ts';
import { parsersAreMissing, ParserStopped, type StopReason } from './parse-error.ts';
import type { Host } from './parse-task.ts';

/** How processes are started with less rights than ours. */
export type ParserConfinement = Pick<Confinement, 'newUser' | 'command'>;

export interface ProcessLimits {
  /** Time of computing; waiting for bytes does not count. */
  readonly computeMs: number;
  /** Time from the start, also that of the process, to the answer. */
  readonly totalMs: number;
  readonly memoryMegabytes: number;
  /** Computing time after which a process is replaced, long before the kernel ends it. */
  readonly retireAfterMs: number;
}

export interface ParserJob {
  readonly module: URL;
  readonly input: unknown;
  readonly host: Host;
  /** Names the file in messages, at the beginning of a sentence. */
  readonly file: string;
}

/** A process that parses one file at a time, with no access to anything. */
export interface ParserProcess {
  /** @throws ParserStopped, BytesError, ArchiveError, or what a method of the host threw */
  run(job: ParserJob): Promise<unknown>;
  /** The process has ended, or is about to. */
  readonly hasEnded: boolean;
  /** The process has computed so long that another should take its place. */
  readonly isWorn: boolean;
  end(): void;
}

interface RunningJob extends ParserJob {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (reason: unknown) => void;
  /** Returns what was left of the computing time. */
  readonly stopClock: () => number;
  readonly clock: Clock;
  openCalls: number;
  hostError?: { readonly reason: unknown };
}

const installation = join(import.meta.dirname, '../../..');
const readablePaths = ['package.json', 'node_modules', 'contract', 'formats', 'geo', 'server', 'styles'].map(
  (name) => join(installation, name),
);
const program = join(import.meta.dirname, 'child.ts');

/** Counts computing time. */
interface Clock {
  resume(): void;
  /** Returns the time that is left. */
  pause(): number;
}

/** Finds the rights that parsers do without on this machine. */
export function detectParserConfinement(): Promise<ParserConfinement> {
  return detectConfinement([process.execPath, program, ...readablePaths]);
}

export function startParserProcess(
  limits: ProcessLimits,
  confinement: ParserConfinement | undefined,
): ParserProcess {
  const child = forkParser(limits.memoryMegabytes, confinement?.command(confinement.newUser()) ?? []);
  const ready = Promise.withResolvers<void>();
  ready.promise.catch(() => {}); // a job that waits for it gets the error
  let running: RunningJob | undefined;
  let hasEnded = false;
  let computedMs = 0;

  function finish(end: (job: RunningJob) => void): void {
    const job = running;
    if (!job) return;
    running = undefined;
    computedMs += limits.computeMs - job.stopClock();
    holdOpen(child, false);
    if (job.hostError) job.reject(job.hostError.reason);
    else end(job);
  }

  function stop(reason: StopReason): void {
    finish(({ file, reject }) => reject(new ParserStopped(reason, file, limits)));
    end();
  }

  function end(): void {
    hasEnded = true;
    child.kill('SIGKILL');
  }

  async function answerCall(job: RunningJob, { id, method, args }: CallMessage): Promise<void> {
    job.openCalls += 1;
    job.clock.pause();
    let reply: RequestMessage = { type: 'reply', id, isFailed: true };
    try {
      if (!Object.hasOwn(job.host, method))
        throw new Error(`A parser called “${method}”, which its host does not have.`);
      reply = { type: 'reply', id, value: await job.host[method]!(...(args as never[])) };
    } catch (reason) {
      job.hostError ??= { reason };
    }
    if (running !== job) return;
    send(child, reply);
    job.openCalls -= 1;
    if (job.openCalls === 0) job.clock.resume();
  }

  child.on('message', (message: ParserMessage) => {
    if (message.type === 'ready') ready.resolve();
    else if (message.type === 'call') void (running && answerCall(running, message));
    else if (message.type === 'answer') finish(({ resolve }) => resolve(message.answer));
    else
      finish(({ reject, file }) => reject(errorOf(message, () => new ParserStopped('crash', file, limits))));
  });
  child.once('error', (error) => {
    hasEnded = true;
    ready.reject(error);
    finish(({ reject }) => reject(error));
  });
  child.once('exit', (code, signal) => {
    hasEnded = true;
    ready.reject(new Error(`A parser process ended at its start (${signal ?? code}).`));
    // V8 aborts a process that reaches the limit of its heap
    stop(signal === 'SIGABRT' || code === 134 ? 'memory' : 'crash');
  });
  holdOpen(child, false);

  return {
    get hasEnded() {
      return hasEnded;
    },
    get isWorn() {
      return computedMs > limits.retireAfterMs;
    },
    end,
    async run(job) {
      holdOpen(child, true);
      const total = setTimeout(() => stop('time'), limits.totalMs); // also of a process that does not get ready
      await ready.promise.catch((cause: unknown) => {
        clearTimeout(total);
        throw parsersAreMissing(cause);
      });
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const clock = createClock(limits.computeMs, () => stop('time'));
      const stopClock = () => {
        clearTimeout(total);
        return clock.pause();
      };
      running = { ...job, resolve, reject, clock, stopClock, openCalls: 0 };
      clock.resume();
      send(child, { type: 'parse', module: job.module.href, input: job.input });
      return promise;
    },
  };
}

const maxCpuSeconds = 300;
/**
 * The kernel ends a process that still computes when the service was killed, and writes no core dump of one that reaches
 * its limit of memory.
 */
const withLimits = `ulimit -c 0; ulimit -t ${maxCpuSeconds}; unset PWD OLDPWD; exec "$0" "$@"`;

/**
 * Starts a process that may read the code of Platen, and nothing else.
 * @param prefix the command that starts it with less rights than ours
 */
function forkParser(memoryMegabytes: number, prefix: readonly string[]): ChildProcess {
  const options = [
    '--permission', // denies files, the network, other processes, threads and native code
    ...readablePaths.map((path) => `--allow-fs-read=${path}`),
    `--max-old-space-size=${memoryMegabytes}`,
    '--max-semi-space-size=8',
  ];
  const limited = process.platform === 'win32' ? [] : ['/bin/sh', '-c', withLimits];
  const [execPath, ...words] = [...prefix, ...limited, process.execPath];
  return fork(program, {
    execPath: execPath!,
    execArgv: [...words, ...options],
    env: {},
    cwd: installation,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

/** A process that parses keeps the service running until it has answered; an idle one does not. */
function holdOpen(child: ChildProcess, isHeld: boolean): void {
  if (isHeld) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}

/** Errors are ignored: a process that has ended is reported by its exit. */
function send(child: ChildProcess, message: RequestMessage): void {
  if (child.connected) child.send(message, () => {});
}

function createClock(limitMs: number, onEnd: () => void): Clock {
  let leftMs = limitMs;
  let since = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    resume() {
      since = performance.now();
      timer = setTimeout(onEnd, leftMs);
    },
    pause() {
      if (timer === undefined) return leftMs;
      clearTimeout(timer);
      timer = undefined;
      leftMs = Math.max(0, leftMs - (performance.now() - since));
      return leftMs;
    },
  };
}

/** Errors that explain what is wrong with a file are passed on; any other is a fault of the parser. */
function errorOf({ kind, message, stack }: FailedMessage, crashed: () => ParserStopped): Error {
  if (kind === 'bytes') return new BytesError(message);
  if (kind === 'archive') return new ArchiveError(message);
  const error = crashed();
  error.cause = stack ?? message;
  return error;
}

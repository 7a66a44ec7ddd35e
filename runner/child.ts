import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { FailureCode } from '@platen/contract/failure-codes';
import type { InputRanges } from '@platen/processing/input-ranges';
import { JobFailure, type JobContext } from '@platen/processing/job-type';
import { runs } from '@platen/processing/runs';
import { clean, cleanExample, cleanResult } from './clean.ts';
import { createWarningCounter, type WarningCounter } from './warning-counter.ts';
import { limitLog } from './log-limit.ts';
import type { AbortMessage, AnswerMessage, ChildMessage, StartMessage } from './messages.ts';
import { createRejectWriter, exampleOf } from './rejects/reject-writer.ts';
import { throttleProgress } from './throttle-progress.ts';

/**
 * The process of one job: without credentials and network, and of the disk only its own folders. The runner starts it
 * before there is a job, so that a job starts without delay.
 */

const warnEveryMs = 100;

/** Idle time after which unlikely job types are preloaded too; not reached while jobs follow each other closely. */
const idleMs = 10_000;
const [word, ...names] = process.argv.slice(2);
const likely = word === '--watch-parent' ? names : [word!, ...names].filter(Boolean);
let hasBegun = false;

process.once('disconnect', () => process.exit(0)); // the runner has gone
if (word === '--watch-parent')
  new Worker(new URL('./watch-parent.ts', import.meta.url), { workerData: process.ppid }).unref();
const stop = new AbortController();
process.once('message', (message) => {
  hasBegun = true;
  process.on('message', (next) => {
    if ((next as AbortMessage | AnswerMessage).type === 'abort') stop.abort();
  });
  void runJob(message as StartMessage);
});
send({ type: 'ready' });
void preloadWhileIdle();

async function preloadWhileIdle(): Promise<void> {
  await preload(likely.slice(0, 1));
  await sleep(idleMs);
  await preload([...likely, ...Object.keys(runs)]);
}

/** Loads job types in advance, so that a job starts faster. */
async function preload(names: readonly string[]): Promise<void> {
  for (const name of names) {
    await setImmediate(); // lets a job that has arrived meanwhile start
    if (hasBegun) return;
    await runs[name]?.().catch(() => {}); // the job that needs it will report the error
  }
}

function send(message: ChildMessage): void {
  process.send!(message);
}

async function runJob(start: StartMessage): Promise<void> {
  send({ type: 'started' });
  const warnings = createWarningCounter();
  const reporter = createReporter(warnings, start);
  try {
    const run = await runs[start.name]!();
    const result = await run(start.options as never, contextOf(start, reporter));
    reporter.flush();
    send({ type: 'result', result: cleanResult(result), warnings: warnings.list() });
  } catch (error) {
    reporter.flush();
    const failure = stop.signal.aborted ? aborted : failureOf(error);
    send({ type: 'failed', ...clean(failure), warnings: warnings.list() });
  }
}

/** The reporting functions of the job's context, throttled: a job may call them as often as it likes. */
interface JobReporter extends Pick<JobContext, 'progress' | 'log' | 'warn' | 'reject'> {
  /** Sends what is still pending. */
  readonly flush: () => void;
}

function createReporter(warnings: WarningCounter, { scratchFolder }: StartMessage): JobReporter {
  const rejects = createRejectWriter(scratchFolder);
  let hasWarned = false;
  let warnedAt = -Infinity;
  const takeWarnings = () => {
    if (!hasWarned) return {};
    hasWarned = false;
    warnedAt = performance.now();
    return { warnings: warnings.list() };
  };
  const { progress, flush } = throttleProgress((latest) =>
    send({ type: 'progress', progress: latest, ...takeWarnings() }),
  );
  const lines = limitLog(
    (line) => send({ type: 'log', ...line }),
    () => performance.now(),
  );
  const warn = (...warning: Parameters<WarningCounter['add']>) => {
    warnings.add(...warning);
    hasWarned = true;
    if (performance.now() - warnedAt >= warnEveryMs)
      send({ type: 'progress', progress: undefined, ...takeWarnings() });
  };
  return {
    progress,
    log(level, message, data) {
      const at = new Date().toISOString();
      lines.add({ at, level, message: clean(message), ...(data && { data: cleanExample(data) }) });
    },
    warn,
    reject(code, message, feature, times) {
      if (feature) rejects.add(code, feature);
      warn(code, message, feature && exampleOf(feature), times);
    },
    flush() {
      flush();
      lines.flush();
    },
  };
}

function contextOf(start: StartMessage, { progress, log, warn, reject }: JobReporter): JobContext {
  const { inputs, former, outputFolder, scratchFolder, readsRanges, isVerbose, keepsScratch } = start;
  const { limits, geoidFolder } = start;
  return {
    inputs,
    ...(former && { former }),
    ...(readsRanges && { inputRanges: requestInputs(process) }),
    outputFolder,
    scratchFolder,
    ...(keepsScratch && { keepsScratch }),
    limits,
    ...(geoidFolder !== undefined && { geoidFolder }),
    signal: stop.signal,
    progress,
    log(level, ...line) {
      if (level !== 'debug' || isVerbose) log(level, ...line);
    },
    warn,
    reject,
  };
}

/** The runner has already decided how the job ends; this only says that it has. */
const aborted = { code: 'failed', message: 'The job was asked to stop.' } as const;

function failureOf(error: unknown): { code: FailureCode; message: string; stack?: string } {
  if (error instanceof JobFailure) return { code: error.code, message: error.message };
  const { message = String(error), code, stack = '' } = error as Partial<NodeJS.ErrnoException>;
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return { code: 'outOfMemory', message: 'The job exceeded its memory limit.' };
  }
  if (code === 'ENOSPC') return { code: 'scratchFull', message: 'The scratch disk of the runner is full.' };
  return { code: 'internalError', message: `The job type failed unexpectedly: ${message}`, stack };
}

type Question =
  | Omit<ChildMessage & { readonly type: 'bring' }, 'id'>
  | Omit<ChildMessage & { readonly type: 'list' }, 'id'>;

/** Requests inputs of the job from the runner on demand. */
function requestInputs(runner: NodeJS.Process): InputRanges {
  const waiting = new Map<number, (answer: AnswerMessage) => void>();
  let questions = 0;
  runner.on('message', (message) => {
    const answer = message as AnswerMessage;
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  const ask = async (question: Question): Promise<AnswerMessage> => {
    const id = ++questions;
    const answered = new Promise<AnswerMessage>((resolve) => waiting.set(id, resolve));
    runner.send!({ ...question, id });
    const answer = await answered;
    if (answer.failure) throw new JobFailure(answer.failure.code, answer.failure.message);
    return answer;
  };
  return {
    fetch: async (range) => (await ask({ type: 'bring', range })).brought,
    list: async (input, limit) => (await ask({ type: 'list', input, limit })).members ?? [],
  };
}

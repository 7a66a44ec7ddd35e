import { Worker } from 'node:worker_threads';
import type { JobProgress } from '@platen/contract/jobs';
import type { FreeForm } from '@platen/contract/schema';
import { JobFailure, type JobContext, type LogLevel } from '@platen/processing/job-type';
import { runs } from '@platen/processing/runs';
import { clean, cleanExample } from './clean.ts';
import { countWarnings, type WarningCounter } from './count-warnings.ts';
import type { ChildMessage, StartMessage } from './messages.ts';

/**
 * The process of one job. It has no credentials, no network, and of the disk only its own folders: its runner starts it
 * that way, before there is a job, so that the job need not wait for it.
 */

const tellEveryMs = 100;
const maxLogLines = 10_000;

process.once('disconnect', () => process.exit(0)); // the runner has gone
new Worker(new URL('./watch-parent.ts', import.meta.url), { workerData: process.ppid }).unref();
process.once('message', (message) => void runJob(message as StartMessage));
for (const load of Object.values(runs)) await load(); // what is loaded now need not be loaded later
send({ type: 'ready' });

function send(message: ChildMessage): void {
  process.send!(message);
}

async function runJob(start: StartMessage): Promise<void> {
  send({ type: 'started' });
  const warnings = countWarnings();
  try {
    const run = await runs[start.name]!();
    const result = await run(start.options as never, contextOf(start, warnings));
    send({ type: 'result', result: clean(result), warnings: warnings.list() });
  } catch (error) {
    send({ type: 'failed', ...clean(failureOf(error)), warnings: warnings.list() });
  }
}

function contextOf(start: StartMessage, warnings: WarningCounter): JobContext {
  const { inputs, outputFolder, scratchFolder, isVerbose } = start;
  let toldAt = 0;
  let phaseBefore = '';
  let lines = 0;
  const tell = (progress?: JobProgress) => {
    toldAt = performance.now();
    send({ type: 'progress', progress, warnings: warnings.list() });
  };
  const isSilent = () => performance.now() - toldAt < tellEveryMs;
  return {
    inputs,
    outputFolder,
    scratchFolder,
    signal: new AbortController().signal, // an aborted job's process is ended as a whole
    progress(phase, done, total, secondsLeft) {
      if (phase === phaseBefore && done !== total && isSilent()) return;
      phaseBefore = phase;
      tell({
        phase: clean(phase).slice(0, 200) || 'run',
        done: countOf(done),
        total: countOf(total),
        ...(secondsLeft !== undefined && { secondsLeft: countOf(secondsLeft) }),
      });
    },
    log(level, message, data) {
      if (level === 'debug' && !isVerbose) return;
      lines++;
      if (lines <= maxLogLines) sendLine(level, message, data);
      else if (lines === maxLogLines + 1) sendLine('warning', 'The log is full: later lines are left out.');
    },
    warn(...warning) {
      warnings.add(...warning);
      if (!isSilent()) tell();
    },
  };
}

function sendLine(level: LogLevel, message: string, data?: FreeForm): void {
  const at = new Date().toISOString();
  send({ type: 'log', at, level, message: clean(message), ...(data && { data: cleanExample(data) }) });
}

const countOf = (value: number) => (Number.isFinite(value) && value > 0 ? value : 0);

function failureOf(error: unknown): { code: string; message: string; stack?: string } {
  if (error instanceof JobFailure) return { code: error.code, message: error.message };
  const { message = String(error), code, stack = '' } = error as Partial<NodeJS.ErrnoException>;
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return { code: 'outOfMemory', message: 'The job needed more memory than it may have.' };
  }
  if (code === 'ENOSPC') return { code: 'scratchFull', message: 'The scratch disk of the runner is full.' };
  return { code: 'internalError', message: `The job type failed unexpectedly: ${message}`, stack };
}

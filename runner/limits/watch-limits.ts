import { readFile } from 'node:fs/promises';
import type { JobLimits } from '@platen/processing/job-type';
import { statOf } from '../proc-stat.ts';
import { watchDisk } from './watch-disk.ts';

/** The limit that a killed job has exceeded. */
export interface ExceededLimit {
  readonly code: 'outOfMemory' | 'outOfCpuTime' | 'scratchLimit';
  /** Names the limit and the setting that raises it. */
  readonly message: string;
}

export interface LimitWatch {
  /** Starts counting CPU time and disk for the job. */
  begin(): void;
  exceeded(): ExceededLimit | undefined;
  stop(): void;
}

interface WatchOptions {
  readonly pid: number;
  readonly folders: { readonly inputs: string; readonly output: string; readonly scratch: string };
  readonly limits: JobLimits;
  readonly kill: () => void;
}

const everyMs = 250;
/** Unit of times in /proc: always 100 for programs. */
const ticksPerSecond = 100;

/**
 * Kills the process when it exceeds a limit. Node limits the heap; this watches memory outside the heap and CPU time
 * of all threads (both by /proc), and the disk.
 */
export function watchLimits({ pid, folders, limits, kill }: WatchOptions): LimitWatch {
  let over: ExceededLimit | undefined;
  let hasBegun = false;
  let idleSeconds: number | undefined;
  const end = (exceeded: ExceededLimit) => {
    if (over) return;
    over = exceeded;
    stop();
    kill();
  };
  const { inputs, output, scratch } = folders;
  const disk = watchDisk({ pid, inputs, written: [output, scratch], megabytes: limits.scratchMegabytes });
  const look = async (): Promise<void> => {
    if ((await megabytesOf(pid)) > limits.memoryMegabytes) end(outOfMemory(limits));
    if (limits.cpuSeconds !== undefined) {
      const seconds = await cpuSecondsOf(pid);
      if (!hasBegun) idleSeconds = seconds;
      else if (seconds - (idleSeconds ??= seconds) > limits.cpuSeconds) end(outOfCpuTime(limits.cpuSeconds));
    }
    if (hasBegun && (await disk.isOver())) end(scratchLimit(limits.scratchMegabytes!));
  };
  let isLooking = false;
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    void look()
      .catch(() => {}) // the process has just ended
      .finally(() => {
        isLooking = false;
      });
  }, everyMs);
  timer.unref();
  const stop = () => {
    clearInterval(timer);
    disk.stop();
  };
  return {
    begin: () => void (hasBegun = true),
    exceeded: () => over,
    stop,
  };
}

export function outOfMemory({ memoryMegabytes }: JobLimits): ExceededLimit {
  return {
    code: 'outOfMemory',
    message: `The job needed more than the ${memoryMegabytes} MB of memory that a job may use. The operator of the runner can raise PLATEN_RUNNER_MEMORY_MB.`,
  };
}

function outOfCpuTime(seconds: number): ExceededLimit {
  return {
    code: 'outOfCpuTime',
    message: `The job needed more than the ${seconds} seconds of CPU time that a job may use, in all threads together. The operator of the runner can raise PLATEN_RUNNER_CPU_SECONDS.`,
  };
}

function scratchLimit(megabytes: number): ExceededLimit {
  return {
    code: 'scratchLimit',
    message: `The job needed more than the ${megabytes} MB of scratch disk that a job may use. The operator of the runner can raise PLATEN_RUNNER_SCRATCH_MB.`,
  };
}

async function megabytesOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1024;
}

async function cpuSecondsOf(pid: number): Promise<number> {
  const fields = (await statOf(pid)) ?? [];
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / ticksPerSecond || 0;
}

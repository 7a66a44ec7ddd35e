import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningService } from '@platen/e2e/processes';

export interface Usage {
  readonly wallSeconds: number;
  /** User and system time of all its threads, from when it was first looked at. */
  readonly cpuSeconds: number;
  readonly peakMegabytes: number;
}

const everyMs = 50;
/** What Linux counts CPU time in, on every machine. */
const ticksPerSecond = 100;

/**
 * Watches another process until stopped or until the process ends; both sides of a comparison are measured in
 * this same way. Where there is no /proc, CPU time and memory are NaN.
 */
export function watchProcess(pid: number): { stop(): Usage } {
  const start = performance.now();
  const cpuBefore = cpuSecondsOf(pid) ?? Number.NaN;
  let cpuSeconds = Number.NaN;
  let peakMegabytes = Number.NaN;
  const look = () => {
    cpuSeconds = cpuSecondsOf(pid) ?? cpuSeconds;
    peakMegabytes = peakMegabytesOf(pid) ?? peakMegabytes;
  };
  const timer = setInterval(look, everyMs);
  return {
    stop() {
      look();
      clearInterval(timer);
      return {
        wallSeconds: (performance.now() - start) / 1000,
        cpuSeconds: cpuSeconds - cpuBefore,
        peakMegabytes,
      };
    },
  };
}

export interface WatchedProcess {
  readonly command: string;
  readonly peakMegabytes: number;
}

/** Watches a process and those that it and they start, until stopped. */
export function watchTree(root: number): { stop(): readonly WatchedProcess[] } {
  const seen = new Map<number, WatchedProcess>();
  const look = (pid: number): void => {
    const peakMegabytes = peakMegabytesOf(pid);
    const command = readText(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ');
    if (peakMegabytes === undefined || command === undefined) return;
    seen.set(pid, { command, peakMegabytes });
    for (const child of childrenOf(pid)) look(child);
  };
  const timer = setInterval(() => look(root), everyMs);
  return {
    stop() {
      clearInterval(timer);
      return [...seen.values()];
    },
  };
}

/** The processes that this one has started and that still run. */
export const children = () => childrenOf(process.pid);

function childrenOf(pid: number): number[] {
  const tasks = `/proc/${pid}/task`;
  return namesIn(tasks)
    .flatMap((thread) => (readText(`${tasks}/${thread}/children`) ?? '').split(' '))
    .filter((pid) => pid !== '')
    .map(Number);
}

/** User and system time of a process, of those that it has started, and of those that have ended. */
function cpuSecondsOfTree(pid: number): number {
  const fields = fieldsOf(pid);
  if (!fields) return 0;
  const own = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond;
  return childrenOf(pid).reduce((sum, child) => sum + cpuSecondsOfTree(child), own);
}

/** CPU time of a service in seconds, by what its processes are. */
export interface ServiceCpu {
  readonly service: number;
  /** The embedded database, which is no child of the service. */
  readonly database: number;
  readonly runners: number;
  /** The processes of jobs: those that ran one, and that which waits for the next. */
  readonly jobs: number;
}

export function cpuOfService({ child, dataFolder }: RunningService): ServiceCpu {
  const [postmaster] = readFileSync(join(dataFolder, 'postgres/pgdata/postmaster.pid'), 'utf8').split('\n');
  const started = childrenOf(child.pid!);
  const runners = started.reduce((sum, pid) => sum + (cpuSecondsOf(pid) ?? 0), 0);
  const all = cpuSecondsOfTree(child.pid!);
  const jobs = started.reduce((sum, pid) => sum + cpuSecondsOfTree(pid), 0) - runners;
  return { service: all - runners - jobs, database: cpuSecondsOfTree(Number(postmaster)), runners, jobs };
}

export function cpuSecondsOfService(running: RunningService): number {
  return Object.values(cpuOfService(running)).reduce((sum, seconds) => sum + seconds, 0);
}

/** CPU time of the processes that this one has started and that have ended. */
export function cpuSecondsOfEnded(): number {
  const [user, system] = fieldsOf(process.pid)?.slice(13, 15).map(Number) ?? [];
  return (user! + system!) / ticksPerSecond;
}

/** proc(5): fields 14 and 15 of stat, counted behind the name, which may hold spaces. */
function cpuSecondsOf(pid: number): number | undefined {
  const fields = fieldsOf(pid);
  return fields && (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** The fields of stat from the third on; undefined if the process has gone. */
function fieldsOf(pid: number): string[] | undefined {
  const text = readText(`/proc/${pid}/stat`);
  return text?.slice(text.lastIndexOf(')') + 2).split(' ');
}

function peakMegabytesOf(pid: number): number | undefined {
  const kilobytes = /^VmHWM:\s+(\d+)/m.exec(readText(`/proc/${pid}/status`) ?? '')?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // it has gone
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined; // it has gone
  }
}

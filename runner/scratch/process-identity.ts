import { readFileSync } from 'node:fs';
import { readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { statOf } from '../proc-stat.ts';

/** A process that no other can be taken for: numbers are given again. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it began, in ticks of this start of the system. */
  readonly start: string;
  /** This start of the system. */
  readonly boot: string;
  /** Where its number counts; other containers have others. */
  readonly namespace: string;
  readonly host: string;
}

/** `unknown`: it may live where we do not see it, as in another container or on another machine. */
export type ProcessState = 'alive' | 'dead' | 'unknown';

const killTimeoutMs = 3000;

/** undefined: it has gone, or this system has no /proc. */
export async function processIdentity(pid: number): Promise<ProcessIdentity | undefined> {
  const start = await startTimeOf(pid);
  const boot = bootId();
  const namespace = await readlink('/proc/self/ns/pid').catch(() => undefined);
  if (start === undefined || boot === undefined || namespace === undefined) return undefined;
  return { pid, start, boot, namespace, host: hostname() };
}

export async function processState({
  pid,
  start,
  boot,
  namespace,
  host,
}: ProcessIdentity): Promise<ProcessState> {
  const here = await processIdentity(process.pid);
  if (!here) return 'unknown';
  if (boot !== here.boot) return host === here.host ? 'dead' : 'unknown';
  if (namespace !== here.namespace) return 'unknown';
  return (await startTimeOf(pid)) === start ? 'alive' : 'dead';
}

/** What lies in files was not forced to the disk: after another start of the system it may be anything. */
export function isSameBoot({ boot }: ProcessIdentity): boolean {
  return boot === bootId();
}

/** Ends a process that nobody waits for any more. @returns whether it is dead */
export async function killOrphan(life: ProcessIdentity): Promise<boolean> {
  for (let waitedMs = 0; waitedMs <= killTimeoutMs; waitedMs += 20) {
    const fate = await processState(life);
    if (fate !== 'alive') return fate === 'dead';
    try {
      process.kill(life.pid, 'SIGKILL');
    } catch {
      // it has just gone
    }
    await sleep(20);
  }
  return false;
}

/** undefined: there is none of that number, or it is but waited for. */
async function startTimeOf(pid: number): Promise<string | undefined> {
  const fields = await statOf(pid);
  if (!fields || fields[0] === 'Z' || fields[0] === 'X') return undefined;
  return fields[19];
}

function bootId(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return undefined;
  }
}

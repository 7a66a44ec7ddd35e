import { readFileSync } from 'node:fs';
import { readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { statOf } from '../proc-stat.ts';

/** Identifies a process beyond its pid, which may be reused. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time in clock ticks since boot. */
  readonly start: string;
  /** Id of the current boot of the system. */
  readonly boot: string;
  /** PID namespace; each container has its own. */
  readonly namespace: string;
  readonly host: string;
}

/** `unknown` if the process may run where it is not visible: in another container or on another machine. */
export type ProcessState = 'alive' | 'dead' | 'unknown';

const killTimeoutMs = 3000;

/** @returns undefined if there is no such process, or no /proc on this system */
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

/** Scratch files are not synced to the disk, so after a reboot their content is undefined. */
export function isSameBoot({ boot }: ProcessIdentity): boolean {
  return boot === bootId();
}

/** Kills an orphaned process. @returns whether it is dead */
export async function killOrphan(identity: ProcessIdentity): Promise<boolean> {
  for (let waitedMs = 0; waitedMs <= killTimeoutMs; waitedMs += 20) {
    const state = await processState(identity);
    if (state !== 'alive') return state === 'dead';
    try {
      process.kill(identity.pid, 'SIGKILL');
    } catch {
      // the process has just ended
    }
    await sleep(20);
  }
  return false;
}

/** @returns undefined if there is no such process, or it is a zombie */
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

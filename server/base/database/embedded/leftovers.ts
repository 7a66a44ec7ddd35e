import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { exists, ignore, remove, type Log } from './files.ts';

const POLL_MS = 20;

interface ServerProcess {
  pid: number;
  isPostmaster: boolean;
}

/**
 * Ends server processes of an earlier service. They may have old settings or binaries, so they are not adopted. Their
 * own watcher, or the loss of the postmaster, gets `graceMs` to end them first.
 * @throws if a process of the cluster cannot be ended
 */
export async function endLeftovers(pgdata: string, graceMs: number, log: Log): Promise<void> {
  const name = await clusterName(pgdata);
  if (name === undefined) return;
  if (!(await exists('/proc/self/cmdline'))) return await waitForPidFile(pgdata, log);
  const steps: [NodeJS.Signals | undefined, number][] = [
    [undefined, graceMs],
    ['SIGINT', 10_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ];
  for (const [signal, patienceMs] of steps) {
    const deadlineMs = performance.now() + patienceMs;
    for (let sent = false; ; sent = true) {
      const processes = await processesOf(pgdata, name);
      // Without a process the file is stale, and another program may have its pid by now.
      if (processes.length === 0) return await remove(join(pgdata, 'postmaster.pid'));
      // Only the postmaster may get SIGINT, a fast shutdown: the checkpointer would write the shutdown checkpoint while
      // backends may still be writing. The other signals cause a crash, which recovery handles.
      const targets = processes.filter(({ isPostmaster }) => isPostmaster || signal !== 'SIGINT');
      if (targets.length === 0) break;
      if (!sent) {
        const measure = signal === undefined ? 'waiting' : `sending ${signal}`;
        log(`an earlier PostgreSQL still runs (pid ${targets.map(({ pid }) => pid).join(', ')}): ${measure}`);
        if (signal !== undefined) targets.forEach(({ pid }) => sendSignal(pid, signal));
      }
      if (performance.now() > deadlineMs) break;
      await sleep(POLL_MS);
    }
  }
  throw new Error(`An earlier PostgreSQL process in ${pgdata} could not be stopped.`);
}

/** The cluster name in the title of every server process, which any user can read; undefined before initdb. */
export async function clusterName(pgdata: string): Promise<string | undefined> {
  const found = await stat(pgdata).catch(ignore('ENOENT'));
  return found && `platen-${found.dev}-${found.ino}`;
}

/**
 * macOS has no /proc, so running processes are not visible: the process that postmaster.pid names gets time to exit.
 * Then PostgreSQL itself checks the file and its shared memory.
 */
export async function waitForPidFile(pgdata: string, log: Log, timeoutMs = 10_000): Promise<void> {
  const deadlineMs = performance.now() + timeoutMs;
  for (let isLogged = false; performance.now() < deadlineMs; isLogged = true) {
    const file = await readFile(join(pgdata, 'postmaster.pid'), 'utf8').catch(ignore('ENOENT'));
    const pid = Number.parseInt(file ?? '', 10);
    if (!(pid > 0) || !sendSignal(pid, 0)) return;
    if (!isLogged)
      log(`an earlier PostgreSQL process (pid ${pid}) may still be running; waiting for it to end`);
    await sleep(POLL_MS);
  }
}

/**
 * Finds server processes by the inode of their working folder, as another container may have the same path, or by the
 * name of the cluster, as root without CAP_SYS_PTRACE cannot see the working folder. Backends may survive their
 * postmaster, so postmaster.pid is not enough.
 */
async function processesOf(pgdata: string, name: string): Promise<ServerProcess[]> {
  const { dev, ino } = await stat(pgdata);
  const found: ServerProcess[] = [];
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    if ((await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')) !== 'postgres\n') continue;
    const folder = await stat(`/proc/${pid}/cwd`).catch(() => undefined);
    const title = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    const named = title.includes(`${name}:`) || title.includes(`${name}\0`);
    if (!named && !(folder?.dev === dev && folder.ino === ino)) continue;
    found.push({ pid: Number(pid), isPostmaster: !title.startsWith('postgres: ') });
  }
  return found;
}

/** @returns false if there is no such process; one that we may not signal counts as running */
function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

import { open, readFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeAuthentication } from './authentication.ts';
import type { Cluster } from './cluster.ts';
import { lastLines } from './files.ts';
import { clusterName } from './leftovers.ts';
import { limitServerLog } from './server-log.ts';
import { processEnd, spawnTied } from './tied-process.ts';

export interface RunningServer {
  pid: number;
  /** Resolves with a description when the server has exited. */
  ended: Promise<string>;
}

const POLL_MS = 10;
const STILL_STARTING_MS = 10_000;
const FAST_SHUTDOWN_MS = 20_000;
const IMMEDIATE_SHUTDOWN_MS = 5_000;

const SETTINGS = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: '64MB',
  max_wal_size: '256MB',
  min_wal_size: '48MB',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  // keeps the number of processes low, and needs no more /dev/shm than a container has
  jit: 'off',
  io_method: 'sync',
  max_parallel_workers_per_gather: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_line_prefix: '%m [%p] ',
};

/**
 * Starts the server and waits until it accepts connections, however long crash recovery takes. Aborting `stopping`
 * stops it at any time.
 * @throws with the last lines of its log if it exits before it is ready
 */
export async function launchServer(
  cluster: Cluster,
  socketFolder: string,
  stopping: AbortSignal,
): Promise<RunningServer> {
  const { root, pgdata, log } = cluster;
  const logFile = join(root, 'postgres.log');
  await limitServerLog(logFile);
  const output = await open(logFile, 'a', 0o600);
  const { size: logStart } = await output.stat();
  const server = await spawnServer(cluster, socketFolder, output);
  cluster.onSpawn?.();
  void server.ended.then(() => output.close());
  const endServer = () => void shutDown(server);
  if (stopping.aborted) endServer();
  stopping.addEventListener('abort', endServer);
  let end: string | undefined;
  void server.ended.then((how) => {
    end = how;
    stopping.removeEventListener('abort', endServer);
  });
  for (let waitedMs = 0; !(await isReady(pgdata, server.pid)); waitedMs += POLL_MS) {
    if (end !== undefined) {
      const words = (await readFile(logFile)).subarray(logStart).toString();
      throw new Error(`PostgreSQL did not start (${end}): ${lastLines(words)}`);
    }
    if (waitedMs > 0 && waitedMs % STILL_STARTING_MS === 0) {
      log(`PostgreSQL is still starting (crash recovery?), see ${logFile}`);
    }
    await sleep(POLL_MS);
  }
  return server;
}

async function spawnServer(cluster: Cluster, socketFolder: string, output: FileHandle) {
  const { root, identity, pgdata, runtime } = cluster;
  const settings = {
    ...SETTINGS,
    ...(await writeAuthentication(root, identity)),
    unix_socket_directories: `"${socketFolder}"`, // a list, so a comma would split the path
    cluster_name: (await clusterName(pgdata)) ?? '',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const command = [join(runtime.bin, 'postgres'), '-D', pgdata, ...options];
  const child = spawnTied({ identity, command, output: output.fd });
  return {
    pid: child.pid ?? 0,
    ended: processEnd(child),
    kill: (signal: NodeJS.Signals) => child.kill(signal),
  };
}

/** SIGINT ends all sessions and writes a checkpoint; if the server does not exit in time, it is killed. */
async function shutDown(server: Awaited<ReturnType<typeof spawnServer>>): Promise<void> {
  const steps = [
    ['SIGINT', FAST_SHUTDOWN_MS],
    ['SIGQUIT', IMMEDIATE_SHUTDOWN_MS],
    ['SIGKILL', 0],
  ] as const;
  for (const [signal, patienceMs] of steps) {
    server.kill(signal);
    const patience = sleep(patienceMs, undefined, { ref: false });
    if ((await Promise.race([server.ended, patience])) !== undefined) return;
  }
}

/** The eighth line of postmaster.pid says whether the server accepts connections; pg_ctl reads it too. */
async function isReady(pgdata: string, pid: number): Promise<boolean> {
  const lines = (await readFile(join(pgdata, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  return lines[0] === String(pid) && lines[7]?.trim() === 'ready';
}

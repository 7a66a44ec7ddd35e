import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { DATABASE, prepareCluster, ROLE, type Cluster } from './cluster.ts';
import { lockDataFolder } from './data-folder-lock.ts';
import { requirePlainPath, requireSpace, type Log } from './files.ts';
import { chooseIdentity } from './identity.ts';
import { launchServer } from './launch.ts';
import { endLeftovers } from './leftovers.ts';
import { installRuntime } from './runtime.ts';
import { limitServerLog } from './server-log.ts';
import { clearSocketFolder, makeSocketFolder, removeSocketFolder } from './socket-folder.ts';
import { superviseServer } from './supervise.ts';

export interface EmbeddedPostgres {
  /** For `pg`; stays the same when the server is restarted. */
  url: string;
  /** Stops the server: sessions are cut, and the data are on disk. Close pools first. Resolves when it has exited. */
  stop: () => Promise<void>;
  /** Resolves with a description when the server has exited for good; the data folder is free then. */
  exited: Promise<string>;
}

const START_BYTES = 32 * 1024 * 1024;
const WATCHER_GRACE_MS = 2_000;
const RESTART_GRACE_MS = 500;
const LOG_CHECK_MS = 600_000;

/**
 * Starts a private PostgreSQL for this process, reachable only through a unix socket in a 0700 folder. It is restarted
 * when it dies, and never outlives the service.
 *
 *     dataDir/lock    held by the running service   dataDir/run          the socket
 *     dataDir/pgdata  the database cluster          dataDir/runtime-*    the files of PostgreSQL
 *     dataDir/pg_*.conf  who may connect           dataDir/postgres.log
 *
 * Use a dedicated folder: as root, other users are allowed to traverse `dataDir`, though not to list it.
 * @throws an error that tells the operator what to do if the folder is in use, the disk is full, the data are of another
 * version, or PostgreSQL cannot run on this system
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  log: Log;
  /** Called when the server process has been started, before it accepts connections. */
  onSpawn?: () => void;
}): Promise<EmbeddedPostgres> {
  const { dataDir, log, onSpawn } = options;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const root = await realpath(dataDir);
  requirePlainPath(root);
  const releaseLock = await lockDataFolder(root, log);
  try {
    await requireSpace(root, START_BYTES);
    const runtime = await installRuntime(root);
    const identity = await chooseIdentity(root, runtime.bin);
    const cluster: Cluster = { root, pgdata: join(root, 'pgdata'), runtime, identity, log, onSpawn };
    await endLeftovers(cluster.pgdata, WATCHER_GRACE_MS, log);
    await prepareCluster(cluster);
    return await runCluster(cluster, releaseLock);
  } catch (error) {
    releaseLock();
    throw error;
  }
}

async function runCluster(cluster: Cluster, releaseLock: () => void): Promise<EmbeddedPostgres> {
  const { root, pgdata, identity, log } = cluster;
  const socketFolder = await makeSocketFolder(root, identity);
  const stopping = new AbortController();
  const launch = async () => {
    const server = await launchServer(cluster, socketFolder, stopping.signal);
    log(`PostgreSQL is ready (pid ${server.pid}, ${identity.name})`);
    return server;
  };
  const relaunch = async () => {
    await endLeftovers(pgdata, RESTART_GRACE_MS, log); // backends may survive their postmaster
    await clearSocketFolder(socketFolder);
    return launch();
  };
  const cleanUp = () => removeSocketFolder(root).finally(releaseLock);
  const first = await launch().catch(async (error: unknown) => {
    await cleanUp();
    throw error;
  });
  const serverLog = join(root, 'postgres.log');
  const rotation = setInterval(() => {
    limitServerLog(serverLog).catch((error: Error) => log(`${serverLog}: ${error.message}`));
  }, LOG_CHECK_MS).unref();
  const supervision = superviseServer(first, relaunch, stopping.signal, log);
  const exited = supervision.finally(() => clearInterval(rotation)).finally(cleanUp);
  const stop = async () => {
    stopping.abort();
    await exited;
  };
  return {
    url: `postgresql:///${DATABASE}?user=${ROLE}&host=${encodeURIComponent(socketFolder)}`,
    stop,
    exited,
  };
}

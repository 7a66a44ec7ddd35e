import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { allowTraversal } from './embedded/files.ts';
import { startEmbeddedPostgres } from './embedded/embedded-postgres.ts';

/** A database that accepts connections. */
export interface ReadyDatabase {
  /** Connection string for `pg`. */
  readonly url: string;
  /** Resolves with a reason when the database has exited for good. */
  readonly broken: Promise<string>;
  /** Stops the embedded PostgreSQL; an operator's server is left running. */
  stop(): Promise<void>;
}

export interface StartingDatabase {
  /** Resolves when the PostgreSQL process runs, has failed, or is not needed. */
  readonly spawned: Promise<void>;
  readonly ready: Promise<ReadyDatabase>;
}

/** Starts the embedded PostgreSQL, unless the operator has configured a server; code can be loaded meanwhile. */
export function startDatabase(config: Config, log: (message: string) => void): StartingDatabase {
  const { promise: spawned, resolve: onSpawn } = Promise.withResolvers<void>();
  const ready = reach(config, log, onSpawn);
  ready.then(
    () => onSpawn(),
    () => onSpawn(),
  );
  return { spawned, ready };
}

async function reach(
  { databaseUrl, dataFolder }: Config,
  log: (message: string) => void,
  onSpawn: () => void,
): Promise<ReadyDatabase> {
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  if (process.getuid?.() === 0) await allowTraversal(dataFolder); // PostgreSQL and jobs are other users then
  if (databaseUrl !== undefined)
    return { url: databaseUrl, broken: new Promise<string>(() => {}), stop: async () => {} };
  const postgres = await startEmbeddedPostgres({ dataDir: join(dataFolder, 'postgres'), log, onSpawn });
  let isStopping = false;
  const broken = postgres.exited.then((how) => {
    // a requested stop is not a failure, so the promise stays pending
    return isStopping
      ? new Promise<string>(() => {})
      : `The embedded PostgreSQL ended and could not be restarted: ${how}`;
  });
  const stop = () => {
    isStopping = true;
    return postgres.stop();
  };
  return { url: postgres.url, broken, stop };
}

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from './files.ts';

const PATIENCE_MS = 5_000;
const POLL_MS = 50;
const SQLITE_BUSY = 5;

/**
 * Makes this process the only owner of the data folder, after waiting up to 5 s for an owner that is exiting.
 * Uses a file lock of SQLite, the only lock in the standard library of Node that the kernel releases with the process.
 * @returns a function that releases the lock
 * @throws if another process still holds the folder
 */
export async function lockDataFolder(root: string, log: Log): Promise<() => void> {
  const lock = new DatabaseSync(join(root, 'lock'), { timeout: 0 });
  const release = () => {
    if (lock.isOpen) lock.close();
  };
  try {
    const deadlineMs = performance.now() + PATIENCE_MS;
    for (let attempt = 0; !takeLock(lock); attempt++) {
      if (attempt === 0)
        log(`another service process is using the data folder ${root}; waiting for it to end`);
      if (performance.now() > deadlineMs) {
        throw new Error(`The data folder ${root} is in use by another running service process.`);
      }
      await sleep(POLL_MS);
    }
    return release;
  } catch (error) {
    release();
    throw error;
  }
}

function takeLock(lock: DatabaseSync): boolean {
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE'); // MEMORY: no journal file
    return true;
  } catch (error) {
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return false;
    throw error;
  }
}

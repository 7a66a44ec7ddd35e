import { execFile } from 'node:child_process';
import { open, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { forEachParallel } from './for-each-parallel.ts';
import { fail } from './fs-failure.ts';
import { syncFolder } from './fs-write.ts';
import type { NewObject } from './object-store.ts';

const maxConcurrent = 16;
/** Fewer files are synced one by one; more with their whole file system. */
const minFilesToSyncAtOnce = 64;

/** Writes small files and makes all of them durable together. */
export async function writeAllSynced(
  objects: AsyncIterable<NewObject>,
  root: string,
  pathOf: (id: string) => Promise<string>,
): Promise<void> {
  const paths: string[] = [];
  await forEachParallel(objects, maxConcurrent, async ({ id, bytes }) => {
    const path = await pathOf(id);
    await writeFile(path, bytes, { flag: 'wx', mode: 0o600 }).catch(fail);
    paths.push(path);
  });
  if (paths.length >= minFilesToSyncAtOnce && (await syncFileSystem(root))) return;
  await syncEach(paths);
}

const run = promisify(execFile);

/**
 * Makes everything on the file system of a folder durable, which for thousands of new files is many times faster than
 * one after the other.
 * @returns false if this failed or is not possible here
 */
async function syncFileSystem(folder: string): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  // Node has no syncfs(2); GNU coreutils and BusyBox have a program for it
  return run('sync', ['-f', folder], { env: { PATH: '/usr/bin:/bin' } }).then(
    () => true,
    () => false,
  );
}

async function syncEach(paths: readonly string[]): Promise<void> {
  await forEachParallel(paths, maxConcurrent, async (path) => {
    const file = await open(path, 'r+').catch(fail);
    await file
      .sync()
      .catch(fail)
      .finally(() => file.close());
  });
  await Promise.all([...new Set(paths.map(dirname))].map(syncFolder));
}

import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { lstat, readdir, rename, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Log } from '../log.ts';
import { cacheKeyOf, listCode } from './code-files.ts';

const run = promisify(execFile);
const writer = join(import.meta.dirname, 'write.ts');
const prefix = '.code-';
const keepMs = 24 * 3_600_000;

/** The folder with the stripped code; undefined until it has been written. */
export type StrippedCode = () => string | undefined;

/**
 * Writes the code of jobs with types stripped, once per version, where a job may read but not write it. Until then, or
 * if that fails, processes strip types by themselves.
 */
export function prepareStrippedCode(scratchFolder: string, log: Log): StrippedCode {
  let folder: string | undefined;
  prepare(scratchFolder).then(
    (written) => (folder = written),
    (error: unknown) =>
      log('warning', 'jobs start more slowly, as the compiled code cache could not be written', {
        error: String(error),
      }),
  );
  return () => folder;
}

/** @throws Error if others could write to the folder */
export async function prepare(scratchFolder: string): Promise<string> {
  if (!(await isOwn(scratchFolder)))
    throw new Error(`The folder ${scratchFolder} belongs to another user, or other users can write to it.`);
  const folder = join(scratchFolder, prefix + (await cacheKeyOf(await listCode())));
  if (!(await isOwn(folder))) await write(scratchFolder, folder);
  const now = new Date();
  await utimes(folder, now, now);
  await removeOld(scratchFolder, folder);
  return folder;
}

async function write(scratchFolder: string, folder: string): Promise<void> {
  const draft = join(scratchFolder, `${prefix}${randomUUID()}`);
  try {
    const writing = run(process.execPath, ['--disable-warning=ExperimentalWarning', writer, draft], {
      env: {},
    });
    const endWriter = () => writing.child.kill('SIGKILL');
    process.once('exit', endWriter);
    await writing.finally(() => process.off('exit', endWriter));
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!(await isOwn(folder))) throw error; // otherwise another runner was first
  }
}

/** Removes code of earlier versions and unfinished drafts. */
async function removeOld(scratchFolder: string, current: string): Promise<void> {
  for (const name of await readdir(scratchFolder)) {
    const path = join(scratchFolder, name);
    if (!name.startsWith(prefix) || path === current) continue;
    const stats = await lstat(path).catch(() => undefined);
    if (stats && Date.now() - stats.mtimeMs > keepMs) await rm(path, { recursive: true, force: true });
  }
}

/** Whether only we can write to this folder. */
async function isOwn(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  if (!stats?.isDirectory()) return false;
  return process.getuid === undefined || (stats.uid === process.getuid() && (stats.mode & 0o022) === 0);
}

import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, rename, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Log } from '../log.ts';
import { isOwnFolder, isTrustedFolder } from '@platen/confinement/trusted-folder';
import { cacheKeyOf, installation, listCode } from './code-files.ts';

const run = promisify(execFile);
const bundler = join(import.meta.dirname, 'bundle.ts');
const prefix = '.code-';
const keepMs = 24 * 3_600_000;

/** Where `npm run build` puts it, so that no runner has to write it. */
const builtFolder = join(installation, 'build/job-code');

/** The folder with the code of jobs; undefined until it has been written. */
export type JobCode = () => string | undefined;

/**
 * Bundles and compiles the code of jobs, once per version, where a job may read but not write it. Until then, or if that
 * fails, as it does without the bundler, processes load the modules and strip their types by themselves.
 */
export function prepareJobCode(scratchFolder: string, log: Log): JobCode {
  let folder: string | undefined;
  prepare(scratchFolder).then(
    (written) => (folder = written),
    (error: unknown) =>
      log('warning', 'jobs start more slowly, as their code could not be compiled: run “npm run build”', {
        error: String(error),
      }),
  );
  return () => folder;
}

/** Writes the code of this version for all runners of this installation. */
export async function buildJobCode(built = builtFolder): Promise<void> {
  const name = prefix + cacheKeyOf(listCode());
  await mkdir(built, { recursive: true });
  if (!(await isTrustedFolder(join(built, name)))) await write(built, join(built, name));
  await removeOld(built, join(built, name));
}

/** @throws Error if it has to be written and others could write to the folder */
export async function prepare(scratchFolder: string, built = builtFolder): Promise<string> {
  const name = prefix + cacheKeyOf(listCode());
  const isOurs = await isOwnFolder(scratchFolder);
  if (await isTrustedFolder(join(built, name))) {
    if (isOurs) await removeOld(scratchFolder, join(built, name));
    return join(built, name);
  }
  if (!isOurs)
    throw new Error(`The folder ${scratchFolder} belongs to another user, or other users can write to it.`);
  const folder = join(scratchFolder, name);
  if (!(await isOwnFolder(folder))) await write(scratchFolder, folder);
  const now = new Date();
  await utimes(folder, now, now);
  await removeOld(scratchFolder, folder);
  return folder;
}

async function write(scratchFolder: string, folder: string): Promise<void> {
  const draft = join(scratchFolder, `${prefix}${randomUUID()}`);
  try {
    const bundling = run(process.execPath, ['--disable-warning=ExperimentalWarning', bundler, draft], {
      env: {},
    });
    const endBundler = () => bundling.child.kill('SIGKILL');
    process.once('exit', endBundler);
    await bundling.finally(() => process.off('exit', endBundler));
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!(await isOwnFolder(folder))) throw error; // otherwise another runner was first
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

import { createHash } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

export const installation = resolve(import.meta.dirname, '../..');
/** The rooms that a job needs. It can read nothing else of the installation, so no data folder in it. */
export const jobRooms = ['contract', 'geo', 'formats', 'processing', 'runner'];
export const childProgram = join(installation, 'runner/child.ts');

/** The file of the job code that runs a program, such as `runner-child.cjs`. */
export function compiledOf(folder: string, program: string): string {
  return join(folder, `${basename(dirname(program))}-${basename(program, '.ts')}.cjs`);
}

/** What a process of a job and its threads load first. */
export const guardsOf = (folder: string) => join(folder, 'guards.cjs');

/** Lists what the job code is made of, relative to the installation. */
export async function listCode(): Promise<string[]> {
  const paths = ['package-lock.json'];
  const pattern = `{${jobRooms.join(',')}}/**/*.ts`;
  for await (const path of glob(pattern, { cwd: installation, exclude: ['**/node_modules', '**/*.test.ts'] }))
    paths.push(path);
  return paths.toSorted();
}

/**
 * Depends on the content, as packages and images give all files the same time; also on the folder and on Node's
 * version.
 */
export async function cacheKeyOf(paths: readonly string[], from = installation): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([process.version, from, paths]));
  for (const path of paths) {
    const bytes = await readFile(join(from, path));
    hash.update(`${bytes.length} `).update(bytes);
  }
  return hash.digest('hex').slice(0, 32);
}

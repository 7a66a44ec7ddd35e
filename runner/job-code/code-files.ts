import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

export const installation = resolve(import.meta.dirname, '../..');
/** The rooms that a job needs. It can read nothing else of the installation, so no data folder in it. */
export const jobRooms = ['contract', 'geo', 'formats', 'processing', 'runner', 'styles'];
export const childProgram = join(installation, 'runner/child.ts');

/** The file of the job code that runs a program, such as `runner-child.cjs`. */
export function compiledOf(folder: string, program: string): string {
  return join(folder, `${basename(dirname(program))}-${basename(program, '.ts')}.cjs`);
}

/** What a process of a job and its threads load first. */
export const guardsOf = (folder: string) => join(folder, 'guards.cjs');

/** Lists what the job code is made of, relative to the installation. */
export function listCode(): string[] {
  const paths = jobRooms.flatMap((room) =>
    readdirSync(join(installation, room), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !/\.test\.ts$|node_modules/.test(name))
      .map((name) => join(room, name)),
  );
  return ['package-lock.json', ...paths].toSorted();
}

/**
 * Depends on the content, as packages and images give all files the same time; also on the folder and on Node's
 * version. A runner calls it once, when it starts: one file after the other takes a fifth of the time of promises.
 */
export function cacheKeyOf(paths: readonly string[], from = installation): string {
  const hash = createHash('sha256').update(JSON.stringify([process.version, from, paths]));
  for (const path of paths) {
    const bytes = readFileSync(join(from, path));
    hash.update(`${bytes.length} `).update(bytes);
  }
  return hash.digest('hex').slice(0, 32);
}

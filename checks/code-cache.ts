import { readdirSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';

const folder = resolve(import.meta.dirname, '../node_modules/.cache/platen-tests');
/** A run of the whole suite needs some 4,000; each change of a file adds one. */
const maxFiles = 20_000;

/** Where runs of the tests keep compiled code for the next ones, by the content of each file: a fifth of a short run. */
export function codeCacheFolder(): string {
  try {
    if (readdirSync(folder, { recursive: true }).length > maxFiles) rmSync(folder, { recursive: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error; // there is none yet
  }
  return folder;
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterFile } from '../checks/clean-up.ts';

export interface TestFolder {
  readonly folder: string;
  /** Returns another path in the folder on each call. */
  newPath(): string;
}

/** Makes a folder that is removed after the tests of the calling file, which calls this at its top level. */
export function makeTestFolder(ending: string): TestFolder {
  const folder = mkdtempSync(join(tmpdir(), 'platen-formats-'));
  afterFile(() => rmSync(folder, { recursive: true }));
  let files = 0;
  return { folder, newPath: () => join(folder, `${files++}${ending}`) };
}

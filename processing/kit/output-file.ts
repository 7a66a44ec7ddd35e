import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** A file of the output folder that gets its name only when it is complete. It is not synced: the uploaded copy will be. */
export interface OutputFile {
  /** Where it is written. */
  readonly path: string;
  finish(): void;
  /** Instead of `finish`. */
  discard(): void;
}

export function openOutputFile(outputFolder: string, name: string): OutputFile {
  const path = join(outputFolder, `.${name}.unfinished`);
  return {
    path,
    finish: () => renameSync(path, join(outputFolder, name)),
    discard: () => rmSync(path, { force: true }),
  };
}

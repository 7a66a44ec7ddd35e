import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Skips links; `readdir` with `recursive` would follow links to folders. */
export async function* listFiles(folder: string): AsyncGenerator<string> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isFile()) yield path;
    if (entry.isDirectory()) yield* listFiles(path);
  }
}

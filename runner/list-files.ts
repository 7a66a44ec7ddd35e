import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Links are passed over, and not followed, as the `recursive` of `readdir` would follow those to folders. */
export async function* listFiles(folder: string): AsyncGenerator<string> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isFile()) yield path;
    if (entry.isDirectory()) yield* listFiles(path);
  }
}

import { mkdir, readdir, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { encodingFor, compressSlowly, type Encoding } from './compressed.ts';
import { writeWhole } from './compressed-forms.ts';
import type { WebFile } from './web-file.ts';

/** Where `npm run build` puts the best compressed forms of what every service sends, so that none has to make them. */
export const builtForms = resolve(import.meta.dirname, '../../../build/compressed');

const encodings: readonly Encoding[] = ['br', 'gzip'];

/** Makes the best forms that are missing, and removes those of other files. Takes seconds for a megabyte. */
export async function buildForms(files: Iterable<WebFile>, folder = builtForms): Promise<void> {
  await mkdir(folder, { recursive: true });
  const existing = new Set(await readdir(folder));
  const wanted = new Map<string, { file: WebFile; encoding: Encoding }>();
  for (const file of files) {
    for (const encoding of encodings) {
      if (encodingFor(encoding, file)) wanted.set(`${file.id}.${encoding}`, { file, encoding });
    }
  }
  for (const name of existing) if (!wanted.has(name)) await rm(join(folder, name));
  const missing = [...wanted].filter(([name]) => !existing.has(name)).values();
  const make = async () => {
    for (const [name, { file, encoding }] of missing)
      await writeWhole(join(folder, name), await compressSlowly(await file.read(), encoding));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, make));
}

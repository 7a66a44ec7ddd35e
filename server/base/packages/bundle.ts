import { randomUUID } from 'node:crypto';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { bundledNames, fileOf } from './packages.ts';

// A program that bundles these packages into a folder of this name, in place of earlier versions.
const [folder, name] = process.argv.slice(2) as [string, string];
const draft = join(folder, `draft-${randomUUID()}`);
try {
  const input = Object.fromEntries(bundledNames.map((specifier) => [fileOf(specifier), specifier]));
  const bundle = await rolldown({ cwd: import.meta.dirname, platform: 'node', input, logLevel: 'warn' });
  await bundle.write({ dir: draft, format: 'esm', entryFileNames: '[name]', chunkFileNames: '[name].mjs' });
  await rename(draft, join(folder, name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error; // another process was quicker, with the same
  });
} finally {
  await rm(draft, { recursive: true, force: true });
}
for (const other of await readdir(folder)) {
  if (other !== name && !other.startsWith('draft-'))
    await rm(join(folder, other), { recursive: true, force: true });
}

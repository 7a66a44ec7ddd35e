import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installation, listCode } from './code-files.ts';

/** A program that writes all code of jobs with types stripped to the folder of its argument. */
const [folder] = process.argv.slice(2);

for (const path of await listCode()) {
  const target = join(folder!, path);
  await mkdir(dirname(target), { recursive: true, mode: 0o755 });
  await writeFile(target, await stripTypes(path), { mode: 0o644 });
}
await writeFile(join(folder!, 'root'), pathToFileURL(installation + sep).href);
await writeFile(join(folder!, 'load.mjs'), await stripTypes(join('runner', 'stripped-code', 'load.ts')));

async function stripTypes(path: string): Promise<string> {
  return stripTypeScriptTypes(await readFile(join(installation, path), 'utf8'));
}

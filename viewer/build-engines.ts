import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, cp, link, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { packagedEngines } from './engines.ts';
import { licenceFile, licenceText } from './licences.ts';
import { packagedTools, servedFolders } from './tools.ts';

/** Excludes the page that expects an app next to it, and files that only debuggers read. */
const isServed = (name: string) => name !== 'index.html' && !name.endsWith('.map');

/**
 * Copies the served files of all installed engines into a folder, by hard links where the file system allows it, and the same
 * content once. Afterwards the packages are no longer needed.
 * @throws Error without touching the folder when no package is installed: the copies may be all there is
 */
export async function copyEngines(folder: string, engines = packagedEngines()): Promise<void> {
  if (engines.length === 0) throw new Error('The map viewers are not installed: run “npm ci” first.');
  await rm(folder, { recursive: true, force: true });
  const copies = new Map<string, string>();
  for (const { alias, version, folder: from } of engines) {
    const to = join(folder, alias);
    for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
      const source = join(entry.parentPath, entry.name);
      const name = source.slice(from.length + 1);
      if (!entry.isFile() || !isServed(name)) continue;
      const target = join(to, 'dist', name);
      await mkdir(dirname(target), { recursive: true });
      const hash = createHash('sha256')
        .update(await readFile(source))
        .digest('hex');
      const first = copies.get(hash);
      await link(first ?? source, target).catch(() => copyFile(source, target));
      if (first === undefined) copies.set(hash, target);
    }
    await writeFile(join(to, 'package.json'), JSON.stringify({ version }));
    await writeFile(join(to, licenceFile), licenceText(dirname(from)));
  }
}

/**
 * Copies the served files of all installed tools into a folder.
 * @throws Error without touching the folder when no package is installed: the copies may be all there is
 */
export async function copyTools(folder: string, tools = packagedTools()): Promise<void> {
  if (tools.length === 0)
    throw new Error('The tools of the map viewer are not installed: run “npm ci” first.');
  await rm(folder, { recursive: true, force: true });
  for (const { name, version, license, mapVersion, folder: from } of tools) {
    const to = join(folder, name);
    await mkdir(to, { recursive: true });
    for (const part of servedFolders)
      if (existsSync(join(from, part))) await cp(join(from, part), join(to, part), { recursive: true });
    await writeFile(join(to, 'package.json'), JSON.stringify({ version, license, mapVersion }));
    await writeFile(join(to, licenceFile), licenceText(from));
  }
}

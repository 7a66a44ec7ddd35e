import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WebFile } from '../../apps/app-pages/web-file.ts';
import { webTypeOf } from '../../apps/app-pages/web-types.ts';
import { fileInMemory } from './file-in-memory.ts';

/** What `web/build/build.ts` has made. */
export interface BuiltInterface {
  /** The page, with places for what differs from answer to answer. */
  readonly html: string;
  /** Addresses of the scripts that every page loads for signed-in users, besides those in `html`. */
  readonly frame: readonly string[];
  /** By address: files whose names contain a hash of their content, and files with constant names. */
  readonly files: ReadonlyMap<string, WebFile>;
  readonly named: ReadonlyMap<string, WebFile>;
}

const builtFolder = fileURLToPath(new URL('../../../web/dist', import.meta.url));

/** undefined when the interface was not built. */
export function readBuilt(folder = builtFolder): BuiltInterface | undefined {
  const page = join(folder, 'index.html');
  if (!existsSync(page)) return undefined;
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !join(entry.parentPath, entry.name).includes(`${sep}.`))
    .map((entry) => join(entry.parentPath, entry.name))
    .flatMap((path): [string, WebFile][] => {
      const name = path.slice(folder.length + 1).replaceAll(sep, '/');
      const type = webTypeOf(name);
      return type === undefined || name === 'index.html' ? [] : [[`/web/${name}`, fileAt(path, type)]];
    });
  const isHashed = ([path]: [string, WebFile]) => path.startsWith('/web/assets/');
  const html = readFileSync(page, 'utf8');
  return {
    html,
    frame: scriptsOf(folder, 'shell/AppShell.vue').filter((path) => !html.includes(path)),
    files: new Map(files.filter(isHashed)),
    named: new Map(files.filter((file) => !isHashed(file))),
  };
}

interface Chunk {
  readonly file: string;
  /** The names of others in the manifest. */
  readonly imports?: readonly string[];
}

/** The script of a module with all that it imports, by Vite's manifest. */
function scriptsOf(folder: string, module: string): string[] {
  const text = readFileSync(join(folder, '.vite', 'manifest.json'), 'utf8');
  const manifest = JSON.parse(text) as Readonly<Record<string, Chunk>>;
  const reached = new Set([module]);
  for (const name of reached) for (const next of manifest[name]?.imports ?? []) reached.add(next);
  return [...reached].flatMap((name) => (manifest[name] ? [`/web/${manifest[name].file}`] : []));
}

/** In memory: the folder may be replaced by that of another version while this one runs. */
function fileAt(path: string, type: string): WebFile {
  return fileInMemory(readFileSync(path), type);
}

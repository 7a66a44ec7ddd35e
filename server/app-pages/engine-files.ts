import { readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { installedEngines } from '@platen/viewer/engines';
import { startScript } from '@platen/viewer/start-script';
import { compress, type Encoding } from './compressed.ts';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.eot': 'application/vnd.ms-fontobject',
  '.glb': 'model/gltf-binary',
  '.gif': 'image/gif',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.ktx2': 'image/ktx2',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
  '.webp': 'image/webp',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml',
};

/** One file of an installed engine. */
export interface EngineFile {
  readonly type: string;
  readonly bytes: number;
  readonly etag: string;
  /** Read when it is asked for; compressed forms are made once and kept. */
  body(encoding: Encoding | undefined): Promise<Buffer>;
}

/** The files by their addresses: whatever is not listed cannot be reached, however a path is written. */
export type EngineFiles = ReadonlyMap<string, EngineFile>;

/** Lists the files of all installed engines; the compressed forms that are kept are about a third of their size. */
export function listEngineFiles(): EngineFiles {
  const files = new Map<string, EngineFile>();
  for (const { version, folder } of installedEngines()) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const name = path.slice(folder.length + 1).replaceAll(sep, '/');
      // the engine's own page would look for an app beside it
      if (name === 'index.html') continue;
      const { size } = statSync(path);
      const content = { read: () => readFile(path), name, bytes: size, etag: `W/"${version}-${size}"` };
      files.set(`/engines/${version}/${name}`, fileOf(content));
    }
  }
  const { path, body } = startScript();
  const bytes = Buffer.from(body);
  const start = {
    read: async () => bytes,
    name: path,
    bytes: bytes.length,
    etag: `W/"start-${bytes.length}"`,
  };
  return files.set(path, fileOf(start));
}

interface Content {
  readonly read: () => Promise<Buffer>;
  readonly name: string;
  readonly bytes: number;
  readonly etag: string;
}

function fileOf({ read, name, bytes, etag }: Content): EngineFile {
  const kept = new Map<Encoding, Promise<Buffer>>();
  return {
    type: types[extname(name).toLowerCase()] ?? 'application/octet-stream',
    bytes,
    etag,
    body(encoding) {
      if (encoding === undefined) return read();
      const known = kept.get(encoding);
      if (known) return known;
      const made = read().then((body) => compress(body, encoding));
      kept.set(encoding, made);
      made.catch(() => kept.delete(encoding));
      return made;
    },
  };
}

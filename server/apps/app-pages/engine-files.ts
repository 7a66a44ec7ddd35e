import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { installedEngines } from '@platen/viewer/engines';
import { previewScript, startScript, type StartScript } from '@platen/viewer/start-script';
import type { WebFile } from './web-files.ts';
import { webTypeOf } from './web-types.ts';

/** The files by their addresses: whatever is not listed cannot be reached, however a path is written. */
type EngineFiles = ReadonlyMap<string, WebFile>;

let listed: EngineFiles | undefined;

/** The files of all installed engines, which stay as they are while the service runs, and our scripts that start them. */
export function listEngineFiles(): EngineFiles {
  listed ??= new Map([
    ...installedEngines().flatMap(filesOf),
    ownFile(startScript()),
    ownFile(previewScript()),
  ]);
  return listed;
}

function filesOf({ version, folder }: { version: string; folder: string }): [string, WebFile][] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1).replaceAll(sep, '/');
    // the engine's own page would look for an app beside it
    if (!entry.isFile() || name === 'index.html') return [];
    const { size } = statSync(path);
    const file = {
      id: digest(`${version}/${name} ${size}`),
      type: webTypeOf(name) ?? 'application/octet-stream',
      bytes: size,
      etag: `W/"${version}-${size}"`,
      read: () => readFile(path),
    };
    return [[`/engines/${version}/${name}`, file]];
  });
}

function ownFile({ path, body }: StartScript): [string, WebFile] {
  const bytes = Buffer.from(body);
  const id = digest(body);
  const type = webTypeOf(path)!;
  return [path, { id, type, bytes: bytes.length, etag: `W/"${id.slice(0, 22)}"`, read: async () => bytes }];
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex');

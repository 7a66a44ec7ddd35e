import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { installedEngines, type Engine } from '@platen/viewer/engines';
import { mapTypeface } from '@platen/viewer/font-file';
import { placesFile } from '@platen/viewer/places-file';
import { previewScript, startScript } from '@platen/viewer/start-script';
import type { WebFile } from './web-file.ts';
import { webTypeOf } from './web-types.ts';

/** The files by their addresses: whatever is not listed cannot be reached, however a path is written. */
type EngineFiles = ReadonlyMap<string, WebFile>;

const listed = new Map<string, Promise<EngineFiles>>();

/**
 * The files of one installed engine, which stay as they are while the service runs. They are listed when the engine is first
 * asked for; an engine that is not installed has none.
 */
export function listEngineFiles(version: string): Promise<EngineFiles> {
  const known = listed.get(version);
  if (known) return known;
  const engine = installedEngines().find((one) => one.version === version);
  if (!engine) return Promise.resolve(new Map());
  const listing = filesOf(engine);
  listed.set(version, listing);
  listing.catch(() => listed.delete(version));
  return listing;
}

let startScripts: EngineFiles | undefined;

/** Our scripts that start the engines, the towns that these search, and our typeface, by their addresses. */
export function listStartScripts(): EngineFiles {
  const { style, font } = mapTypeface();
  startScripts ??= new Map([startScript(), previewScript(), placesFile(), style, font].map(ownFile));
  return startScripts;
}

async function filesOf({ version, folder }: Engine): Promise<EngineFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = await Promise.all(
    entries.map(async (entry): Promise<[string, WebFile] | undefined> => {
      const path = join(entry.parentPath, entry.name);
      const name = path.slice(folder.length + 1).replaceAll(sep, '/');
      // the engine's own page would look for an app in its own folder
      if (!entry.isFile() || name === 'index.html') return undefined;
      const { size } = await stat(path);
      const file = {
        id: digest(`${version}/${name} ${size}`),
        type: webTypeOf(name) ?? 'application/octet-stream',
        bytes: size,
        etag: `W/"${version}-${size}"`,
        read: () => readFile(path),
      };
      return [`/engines/${version}/${name}`, file];
    }),
  );
  return new Map(files.filter((file) => file !== undefined));
}

interface OwnFile {
  readonly path: string;
  readonly body: string | Buffer;
}

function ownFile({ path, body }: OwnFile): [string, WebFile] {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const id = digest(bytes);
  const type = webTypeOf(path)!;
  return [path, { id, type, bytes: bytes.length, etag: `W/"${id.slice(0, 22)}"`, read: async () => bytes }];
}

const digest = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

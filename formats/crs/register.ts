import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** A file of the package epsg-index: EPSG's register, and ESRI's own codes from 37000 on. */
export interface EpsgEntry {
  readonly code: string;
  /** `CRS-PROJCRS`, `CRS-GEOGCRS`, `CRS-GEOG3DCRS`, `CRS-COMPOUNDCRS`, `CRS-VERTCRS`, `CRS-GCENCRS`, … */
  readonly kind: string;
  readonly name: string;
  /** WKT 1, without AXIS if the northing or latitude comes first. Null or empty for some codes. */
  readonly wkt: string | null;
  readonly proj4: string | null;
  /** North, west, south, east. */
  readonly bbox: readonly [number, number, number, number] | null;
  readonly unit: string | null;
}

/** Reads the entries of the EPSG register. */
export interface EpsgRegister {
  /** The JSON of one entry. */
  read(code: string): string | undefined;
  readAll(): EpsgEntry[];
}

/** The entries of the build, in one file of 8 MB: the package epsg-index has a file for each, which take 40 MB of a disk. */
export const packedFolder = join(import.meta.dirname, '../../build/epsg');
const entriesName = 'entries.jsonl';
/** Code → offset and length in bytes. */
const indexName = 'index.json';

/** undefined where the package is not installed. */
export function openInstalledRegister(): EpsgRegister | undefined {
  const folder = packageFolder();
  if (folder === undefined) return undefined;
  return {
    read(code) {
      try {
        return readFileSync(join(folder, 's', `${code}.json`), 'utf8');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },
    readAll: () => Object.values(readAllOf(folder)),
  };
}

/** @throws Error when nothing was packed there */
export function openPackedRegister(folder: string): EpsgRegister {
  const path = join(folder, entriesName);
  const index = JSON.parse(readFileSync(join(folder, indexName), 'utf8')) as Record<string, [number, number]>;
  return {
    read(code) {
      if (!Object.hasOwn(index, code)) return undefined;
      const [offset, length] = index[code]!;
      const bytes = Buffer.alloc(length);
      const file = openSync(path, 'r');
      try {
        readSync(file, bytes, 0, length, offset);
      } finally {
        closeSync(file);
      }
      return bytes.toString();
    },
    readAll: () =>
      readFileSync(path, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as EpsgEntry),
  };
}

/** Packs the entries of the installed package into a folder. */
export async function packRegister(folder: string): Promise<void> {
  const from = packageFolder();
  if (from === undefined) throw new Error('The package epsg-index is not installed.');
  const index: Record<string, [number, number]> = {};
  const lines: Buffer[] = [];
  let offset = 0;
  for (const [code, entry] of Object.entries(readAllOf(from))) {
    const line = Buffer.from(`${JSON.stringify(entry)}\n`);
    index[code] = [offset, line.length - 1];
    offset += line.length;
    lines.push(line);
  }
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, entriesName), Buffer.concat(lines));
  await writeFile(join(folder, indexName), JSON.stringify(index));
}

function packageFolder(): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve('epsg-index/package.json'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

function readAllOf(folder: string): Record<string, EpsgEntry> {
  return JSON.parse(readFileSync(join(folder, 'all.json'), 'utf8')) as Record<string, EpsgEntry>;
}

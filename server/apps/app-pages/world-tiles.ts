import { strongTag } from '../../http/content-tag.ts';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { worldFolders, type WorldMap } from '@platen/viewer/world-module';
import type { NameLanguage } from '@platen/viewer/world-names-layers';
import { openArchive } from '@platen/geo/pmtiles/archive';
import type { Archive, ReadRange } from '@platen/geo/pmtiles/read-archive';

export interface WorldTile {
  readonly bytes: Uint8Array;
  readonly etag: string;
}

export type FindWorldTile = (z: number, x: number, y: number) => Promise<WorldTile | undefined>;

/** The files of the world base layer; one by the name of a world map, the lines, the details, and the names. */
export type WorldArchive =
  | (typeof worldFolders)[WorldMap]
  | 'world-lines'
  | 'world-detail'
  | `world-names-${NameLanguage}`;

/** The tiles of each world map. */
export type Worlds = Readonly<Record<WorldMap, FindWorldTile>>;

const folder = new URL('../../../viewer/basemap/', import.meta.url);

/** A PMTiles archive of the world base layer. It is small, and read whole when its first bytes are asked for. */
export function openWorldArchive(form: WorldArchive): ReadRange {
  const file = fileURLToPath(new URL(`${form}.pmtiles`, folder));
  let reading: Promise<Buffer> | undefined;
  return async (offset, length) => {
    reading ??= readFile(file);
    reading.catch(() => (reading = undefined));
    return (await reading).subarray(offset, offset + length);
  };
}

/** The tiles of each world map, as pictures. */
export const openWorlds = (): Worlds => ({
  'world-light': openWorldTiles(worldFolders['world-light']),
  'world-grey': openWorldTiles(worldFolders['world-grey']),
  'world-dark': openWorldTiles(worldFolders['world-dark']),
});

/** The tiles of the world base layer, as pictures or as gzipped vector tiles. */
export function openWorldTiles(form: WorldArchive = 'world'): FindWorldTile {
  const read = openWorldArchive(form);
  let opening: Promise<Archive> | undefined;
  return async (z, x, y) => {
    opening ??= openArchive(read);
    opening.catch(() => (opening = undefined));
    const range = await (await opening).findTile(z, x, y);
    if (!range) return undefined;
    const bytes = await read(range.offset, range.length);
    return { bytes, etag: strongTag(bytes) };
  };
}

import { strongTag } from '../../http/content-tag.ts';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { WorldMap, worldFolders } from '@platen/viewer/world-module';
import type { NameLanguage } from '@platen/viewer/world-names-layers';
import { openArchive, type Archive } from '@platen/geo/pmtiles/archive';

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

const folder = new URL('../../../viewer/basemap/', import.meta.url);

/**
 * The tiles of the world base layer, as pictures or as gzipped vector tiles; the archive is small, and read
 * whole when the first tile is asked for.
 */
export function openWorldTiles(form: WorldArchive = 'world'): FindWorldTile {
  const file = fileURLToPath(new URL(`${form}.pmtiles`, folder));
  let opening: Promise<{ all: Buffer; archive: Archive }> | undefined;
  const open = async () => {
    const all = await readFile(file);
    const archive = await openArchive(async (offset, length) => all.subarray(offset, offset + length));
    return { all, archive };
  };
  return async (z, x, y) => {
    opening ??= open();
    opening.catch(() => (opening = undefined));
    const { all, archive } = await opening;
    const range = await archive.findTile(z, x, y);
    if (!range) return undefined;
    const bytes = all.subarray(range.offset, range.offset + range.length);
    return { bytes, etag: strongTag(bytes) };
  };
}

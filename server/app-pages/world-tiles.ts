import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { openArchive, type Archive } from '@platen/geo/pmtiles/archive';

export interface WorldTile {
  readonly png: Uint8Array;
  readonly etag: string;
}

export type FindWorldTile = (z: number, x: number, y: number) => Promise<WorldTile | undefined>;

const file = fileURLToPath(new URL('../../viewer/basemap/world.pmtiles', import.meta.url));

/** The tiles of the world base layer; the archive is small, and read whole when the first tile is asked for. */
export function openWorldTiles(): FindWorldTile {
  let opening: Promise<{ bytes: Buffer; archive: Archive }> | undefined;
  const open = async () => {
    const bytes = await readFile(file);
    const archive = await openArchive(async (offset, length) => bytes.subarray(offset, offset + length));
    return { bytes, archive };
  };
  return async (z, x, y) => {
    opening ??= open();
    opening.catch(() => (opening = undefined));
    const { bytes, archive } = await opening;
    const range = await archive.findTile(z, x, y);
    if (!range) return undefined;
    const png = bytes.subarray(range.offset, range.offset + range.length);
    return { png, etag: `"${createHash('sha256').update(png).digest('base64url').slice(0, 22)}"` };
  };
}

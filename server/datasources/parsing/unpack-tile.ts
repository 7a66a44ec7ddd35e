import { gunzipSync } from 'node:zlib';
import { compression, type ArchiveHeader } from '@platen/geo/pmtiles/header';

/** A larger tile is neither served nor unpacked: a small file may unpack to a thousand times its size. */
export const maxTileBytes = 16 * 1024 * 1024;

/** A tile of a PMTiles archive without its gzip. It takes the thread up to some 50 ms: only for parsers. */
export function unpackTile(stored: Uint8Array, { tileCompression }: ArchiveHeader): Uint8Array {
  return tileCompression === compression.gzip
    ? gunzipSync(stored, { maxOutputLength: maxTileBytes })
    : stored;
}

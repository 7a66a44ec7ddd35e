import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { openArchive } from '@platen/geo/pmtiles/archive';
import type { ReadTile } from './placed-tiles.ts';

const unpack = promisify(gunzip);
const maxTileBytes = 16 * 1024 * 1024;

/** Calls `use` with a function that reads decompressed tiles of a local PMTiles archive with gzipped tiles. */
export async function withLocalArchive<T>(path: string, use: (read: ReadTile) => Promise<T>): Promise<T> {
  const file = await open(path);
  try {
    const readRange = async (offset: number, length: number) => {
      const bytes = new Uint8Array(length);
      const { bytesRead } = await file.read(bytes, 0, length, offset);
      return bytes.subarray(0, bytesRead);
    };
    const archive = await openArchive(readRange);
    return await use(async (z, x, y) => {
      const range = await archive.findTile(z, x, y);
      return range && unpack(await readRange(range.offset, range.length), { maxOutputLength: maxTileBytes });
    });
  } finally {
    await file.close();
  }
}

import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { openArchive } from '@platen/geo/pmtiles/archive';
import { compression } from '@platen/geo/pmtiles/header';
import type { ReadTile } from './placed-tiles.ts';

const unpack = promisify(gunzip);
const maxTileBytes = 16 * 1024 * 1024;

/** Calls `use` with a function that reads unpacked tiles of a local PMTiles archive. */
export async function withLocalArchive<T>(path: string, use: (read: ReadTile) => Promise<T>): Promise<T> {
  const file = await open(path);
  try {
    const readRange = async (offset: number, length: number) => {
      const bytes = new Uint8Array(length);
      const { bytesRead } = await file.read(bytes, 0, length, offset);
      return bytes.subarray(0, bytesRead);
    };
    const archive = await openArchive(readRange);
    const isPacked = archive.header.tileCompression === compression.gzip;
    return await use(async (z, x, y) => {
      const range = await archive.findTile(z, x, y);
      if (!range) return undefined;
      const bytes = await readRange(range.offset, range.length);
      return isPacked ? unpack(bytes, { maxOutputLength: maxTileBytes }) : bytes;
    });
  } finally {
    await file.close();
  }
}

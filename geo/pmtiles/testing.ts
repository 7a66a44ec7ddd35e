import { gzipSync } from 'node:zlib';
import { buildArchiveInMemory } from './archive-in-memory.ts';
import { openArchive } from './archive.ts';
import { compression, tileType } from './header.ts';
import type { LeafCache } from './leaf-cache.ts';
import { tileIdOf } from './tile-id.ts';

export const gzip = (bytes: Uint8Array): Uint8Array => gzipSync(bytes, { level: 1 });
export const info = {
  tileType: tileType.mvt,
  tileCompression: compression.gzip,
  metadata: { name: 'test', vector_layers: [] },
  minZoom: 0,
  maxZoom: 12,
  bounds: [-10.5, -20.25, 30, 40.125] as const,
  center: [9.75, 10, 3] as const,
};

export type Tile = readonly [z: number, x: number, y: number, bytes: Uint8Array];

export const writeTiles = (tiles: readonly Tile[]): Uint8Array =>
  buildArchiveInMemory(
    tiles.map(([z, x, y, bytes]) => ({ tileId: tileIdOf(z, x, y), bytes: gzip(bytes) })),
    info,
    gzip,
  );

/** The tiles in the order of their IDs. */
export const ascending = (tiles: readonly Tile[]): Tile[] =>
  [...tiles].sort((a, b) => tileIdOf(a[0], a[1], a[2]) - tileIdOf(b[0], b[1], b[2]));

export const openOurs = (file: Uint8Array, leaves?: LeafCache) => {
  const reads: [number, number][] = [];
  const archive = openArchive(async (offset, length) => {
    reads.push([offset, length]);
    return file.subarray(offset, offset + length);
  }, leaves && { leaves });
  return { archive, reads };
};

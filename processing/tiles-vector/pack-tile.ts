import { hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';

export interface PackedTile {
  /** gzip */
  readonly bytes: Uint8Array;
  /** 106 bits that tell small tiles apart, as two whole numbers; both 0 for tiles too large to be common. */
  readonly hashA: number;
  readonly hashB: number;
}

/** Larger tiles are hardly ever equal to others. */
const longestCommonTile = 2048;

/** Packs tiles; equal small ones, such as those of the open sea, only once. @param cacheBytes may be kept for that */
export function createTilePacker(cacheBytes: number): (tile: Uint8Array) => PackedTile {
  const latin1 = new TextDecoder('latin1');
  const known = new LRUCache<string, PackedTile>({
    maxSize: Math.max(1, Math.floor(cacheBytes)),
    sizeCalculation: ({ bytes }, key) => key.length + bytes.length,
  });
  return (tile) => {
    if (tile.length > longestCommonTile) return { bytes: gzip(tile), hashA: 0, hashB: 0 };
    const key = latin1.decode(tile);
    const found = known.get(key);
    if (found !== undefined) return found;
    const digest = hash('sha1', tile, 'buffer');
    const packed = {
      bytes: new Uint8Array(gzip(tile)), // a copy, as what gzip gives lies in a larger buffer
      hashA: digest.readUIntBE(0, 6) * 32 + (digest[6]! & 31),
      hashB: digest.readUIntBE(7, 6) * 32 + (digest[13]! & 31),
    };
    known.set(key, packed);
    return packed;
  };
}

/** Level 4 packs tiles as well as 6 does, in less time. A small tile needs no larger window than itself. */
export function gzip(bytes: Uint8Array): Uint8Array {
  const windowBits = Math.min(15, Math.max(9, Math.ceil(Math.log2(bytes.length + 1))));
  const chunkSize = Math.max(256, bytes.length >> 1);
  return gzipSync(bytes, { level: 4, windowBits, memLevel: Math.min(8, windowBits - 6), chunkSize });
}

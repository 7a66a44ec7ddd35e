import { hash } from 'node:crypto';
import { crc32, gzipSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';

export interface PackedTile {
  /** Of vector tiles: gzip. */
  readonly bytes: Uint8Array;
  /** A 106-bit hash that identifies small tiles, as two integers; both are 0 for larger tiles. */
  readonly hashA: number;
  readonly hashB: number;
}

/** Deflating a tile up to this size takes longer than making it, and saves less than the headers of gzip take. */
const maxStoredBytes = 128;

/** Larger tiles are rarely equal. */
const maxSharedTileBytes = 2048;

/** Compresses tiles; equal small ones, such as open sea, only once. @param cacheBytes size of the cache for them */
export function createTilePacker(cacheBytes: number): (tile: Uint8Array) => PackedTile {
  const latin1 = new TextDecoder('latin1');
  const known = new LRUCache<string, PackedTile>({
    maxSize: Math.max(1, Math.floor(cacheBytes)),
    sizeCalculation: ({ bytes }, key) => key.length + bytes.length,
  });
  return (tile) => {
    if (tile.length > maxSharedTileBytes) return { bytes: gzip(tile), hashA: 0, hashB: 0 };
    const key = latin1.decode(tile);
    const cached = known.get(key);
    if (cached !== undefined) return cached;
    const packed = {
      bytes: new Uint8Array(gzip(tile)), // copied, because gzip returns a view of a larger buffer
      ...hashTile(tile),
    };
    known.set(key, packed);
    return packed;
  };
}

/** Identifies a small tile; of larger ones both numbers are 0. */
export function hashTile(tile: Uint8Array): Pick<PackedTile, 'hashA' | 'hashB'> {
  if (tile.length > maxSharedTileBytes) return { hashA: 0, hashB: 0 };
  const { buffer, byteOffset } = hash('sha1', tile, 'buffer');
  const digest = new DataView(buffer, byteOffset);
  return {
    hashA: digest.getUint32(0) * 2 ** 21 + (digest.getUint32(4) >>> 11),
    hashB: digest.getUint32(8) * 2 ** 21 + (digest.getUint32(12) >>> 11),
  };
}

/**
 * Level 4 compresses tiles as well as level 6 in less time. A small tile needs no window larger than itself, and a very small
 * one is stored.
 */
export function gzip(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= maxStoredBytes) return store(bytes);
  const windowBits = Math.min(15, Math.max(9, Math.ceil(Math.log2(bytes.length + 1))));
  const chunkSize = Math.max(256, bytes.length >> 1);
  return gzipSync(bytes, { level: 4, windowBits, memLevel: Math.min(8, windowBits - 6), chunkSize });
}

/** A gzip member (RFC 1952) of one stored block (RFC 1951). */
function store(bytes: Uint8Array): Uint8Array {
  const { length } = bytes;
  const member = new Uint8Array(length + 23);
  const view = new DataView(member.buffer);
  member.set([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff, 1]);
  view.setUint16(11, length, true);
  view.setUint16(13, ~length, true);
  member.set(bytes, 15);
  view.setUint32(length + 15, crc32(bytes), true);
  view.setUint32(length + 19, length, true);
  return member;
}

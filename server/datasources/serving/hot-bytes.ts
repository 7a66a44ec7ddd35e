import { LRUCache } from 'lru-cache';

/** Small pieces of blobs that were read lately. A blob never changes, so what is kept is never stale. */
export interface HotBytes {
  get(key: string): Uint8Array | undefined;
  set(key: string, bytes: Uint8Array): void;
}

/**
 * Keeps at most `limitBytes`, the piece used longest ago goes first. A read of the disk's cache takes two hops between
 * threads, which is more than all else an answer costs; a map that many look at asks for the same few thousand tiles.
 */
export function hotBytesCache({
  limitBytes,
  maxPieceBytes,
}: {
  limitBytes: number;
  maxPieceBytes: number;
}): HotBytes {
  const kept = new LRUCache<string, Uint8Array>({
    maxSize: limitBytes,
    maxEntrySize: maxPieceBytes,
    sizeCalculation: ({ byteLength }) => Math.max(1, byteLength),
  });
  return {
    get: (key) => kept.get(key),
    set(key, bytes) {
      if (!kept.has(key)) kept.set(key, bytes);
    },
  };
}

import { LRUCache } from 'lru-cache';

/** Recently read small ranges of blobs. A blob never changes, so entries are never stale. */
export interface HotBytes {
  get(key: string): Uint8Array | undefined;
  set(key: string, bytes: Uint8Array): void;
}

/**
 * Keeps the most recently used ranges up to `limitBytes`. A read from the page cache costs two thread hops, more than the
 * rest of a response; a popular map requests the same few thousand tiles.
 */
export function hotBytesCache({
  limitBytes,
  maxRangeBytes,
}: {
  limitBytes: number;
  maxRangeBytes: number;
}): HotBytes {
  const kept = new LRUCache<string, Uint8Array>({
    maxSize: limitBytes,
    maxEntrySize: maxRangeBytes,
    sizeCalculation: ({ byteLength }) => Math.max(1, byteLength),
  });
  return {
    get: (key) => kept.get(key),
    set(key, bytes) {
      if (!kept.has(key)) kept.set(key, bytes);
    },
  };
}

/** Small pieces of blobs that were read lately. A blob never changes, so what is kept is never stale. */
export interface HotBytes {
  get(key: string): Uint8Array | undefined;
  set(key: string, bytes: Uint8Array): void;
}

/**
 * Keeps at most `limitBytes`, the piece used longest ago goes first. A read of the disk's cache takes two hops between
 * threads, which is more than all else an answer costs; a map that many look at asks for the same few thousand tiles.
 */
export function keepHot({
  limitBytes,
  maxPieceBytes,
}: {
  limitBytes: number;
  maxPieceBytes: number;
}): HotBytes {
  const kept = new Map<string, Uint8Array>();
  let total = 0;
  return {
    get(key) {
      const bytes = kept.get(key);
      if (bytes === undefined) return undefined;
      // renews its place: a Map iterates in the order of insertion
      kept.delete(key);
      kept.set(key, bytes);
      return bytes;
    },
    set(key, bytes) {
      if (bytes.byteLength > maxPieceBytes || kept.has(key)) return;
      kept.set(key, bytes);
      total += bytes.byteLength;
      for (const [oldest, old] of kept) {
        if (total <= limitBytes) break;
        kept.delete(oldest);
        total -= old.byteLength;
      }
    },
  };
}

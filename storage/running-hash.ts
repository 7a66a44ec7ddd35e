import { createHash, type Hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** SHA-256 that counts its bytes. */
export class RunningHash {
  readonly #hash: Hash = createHash('sha256');
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  update(chunk: Uint8Array): void {
    this.#hash.update(chunk);
    this.#bytes += chunk.byteLength;
  }

  /** 64 lower-case hexadecimal digits of the bytes so far; hashing can continue afterwards. */
  digest(): string {
    return this.#hash.copy().digest('hex');
  }
}

/** Hashes of drafts between their chunks, each with a mark that identifies the bytes. */
export interface HashCache {
  /** Removes and returns the hash of exactly these bytes; undefined if unknown or outdated. */
  take(id: string, mark: string): RunningHash | undefined;
  /** Beyond the limit the oldest one is evicted. */
  keep(id: string, mark: string, hash: RunningHash): void;
  forget(id: string): void;
}

/** A hash takes about a kilobyte. */
export function createHashCache(limit = 1000): HashCache {
  const cached = new LRUCache<string, { mark: string; hash: RunningHash }>({ max: limit });
  return {
    take(id, mark) {
      const it = cached.get(id);
      cached.delete(id);
      return it?.mark === mark ? it.hash : undefined;
    },
    keep(id, mark, hash) {
      cached.set(id, { mark, hash });
    },
    forget(id) {
      cached.delete(id);
    },
  };
}

import { createHash, type Hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** A SHA-256 that knows how far it has come. */
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

  /** 64 lower-case hexadecimal digits of what came so far; it can go on afterwards. */
  digest(): string {
    return this.#hash.copy().digest('hex');
  }
}

/** The hashes of drafts between their pieces, for each with a mark of the bytes it stands for. */
export interface KeptHashes {
  /** Takes out the hash of these very bytes. `undefined`: not known here, or no longer right. */
  take(id: string, mark: string): RunningHash | undefined;
  /** Over the limit the one that was kept first is forgotten. */
  keep(id: string, mark: string, hash: RunningHash): void;
  forget(id: string): void;
}

/** A hash takes about a kilobyte. */
export function keepHashes(limit = 1000): KeptHashes {
  const kept = new LRUCache<string, { mark: string; hash: RunningHash }>({ max: limit });
  return {
    take(id, mark) {
      const it = kept.get(id);
      kept.delete(id);
      return it?.mark === mark ? it.hash : undefined;
    },
    keep(id, mark, hash) {
      kept.set(id, { mark, hash });
    },
    forget(id) {
      kept.delete(id);
    },
  };
}

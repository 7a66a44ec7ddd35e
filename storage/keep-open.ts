import { LRUCache } from 'lru-cache';
import type { ObjectStore, OpenObject } from './object-store.ts';

/**
 * Opened objects kept for the next request: a map asks for hundreds of ranges of the same few files.
 * Only for objects whose id is never put twice: what is kept stays the version that was opened first.
 */
export interface OpenObjects {
  /** Runs `read` with the object, which stays open at least until it settles. `undefined` when there is none. */
  use<T>(id: string, read: (object: OpenObject) => Promise<T>): Promise<T | undefined>;
  /** Lets go of an object that is about to be removed, so that its bytes leave the disk. */
  forget(id: string): void;
  /** Lets go of all, for good; what is in use closes when its reader is done. */
  close(): void;
}

/** Keeps at most `limit` objects (and those in use), each for `idleMs` to twice that after its last use. */
export function keepOpen(store: ObjectStore, { limit = 256, idleMs = 30_000 } = {}): OpenObjects {
  const kept = new LRUCache<string, Kept>({ max: limit, dispose: letGo });
  const sweep = setInterval(() => {
    const entries = Array.from(kept.entries()); // before any is deleted
    for (const [id, it] of entries) {
      if (it.idle) kept.delete(id);
      else it.idle = it.users === 0;
    }
  }, idleMs);
  sweep.unref();

  function take(id: string): Kept {
    const known = kept.get(id);
    const it = known ?? { object: store.open(id), users: 0, idle: false, dropped: false };
    it.users++;
    it.idle = false;
    if (!known) kept.set(id, it);
    return it;
  }

  return {
    async use(id, read) {
      const it = take(id);
      try {
        const object = await it.object;
        if (object) return await read(object);
        if (kept.peek(id) === it) kept.delete(id); // absence is not kept
        return undefined;
      } catch (error) {
        if (kept.peek(id) === it) kept.delete(id); // a broken descriptor neither
        throw error;
      } finally {
        it.users--;
        if (it.dropped && it.users === 0) closeKept(it);
      }
    },

    forget(id) {
      kept.delete(id);
    },

    close() {
      clearInterval(sweep);
      kept.clear();
    },
  };
}

interface Kept {
  object: Promise<OpenObject | undefined>;
  users: number;
  /** Not used since the sweep before. */
  idle: boolean;
  /** No longer kept: the last user closes it. */
  dropped: boolean;
}

/** What is in use is closed by its last user. */
function letGo(it: Kept): void {
  it.dropped = true;
  if (it.users === 0) closeKept(it);
}

/** Whoever opened it has met an error of opening already, and one of closing changes nothing for anybody. */
function closeKept(it: Kept): void {
  it.object.then((object) => object?.close()).catch(() => {});
}

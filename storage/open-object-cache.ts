import { LRUCache } from 'lru-cache';
import type { ObjectStore, OpenObject } from './object-store.ts';

/**
 * Opened objects kept for the next request: a map asks for hundreds of ranges of the same few files.
 * Only for objects whose id is never put twice: what is kept stays the version that was opened first.
 */
export interface OpenObjectCache {
  /** Runs `read` with the object, which stays open at least until it settles. `undefined` when there is none. */
  use<T>(id: string, read: (object: OpenObject) => Promise<T>): Promise<T | undefined>;
  /** Lets go of an object that is about to be removed, so that its bytes leave the disk. */
  forget(id: string): void;
  /** Lets go of all, for good; what is in use closes when its reader is done. */
  close(): void;
}

/** Keeps at most `limit` objects (and those in use), each for `idleMs` to twice that after its last use. */
export function createOpenObjectCache(
  store: ObjectStore,
  { limit = 256, idleMs = 30_000 } = {},
): OpenObjectCache {
  const cached = new LRUCache<string, CachedObject>({ max: limit, dispose: release });
  const sweep = setInterval(() => {
    const entries = Array.from(cached.entries()); // before any is deleted
    for (const [id, it] of entries) {
      if (it.idle) cached.delete(id);
      else it.idle = it.users === 0;
    }
  }, idleMs);
  sweep.unref();

  function take(id: string): CachedObject {
    const known = cached.get(id);
    const it = known ?? { object: store.open(id), users: 0, idle: false, dropped: false };
    it.users++;
    it.idle = false;
    if (!known) cached.set(id, it);
    return it;
  }

  return {
    async use(id, read) {
      const it = take(id);
      try {
        const object = await it.object;
        if (object) return await read(object);
        if (cached.peek(id) === it) cached.delete(id); // absence is not kept
        return undefined;
      } catch (error) {
        if (cached.peek(id) === it) cached.delete(id); // a broken descriptor neither
        throw error;
      } finally {
        it.users--;
        if (it.dropped && it.users === 0) closeCached(it);
      }
    },

    forget(id) {
      cached.delete(id);
    },

    close() {
      clearInterval(sweep);
      cached.clear();
    },
  };
}

interface CachedObject {
  object: Promise<OpenObject | undefined>;
  users: number;
  /** Not used since the sweep before. */
  idle: boolean;
  /** No longer kept: the last user closes it. */
  dropped: boolean;
}

/** What is in use is closed by its last user. */
function release(it: CachedObject): void {
  it.dropped = true;
  if (it.users === 0) closeCached(it);
}

/** Whoever opened it has met an error of opening already, and one of closing changes nothing for anybody. */
function closeCached(it: CachedObject): void {
  it.object.then((object) => object?.close()).catch(() => {});
}

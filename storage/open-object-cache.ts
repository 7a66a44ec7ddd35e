import { LRUCache } from 'lru-cache';
import type { ObjectStore, OpenObject } from './object-store.ts';

/**
 * Keeps objects open between requests, since a map requests hundreds of ranges of the same few files. Only for objects
 * that are never replaced: the cached version stays the one opened first.
 */
export interface OpenObjectCache {
  /**
   * Runs `read` with the object, which stays open until it settles. Returns undefined if the object does not exist.
   */
  use<T>(id: string, read: (object: OpenObject) => Promise<T>): Promise<T | undefined>;
  /** Drops an object before its removal, so that its disk space is freed. */
  forget(id: string): void;
  /** Drops all objects permanently; objects in use are closed by their last reader. */
  close(): void;
}

/** Caches at most `limit` objects, besides those in use, each for one to two `idleMs` after its last use. */
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
        if (cached.peek(id) === it) cached.delete(id); // absence is not cached
        return undefined;
      } catch (error) {
        if (cached.peek(id) === it) cached.delete(id); // nor is a broken descriptor
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
  /** Unused since the previous sweep. */
  idle: boolean;
  /** Removed from the cache: the last user closes it. */
  dropped: boolean;
}

/** Objects in use are closed by their last user. */
function release(it: CachedObject): void {
  it.dropped = true;
  if (it.users === 0) closeCached(it);
}

/** Errors are ignored: an error of opening was already reported, and one of closing has no effect. */
function closeCached(it: CachedObject): void {
  it.object.then((object) => object?.close()).catch(() => {});
}

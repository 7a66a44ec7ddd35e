import { LRUCache } from 'lru-cache';

/** A cache of values that differ in memory size. */
export interface HeavyCache<T> {
  get(key: string, make: () => Promise<T>): Promise<T>;
}

interface Entry<T> {
  readonly value: Promise<T>;
  readonly weight: number;
}

interface KeptFailures {
  /** Returns whether a failure is worth keeping, as making the value again would fail again. */
  readonly isLasting: (error: unknown) => boolean;
  readonly keepMs: number;
}

const noFailures: KeptFailures = { isLasting: () => false, keepMs: 0 };

/** Keeps the most recently used values up to a total weight of `limit`, and the last value whatever its weight. */
export function heavyCache<T>(
  limit: number,
  weightOf: (value: T) => number,
  { isLasting, keepMs }: KeptFailures = noFailures,
): HeavyCache<T> {
  const kept = new LRUCache<string, Entry<T>>({ maxSize: limit, sizeCalculation: ({ weight }) => weight });
  const weigh = async (key: string, pending: Entry<T>) => {
    try {
      const weight = Math.min(limit, Math.max(1, Math.ceil(weightOf(await pending.value))));
      if (kept.peek(key) === pending) kept.set(key, { ...pending, weight });
    } catch (error) {
      // the caller gets the error
      if (kept.peek(key) !== pending) return;
      if (isLasting(error)) kept.set(key, pending, { ttl: keepMs });
      else kept.delete(key);
    }
  };
  return {
    get(key, make) {
      const known = kept.get(key);
      if (known) return known.value;
      const pending = { value: make(), weight: 1 };
      kept.set(key, pending);
      void weigh(key, pending);
      return pending.value;
    },
  };
}

import { LRUCache } from 'lru-cache';

/** A cache of values that differ in memory size. */
export interface HeavyCache<T> {
  get(key: string, make: () => Promise<T>): Promise<T>;
}

interface Entry<T> {
  readonly value: Promise<T>;
  readonly weight: number;
}

/** Keeps the most recently used values up to a total weight of `limit`, and the last value whatever its weight. */
export function heavyCache<T>(limit: number, weightOf: (value: T) => number): HeavyCache<T> {
  const kept = new LRUCache<string, Entry<T>>({ maxSize: limit, sizeCalculation: ({ weight }) => weight });
  const weigh = async (key: string, pending: Entry<T>) => {
    try {
      const weight = Math.min(limit, Math.max(1, Math.ceil(weightOf(await pending.value))));
      if (kept.peek(key) === pending) kept.set(key, { ...pending, weight });
    } catch {
      if (kept.peek(key) === pending) kept.delete(key); // the caller gets the error
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

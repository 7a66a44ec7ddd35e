import { LRUCache } from 'lru-cache';

interface Entry<T> {
  readonly value: Promise<T>;
  readonly until: number;
}

/** Caches answers for a short time and merges concurrent requests for the same key. */
export interface BriefCache<T> {
  get(key: string, ask: () => Promise<T>): Promise<T>;
  clear(): void;
}

interface Options<T> {
  /** In milliseconds; earlier changes call `clear`. */
  readonly lifetimeMs: number;
  readonly limit: number;
  /** Returns false while changes could be missed; nothing is cached then. */
  readonly mayHold: () => boolean;
  /** Returns false for answers that must not be cached. */
  readonly isWorthHolding?: (value: T) => boolean;
}

/** Keeps the `limit` most recently used answers. Errors are not cached. */
export function briefCache<T>({ lifetimeMs, limit, mayHold, isWorthHolding }: Options<T>): BriefCache<T> {
  const held = new LRUCache<string, Entry<T>>({ maxSize: limit, sizeCalculation: () => 1 });
  const forget = (key: string, value: Promise<T>) => {
    if (held.peek(key)?.value === value) held.delete(key);
  };
  return {
    get(key, ask) {
      const known = held.get(key);
      const now = performance.now();
      if (known && known.until > now && mayHold()) return known.value;
      const value = ask();
      if (!mayHold()) return value;
      held.set(key, { value, until: now + lifetimeMs });
      value.then(
        (answer) => {
          if (isWorthHolding?.(answer) === false) forget(key, value);
        },
        () => forget(key, value),
      );
      return value;
    },
    clear: () => held.clear(),
  };
}

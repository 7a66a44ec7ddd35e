import { LRUCache } from 'lru-cache';

interface Entry<T> {
  readonly value: Promise<T>;
  readonly until: number;
}

/** Remembers answers for a moment, and asks only once for what many want at the same time. */
export interface BriefCache<T> {
  get(key: string, ask: () => Promise<T>): Promise<T>;
  clear(): void;
}

interface Options<T> {
  /** In milliseconds; in between, whoever knows of a change calls `clear`. */
  readonly lifetimeMs: number;
  readonly limit: number;
  /** May anything be remembered right now? */
  readonly mayHold: () => boolean;
  /** Answers that are not worth it are asked for again each time. */
  readonly isWorthHolding?: (value: T) => boolean;
}

/** Holds at most `limit` answers, dropping the least recently used. Failures are not remembered. */
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

/** Answers that are worth keeping and differ in what they take of memory. */
export interface HeavyCache<T> {
  get(key: string, make: () => Promise<T>): Promise<T>;
}

/** Keeps up to `limit` as `weightOf` counts, and the one used last in any case; the one used longest ago goes first. */
export function heavyCache<T>(limit: number, weightOf: (value: T) => number): HeavyCache<T> {
  const kept = new Map<string, { value: Promise<T>; weight: number }>();
  let total = 0;
  const drop = (key: string) => {
    total -= kept.get(key)?.weight ?? 0;
    kept.delete(key);
  };
  const weigh = async (key: string, entry: { value: Promise<T>; weight: number }) => {
    try {
      const weight = weightOf(await entry.value);
      if (kept.get(key) !== entry) return;
      entry.weight = weight;
      total += weight;
      for (const oldest of kept.keys()) {
        if (total <= limit || oldest === key) break;
        drop(oldest);
      }
    } catch {
      if (kept.get(key) === entry) drop(key); // whoever asked hears of it
    }
  };
  return {
    get(key, make) {
      const known = kept.get(key);
      const entry = known ?? { value: make(), weight: 0 };
      // renews its place: a Map iterates in the order of insertion
      kept.delete(key);
      kept.set(key, entry);
      if (!known) void weigh(key, entry);
      return entry.value;
    },
  };
}

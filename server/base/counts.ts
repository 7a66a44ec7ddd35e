/** How many of something each key has; keys without any take no memory. */
export interface Counts {
  readonly total: number;
  of(key: string): number;
  add(key: string): void;
  remove(key: string): void;
}

export function createCounts(): Counts {
  const counts = new Map<string, number>();
  let total = 0;
  const of = (key: string) => counts.get(key) ?? 0;
  return {
    get total() {
      return total;
    },
    of,
    add(key) {
      total++;
      counts.set(key, of(key) + 1);
    },
    remove(key) {
      total--;
      const left = of(key) - 1;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
    },
  };
}

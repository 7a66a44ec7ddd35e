/** A seeded source of choices, so that a run can be repeated (mulberry32). */
export interface Random {
  /** From 0 up to, not including, 1. */
  next(): number;
  integer(below: number): number;
  pick<T>(items: readonly T[]): T;
  chance(probability: number): boolean;
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const integer = (below: number) => Math.floor(next() * below);
  return {
    next,
    integer,
    pick: (items) => items[integer(items.length)]!,
    chance: (probability) => next() < probability,
  };
}

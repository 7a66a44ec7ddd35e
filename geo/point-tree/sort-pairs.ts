const digitBits = 10;
const digits = 1 << digitBits;
const firstOf = [0, 1, 2].map(() => new Uint32Array(digits));

/**
 * A stable radix sort of pairs, each a word of 30 bits and a number that goes with it, by their words. Words are moved with their numbers, so
 * that nothing is looked up anywhere else. @param other as long as `pairs`
 */
export function sortPairs(pairs: Uint32Array, other: Uint32Array): void {
  const { length } = pairs;
  const [low, middle, high] = firstOf as [Uint32Array, Uint32Array, Uint32Array];
  for (const counts of firstOf) counts.fill(0);
  for (let i = 0; i < length; i += 2) {
    const word = pairs[i]!;
    low[word & (digits - 1)]!++;
    middle[(word >>> digitBits) & (digits - 1)]!++;
    high[(word >>> (2 * digitBits)) & (digits - 1)]!++;
  }
  let [from, to] = [pairs, other];
  for (const [number, places] of firstOf.entries()) {
    const shift = number * digitBits;
    // all have the same digit
    if (places[(pairs[0]! >>> shift) & (digits - 1)] === length / 2) continue;
    let sum = 0;
    for (let digit = 0; digit < digits; digit++) {
      const held = places[digit]!;
      places[digit] = sum;
      sum += held;
    }
    moveByDigit(from, to, places, shift);
    [from, to] = [to, from];
  }
  if (from !== pairs) pairs.set(from);
}

/** @param places where the next pair of each digit goes */
function moveByDigit(from: Uint32Array, to: Uint32Array, places: Uint32Array, shift: number): void {
  for (let i = 0; i < from.length; i += 2) {
    const word = from[i]!;
    const place = 2 * places[(word >>> shift) & (digits - 1)]!++;
    to[place] = word;
    to[place + 1] = from[i + 1]!;
  }
}

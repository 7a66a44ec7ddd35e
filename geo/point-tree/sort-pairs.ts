/** More would leave the counts of digits no room in the processor's first cache. */
const maxDigitBits = 12;
const maxPasses = 3;
const countsOf = Array.from({ length: maxPasses }, () => new Uint32Array(1 << maxDigitBits));

/**
 * A stable radix sort of pairs, each a word of up to 32 bits and a number that goes with it, by their words. Words are moved with their numbers, so
 * that nothing is looked up anywhere else. @param other as long as `pairs` @param bits of the words
 */
export function sortPairs(pairs: Uint32Array, other: Uint32Array, bits: number): void {
  const count = pairs.length / 2;
  const passes = Math.ceil(bits / maxDigitBits);
  const digitBits = Math.ceil(bits / passes);
  const [low, middle, high] = countsOf as [Uint32Array, Uint32Array, Uint32Array];
  for (const counts of countsOf) counts.fill(0, 0, 1 << digitBits);
  countDigits(pairs, digitBits, [low, middle, high]);
  let [from, to] = [pairs, other];
  for (let pass = 0; pass < passes; pass++) {
    const places = countsOf[pass]!;
    const shift = pass * digitBits;
    // all have the same digit
    if (places[(pairs[0]! >>> shift) & ((1 << digitBits) - 1)] === count) continue;
    let sum = 0;
    for (let digit = 0; digit < 1 << digitBits; digit++) {
      const held = places[digit]!;
      places[digit] = sum;
      sum += held;
    }
    moveByDigit(from, to, places, { shift, digitBits });
    [from, to] = [to, from];
  }
  if (from !== pairs) pairs.set(from);
}

function countDigits(
  pairs: Uint32Array,
  digitBits: number,
  [low, middle, high]: readonly [Uint32Array, Uint32Array, Uint32Array],
): void {
  const mask = (1 << digitBits) - 1;
  for (let i = 0; i < pairs.length; i += 2) {
    const word = pairs[i]!;
    low[word & mask]!++;
    middle[(word >>> digitBits) & mask]!++;
    high[(word >>> (2 * digitBits)) & mask]!++;
  }
}

/** @param places where the next pair of each digit goes */
function moveByDigit(
  from: Uint32Array,
  to: Uint32Array,
  places: Uint32Array,
  { shift, digitBits }: { readonly shift: number; readonly digitBits: number },
): void {
  const mask = (1 << digitBits) - 1;
  for (let i = 0; i < from.length; i += 2) {
    const word = from[i]!;
    const place = 2 * places[(word >>> shift) & mask]!++;
    to[place] = word;
    to[place + 1] = from[i + 1]!;
  }
}

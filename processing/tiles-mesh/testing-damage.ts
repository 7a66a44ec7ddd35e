/** Numbers from 0 to 1 that are the same in each run (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Some bytes are others, or the end is missing. */
export function mutate(bytes: Buffer, random: () => number): Buffer {
  if (random() < 0.2) return bytes.subarray(0, Math.floor(random() * bytes.length));
  const copy = Buffer.from(bytes);
  for (let change = 0; change < 1 + random() * 8; change++)
    copy[Math.floor(random() * copy.length)] = Math.floor(random() * 256);
  return copy;
}

import { hashByte } from '../xml/xml-name.ts';

const bitCount = 1 << 19;

/**
 * Ids in 64 kB, however many there are (Bloom 1970): of those that were not added, one in a hundred is taken for one of 40,000 that
 * were, and more beside more.
 */
export class IdFilter {
  /** Plain data. Empty without ids. */
  bits = new Uint8Array(0);

  add(id: string): void {
    if (this.bits.length === 0) this.bits = new Uint8Array(bitCount / 8);
    const { bits } = this;
    for (const bit of bitsOf(id)) bits[bit >> 3]! |= 1 << (bit & 7);
  }
}

/** Whether an id may be among those of a filter. */
export const mayHaveId = (bits: Uint8Array, id: string): boolean =>
  bits.length > 0 && bitsOf(id).every((bit) => (bits[bit >> 3]! & (1 << (bit & 7))) !== 0);

function bitsOf(id: string): readonly [number, number, number] {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) hash = hashByte(hash, id.charCodeAt(i));
  const one = mixed(hash);
  const other = mixed(one ^ 0x9e3779b9);
  return [one >>> 13, other >>> 13, (one + other) >>> 13];
}

/** Each bit depends on all others (the last steps of MurmurHash3, Appleby 2011). */
function mixed(hash: number): number {
  const half = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const whole = Math.imul(half ^ (half >>> 13), 0xc2b2ae35);
  return whole ^ (whole >>> 16);
}

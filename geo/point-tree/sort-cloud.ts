import { pick, type Cell, type Cloud, type TreeShape } from './cloud.ts';

/** Bits of an axis in each of the two words of a key. */
const bitsPerWord = 10;
/** Levels below a cell that a key tells apart. */
export const keyLevels = 2 * bitsPerWord;
const digitBits = 11;
const digits = 1 << digitBits;

/** Points in the order of their Morton keys below a cell, and these. Equal keys are ordered by all words. */
export interface SortedCloud extends Cloud {
  readonly high: Uint32Array;
  readonly low: Uint32Array;
}

/** The bits of a number of 10 bits, two apart. */
function spreadBits(value: number): number {
  let bits = (value | (value << 16)) & 0x0300_00ff;
  bits = (bits | (bits << 8)) & 0x0300_f00f;
  bits = (bits | (bits << 4)) & 0x030c_30c3;
  return (bits | (bits << 2)) & 0x0924_9249;
}

/** Sorts the points of a cell, so that each node below is a range. The order does not depend on the order given. */
export function sortCloud(
  cloud: Cloud,
  { level }: Pick<Cell, 'level'>,
  shape: Pick<TreeShape, 'sideBits'>,
): SortedCloud {
  const keys = keysOf(cloud, shape.sideBits - level);
  const order = sortKeys(keys);
  orderTies(order, keys, cloud);
  const sorted = pick(cloud, order);
  const gather = (from: Uint32Array): Uint32Array => {
    const values = new Uint32Array(cloud.count);
    for (let i = 0; i < values.length; i++) values[i] = from[order[i]!]!;
    return values;
  };
  return { ...sorted, high: gather(keys.high), low: gather(keys.low) };
}

interface Keys {
  readonly high: Uint32Array;
  readonly low: Uint32Array;
}

function keysOf({ columns, count }: Cloud, cellBits: number): Keys {
  const [x, y, z] = [columns[0]!, columns[1]!, columns[2]!];
  const high = new Uint32Array(count);
  const low = new Uint32Array(count);
  // of a small cell, the lowest bits of the key stay 0
  const shift = Math.max(0, cellBits - keyLevels);
  const rise = Math.max(0, keyLevels - cellBits);
  const mask = cellBits >= 32 ? 0xffff_ffff : 2 ** cellBits - 1;
  const part = (1 << bitsPerWord) - 1;
  for (let i = 0; i < count; i++) {
    const a = ((x[i]! & mask) >>> shift) << rise;
    const b = ((y[i]! & mask) >>> shift) << rise;
    const c = ((z[i]! & mask) >>> shift) << rise;
    high[i] =
      spreadBits(a >>> bitsPerWord) |
      (spreadBits(b >>> bitsPerWord) << 1) |
      (spreadBits(c >>> bitsPerWord) << 2);
    low[i] = spreadBits(a & part) | (spreadBits(b & part) << 1) | (spreadBits(c & part) << 2);
  }
  return { high, low };
}

/** A radix sort by digits of 11 bits, the lowest first. @returns the numbers of the points in order */
function sortKeys({ high, low }: Keys): Uint32Array {
  const count = high.length;
  let order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[i] = i;
  let other = new Uint32Array(count);
  const places = new Uint32Array(digits);
  for (const words of [low, high]) {
    for (let shift = 0; shift < 3 * bitsPerWord; shift += digitBits) {
      places.fill(0);
      for (let i = 0; i < count; i++) places[(words[i]! >>> shift) & (digits - 1)]!++;
      if (places.includes(count)) continue;
      let sum = 0;
      for (let digit = 0; digit < digits; digit++) {
        const held = places[digit]!;
        places[digit] = sum;
        sum += held;
      }
      for (let i = 0; i < count; i++) {
        const point = order[i]!;
        other[places[(words[point]! >>> shift) & (digits - 1)]!++] = point;
      }
      [order, other] = [other, order];
    }
  }
  return order;
}

function orderTies(order: Uint32Array, { high, low }: Keys, { columns }: Cloud): void {
  const compare = (one: number, other: number): number => {
    for (const column of columns) if (column[one] !== column[other]) return column[one]! - column[other]!;
    return 0;
  };
  for (let start = 0; start < order.length;) {
    let end = start + 1;
    const first = order[start]!;
    while (end < order.length && low[order[end]!] === low[first] && high[order[end]!] === high[first]) end++;
    if (end - start > 1) order.subarray(start, end).sort(compare);
    start = end;
  }
}

/** Points of which none is equal to another. */
export interface DistinctCloud extends SortedCloud {
  /** Of each that was left out, the number of the point that it is equal to; ascending. */
  readonly dropped: Uint32Array;
}

/** Without points that are equal to another in all words. */
export function withoutDuplicates(sorted: SortedCloud): DistinctCloud {
  const { columns, count } = sorted;
  const kept = new Uint32Array(count);
  const dropped = new Uint32Array(count);
  let size = 0;
  for (let i = 0; i < count; i++)
    if (i === 0 || !isEqual(columns, i, i - 1)) kept[size++] = i;
    else dropped[i - size] = size - 1;
  if (size === count) return { ...sorted, dropped: dropped.subarray(0, 0) };
  const numbers = kept.subarray(0, size);
  const keys = pick({ columns: [sorted.high, sorted.low], count }, numbers).columns;
  return {
    ...pick(sorted, numbers),
    high: keys[0]!,
    low: keys[1]!,
    dropped: dropped.subarray(0, count - size),
  };
}

function isEqual(columns: readonly Uint32Array[], one: number, other: number): boolean {
  for (const column of columns) if (column[one] !== column[other]) return false;
  return true;
}

/** The octant of a point below the cell that was sorted. @param depth 0 for the children of that cell */
export function octantAt({ high, low }: SortedCloud, point: number, depth: number): number {
  return depth < bitsPerWord
    ? (high[point]! >>> (3 * (bitsPerWord - 1 - depth))) & 7
    : (low[point]! >>> (3 * (keyLevels - 1 - depth))) & 7;
}

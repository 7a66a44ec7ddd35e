import { type Cell, type Cloud, type TreeShape } from './cloud.ts';
import type { ScratchWords } from './scratch-words.ts';

/** Bits of an axis in each of the two words of a key. */
const bitsPerWord = 10;
/** Levels below a cell that a key tells apart. */
export const keyLevels = 2 * bitsPerWord;
const digits = 1 << bitsPerWord;
/** More points with the same first word are sorted digit by digit, too. */
const maxComparedPoints = 2048;
const maxInsertedPoints = 32;
/** Their rows stay in the processor's cache while one column after the other is taken from them. */
const gatheredPoints = 512;

/** Points as rows of words: x, y, z and then those of attributes. */
export interface PointRows {
  readonly rows: Uint32Array;
  /** Words of a row. */
  readonly columns: number;
  readonly count: number;
}

/** The bits of a number of 10 bits, two apart. */
function spreadBits(value: number): number {
  let bits = (value | (value << 16)) & 0x0300_00ff;
  bits = (bits | (bits << 8)) & 0x0300_f00f;
  bits = (bits | (bits << 4)) & 0x030c_30c3;
  return (bits | (bits << 2)) & 0x0924_9249;
}

/**
 * The points of a cell in the order of their Morton keys below it, so that each node is a range; those of equal keys are ordered by
 * all words. The order does not depend on the order given. @param scratch holds the result
 */
export function sortCloud(
  points: PointRows,
  { level }: Pick<Cell, 'level'>,
  { shape, scratch }: { readonly shape: Pick<TreeShape, 'sideBits'>; readonly scratch: ScratchWords },
): Cloud {
  const { rows, columns, count } = points;
  const keys = keysOf(points, shape.sideBits - level, scratch);
  const order = orderOf(points, keys, scratch);
  const sorted = Array.from({ length: columns }, (_, c) => scratch(`sorted ${c}`, count));
  for (let first = 0; first < count; first += gatheredPoints) {
    const end = Math.min(count, first + gatheredPoints);
    for (const [c, values] of sorted.entries())
      for (let i = first; i < end; i++) values[i] = rows[order[i]! * columns + c]!;
  }
  return { columns: sorted, count };
}

interface Keys {
  readonly high: Uint32Array;
  readonly low: Uint32Array;
}

function keysOf({ rows, columns, count }: PointRows, cellBits: number, scratch: ScratchWords): Keys {
  const high = scratch('high keys', count);
  const low = scratch('low keys', count);
  // of a small cell, the lowest bits of the key stay 0
  const shift = Math.max(0, cellBits - keyLevels);
  const rise = Math.max(0, keyLevels - cellBits);
  const mask = cellBits >= 32 ? 0xffff_ffff : 2 ** cellBits - 1;
  const part = digits - 1;
  for (let i = 0, at = 0; i < count; i++, at += columns) {
    const a = ((rows[at]! & mask) >>> shift) << rise;
    const b = ((rows[at + 1]! & mask) >>> shift) << rise;
    const c = ((rows[at + 2]! & mask) >>> shift) << rise;
    high[i] =
      spreadBits(a >>> bitsPerWord) |
      (spreadBits(b >>> bitsPerWord) << 1) |
      (spreadBits(c >>> bitsPerWord) << 2);
    low[i] = spreadBits(a & part) | (spreadBits(b & part) << 1) | (spreadBits(c & part) << 2);
  }
  return { high, low };
}

/** Sorts all by the first word of their keys, and then the few that share one. @returns the numbers of the points in order */
function orderOf({ rows, columns, count }: PointRows, { high, low }: Keys, scratch: ScratchWords) {
  const order = scratch('order', count);
  const other = scratch('other order', count);
  for (let i = 0; i < count; i++) order[i] = i;
  sortByWord(order, other, high);
  const compare = (one: number, another: number): number => {
    if (low[one]! !== low[another]!) return low[one]! - low[another]!;
    for (let a = one * columns, b = another * columns, end = a + columns; a < end; a++, b++)
      if (rows[a] !== rows[b]) return rows[a]! - rows[b]!;
    return 0;
  };
  const insert = (start: number, end: number): void => {
    for (let i = start + 1; i < end; i++) {
      const point = order[i]!;
      const word = low[point]!;
      let place = i;
      for (; place > start; place--) {
        const before = order[place - 1]!;
        const other = low[before]!;
        if (other < word || (other === word && compare(before, point) <= 0)) break;
        order[place] = before;
      }
      order[place] = point;
    }
  };
  const sortRange = (start: number, end: number): void => {
    if (end - start <= maxInsertedPoints) insert(start, end);
    else order.subarray(start, end).sort(compare);
  };
  for (let start = 0, end = 0; start < count; start = end) {
    end = endOfEqual(order, high, start, count);
    if (end - start <= maxComparedPoints) {
      if (end - start > 1) sortRange(start, end);
      continue;
    }
    sortByWord(order.subarray(start, end), other.subarray(start, end), low);
    for (let from = start, to = start; from < end; from = to) {
      to = endOfEqual(order, low, from, end);
      if (to - from > 1) sortRange(from, to);
    }
  }
  return order;
}

/** A stable radix sort of numbers by their words of 30 bits, the lowest digit first. @param other as long as `order` */
export function sortByWord(order: Uint32Array, other: Uint32Array, words: Uint32Array): void {
  const count = order.length;
  const places = new Uint32Array(digits);
  let [from, to] = [order, other];
  for (let shift = 0; shift < 3 * bitsPerWord; shift += bitsPerWord) {
    places.fill(0);
    for (let i = 0; i < count; i++) places[(words[from[i]!]! >>> shift) & (digits - 1)]!++;
    if (places.includes(count)) continue;
    let sum = 0;
    for (let digit = 0; digit < digits; digit++) {
      const held = places[digit]!;
      places[digit] = sum;
      sum += held;
    }
    for (let i = 0; i < count; i++) {
      const point = from[i]!;
      to[places[(words[point]! >>> shift) & (digits - 1)]!++] = point;
    }
    [from, to] = [to, from];
  }
  if (from !== order) order.set(from);
}

/** The end of the points from `start` on that share a word. */
function endOfEqual(order: Uint32Array, words: Uint32Array, start: number, limit: number): number {
  const word = words[order[start]!];
  let end = start + 1;
  while (end < limit && words[order[end]!] === word) end++;
  return end;
}

/** Points of which none is equal to another. */
export interface DistinctCloud extends Cloud {
  /** Of each that was left out, the number of the point that it is equal to; ascending. */
  readonly dropped: Uint32Array;
}

/** Without points that are equal to another in all words. @param sorted is used for the result */
export function withoutDuplicates({ columns, count }: Cloud, scratch: ScratchWords): DistinctCloud {
  const dropped = scratch('dropped', count);
  let size = 0;
  for (let i = 0; i < count; i++) {
    if (size > 0 && isEqual(columns, i, size - 1)) {
      dropped[i - size] = size - 1;
      continue;
    }
    if (size < i) for (const column of columns) column[size] = column[i]!;
    size++;
  }
  return {
    columns: columns.map((column) => column.subarray(0, size)),
    count: size,
    dropped: dropped.subarray(0, count - size),
  };
}

function isEqual(columns: readonly Uint32Array[], one: number, other: number): boolean {
  for (const column of columns) if (column[one] !== column[other]) return false;
  return true;
}

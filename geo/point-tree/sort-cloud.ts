import { type Cell, type Cloud, type TreeShape } from './cloud.ts';
import type { ScratchWords } from './scratch-words.ts';
import { sortPairs } from './sort-pairs.ts';

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
  orderPairs(points, keys, scratch);
  const { pairs } = keys;
  const sorted = Array.from({ length: columns }, (_, c) => scratch(`sorted ${c}`, count));
  for (let first = 0; first < count; first += gatheredPoints) {
    const end = Math.min(count, first + gatheredPoints);
    for (const [c, values] of sorted.entries())
      for (let i = first; i < end; i++) values[i] = rows[pairs[2 * i + 1]! * columns + c]!;
  }
  return { columns: sorted, count };
}

interface Keys {
  /** Of each point the first word of its key, and its number. */
  readonly pairs: Uint32Array;
  /** The second words, by the numbers of points. */
  readonly low: Uint32Array;
}

function keysOf({ rows, columns, count }: PointRows, cellBits: number, scratch: ScratchWords): Keys {
  const pairs = scratch('pairs', 2 * count);
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
    pairs[2 * i] =
      spreadBits(a >>> bitsPerWord) |
      (spreadBits(b >>> bitsPerWord) << 1) |
      (spreadBits(c >>> bitsPerWord) << 2);
    pairs[2 * i + 1] = i;
    low[i] = spreadBits(a & part) | (spreadBits(b & part) << 1) | (spreadBits(c & part) << 2);
  }
  return { pairs, low };
}

/** Sorts all by the first word of their keys, and then the few that share one. */
function orderPairs(points: PointRows, keys: Keys, scratch: ScratchWords): void {
  const { count } = points;
  const { pairs, low } = keys;
  const other = scratch('other pairs', 2 * count);
  sortPairs(pairs, other, 3 * bitsPerWord);
  for (let start = 0, end = 0; start < count; start = end) {
    end = endOfEqual(pairs, start, count);
    if (end - start <= maxComparedPoints) {
      if (end - start > 1) orderRange(points, keys, [start, end]);
      continue;
    }
    for (let i = start; i < end; i++) pairs[2 * i] = low[pairs[2 * i + 1]!]!;
    sortPairs(pairs.subarray(2 * start, 2 * end), other.subarray(0, 2 * (end - start)), 3 * bitsPerWord);
    for (let from = start, to = start; from < end; from = to) {
      to = endOfEqual(pairs, from, end);
      if (to - from > 1) orderRange(points, keys, [from, to]);
    }
  }
}

/** Orders points with the same first word by the second one, and then by all words. */
function orderRange(points: PointRows, keys: Keys, [start, end]: readonly [number, number]): void {
  const { pairs, low } = keys;
  if (end - start > maxInsertedPoints) {
    const numbers = Uint32Array.from({ length: end - start }, (_, i) => pairs[2 * (start + i) + 1]!);
    numbers.sort((one, another) => compare(points, low, one, another));
    for (let i = start; i < end; i++) pairs[2 * i + 1] = numbers[i - start]!;
    return;
  }
  for (let i = start + 1; i < end; i++) {
    const point = pairs[2 * i + 1]!;
    const word = low[point]!;
    let place = i;
    for (; place > start; place--) {
      const before = pairs[2 * place - 1]!;
      const other = low[before]!;
      if (other < word || (other === word && compare(points, low, before, point) <= 0)) break;
      pairs[2 * place + 1] = before;
    }
    pairs[2 * place + 1] = point;
  }
}

function compare({ rows, columns }: PointRows, low: Uint32Array, one: number, another: number): number {
  if (low[one]! !== low[another]!) return low[one]! - low[another]!;
  for (let a = one * columns, b = another * columns, end = a + columns; a < end; a++, b++)
    if (rows[a] !== rows[b]) return rows[a]! - rows[b]!;
  return 0;
}

/** The end of the points from `start` on that share a word. */
function endOfEqual(pairs: Uint32Array, start: number, limit: number): number {
  const word = pairs[2 * start];
  let end = start + 1;
  while (end < limit && pairs[2 * end] === word) end++;
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

import type { Cloud } from '@platen/geo/point-tree/cloud';
import { createScratchWords } from '@platen/geo/point-tree/scratch-words';
import { sortPairs } from '@platen/geo/point-tree/sort-pairs';
import type { RecordColumns } from '../record-columns.ts';

const colourBits = 24;
const intensityBits = 16;
/** Tiles are ordered one after the other. */
const scratch = createScratchWords();

/**
 * Points by their colours, or by their intensities where they have none; equal ones stay as they are. The order in a tile is free, and sorted
 * values pack to a fraction, where places do not pack better in any order. @returns an array that is used again
 */
export function orderForPacking(
  { columns }: Cloud,
  numbers: Uint32Array,
  { columns: places, hasColours }: { readonly columns: RecordColumns; readonly hasColours: boolean },
): Uint32Array {
  const { length } = numbers;
  const isColoured = hasColours && places.colour !== undefined;
  const column = columns[isColoured ? places.colour : places.marks]!;
  const bits = isColoured ? colourBits : intensityBits;
  const mask = (1 << bits) - 1;
  const pairs = scratch('pairs', 2 * length);
  for (let i = 0; i < length; i++) {
    const number = numbers[i]!;
    pairs[2 * i] = column[number]! & mask;
    pairs[2 * i + 1] = number;
  }
  sortPairs(pairs, scratch('other pairs', 2 * length), bits);
  const order = scratch('order', length);
  for (let i = 0; i < length; i++) order[i] = pairs[2 * i + 1]!;
  return order;
}

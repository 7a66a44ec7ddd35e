import type { Cloud } from '@platen/geo/point-tree/cloud';
import { sortByWord } from '@platen/geo/point-tree/sort-cloud';
import type { RecordColumns } from '../record-columns.ts';

const colourBits = 0xff_ffff;
const intensityBits = 0xffff;

/**
 * Points by their colours, or by their intensities where they have none; equal ones stay as they are. The order in a tile is free, and sorted
 * values pack to a fraction, where places do not pack better in any order.
 */
export function orderForPacking(
  { columns }: Cloud,
  numbers: Uint32Array,
  { columns: places, hasColours }: { readonly columns: RecordColumns; readonly hasColours: boolean },
): Uint32Array {
  const { length } = numbers;
  const isColoured = hasColours && places.colour !== undefined;
  const column = columns[isColoured ? places.colour : places.marks]!;
  const mask = isColoured ? colourBits : intensityBits;
  const words = new Uint32Array(length);
  const order = new Uint32Array(length);
  for (let i = 0; i < length; i++) {
    words[i] = column[numbers[i]!]! & mask;
    order[i] = i;
  }
  sortByWord(order, new Uint32Array(length), words);
  for (let i = 0; i < length; i++) order[i] = numbers[order[i]!]!;
  return order;
}

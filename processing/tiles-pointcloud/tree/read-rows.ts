import type { Cloud } from '@platen/geo/point-tree/cloud';
import { readRange, type FileRange } from '../../kit/scratch-file.ts';

/** Points of ranges of rows, as columns. */
export function readRows(ranges: readonly FileRange[], columns: number): Cloud {
  const count = ranges.reduce((sum, { start, end }) => sum + (end - start), 0) / (columns * 4);
  const words = Array.from({ length: columns }, () => new Uint32Array(count));
  let first = 0;
  for (const rows of rowsOf(ranges, columns)) {
    const held = rows.length / columns;
    for (const [c, column] of words.entries())
      for (let i = 0, at = c; i < held; i++, at += columns) column[first + i] = rows[at]!;
    first += held;
  }
  return { columns: words, count };
}

/** Whole rows, in parts. */
export function* rowsOf(ranges: readonly FileRange[], columns: number): Generator<Uint32Array, void> {
  const rowBytes = columns * 4;
  for (const range of ranges) {
    let rest = Buffer.alloc(0);
    for (const part of readRange(range)) {
      const bytes = rest.length === 0 ? part : Buffer.concat([rest, part]);
      const whole = bytes.length - (bytes.length % rowBytes);
      const rows = new Uint32Array(whole / 4);
      new Uint8Array(rows.buffer).set(bytes.subarray(0, whole));
      rest = Buffer.from(bytes.subarray(whole));
      yield rows;
    }
  }
}

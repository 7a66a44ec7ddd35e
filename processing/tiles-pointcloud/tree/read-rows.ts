import type { PointRows } from '@platen/geo/point-tree/sort-cloud';
import type { ScratchWords } from '@platen/geo/point-tree/scratch-words';
import { readInto, type FileRange } from '../../kit/scratch-file.ts';

/** Points of ranges of rows, together. */
export function readRows(ranges: readonly FileRange[], columns: number, scratch: ScratchWords): PointRows {
  const bytes = ranges.reduce((sum, { start, end }) => sum + (end - start), 0);
  const rows = scratch('rows', bytes / 4);
  const target = new Uint8Array(rows.buffer);
  let at = 0;
  for (const range of ranges) {
    readInto(target, at, range);
    at += range.end - range.start;
  }
  return { rows, columns, count: rows.length / columns };
}

const partBytes = 1 << 20;

/** Whole rows, in parts; a part is valid until the next is read. */
export function* rowsOf(ranges: readonly FileRange[], columns: number): Generator<Uint32Array, void> {
  const rowBytes = columns * 4;
  const rows = new Uint32Array(Math.floor(partBytes / rowBytes) * columns);
  const target = new Uint8Array(rows.buffer);
  for (const { path, start, end } of ranges) {
    for (let from = start; from < end; from += target.length) {
      const to = Math.min(end, from + target.length);
      readInto(target, 0, { path, start: from, end: to });
      yield rows.subarray(0, (to - from) / 4);
    }
  }
}

import type { PointRows } from '@platen/geo/point-tree/sort-cloud';
import type { ScratchWords } from '@platen/geo/point-tree/scratch-words';
import { readInto, type FileRange } from '../../kit/scratch-file.ts';
import { unpackRows, type RowShape } from './row-shape.ts';

const wordBytes = 4;

/** Of a row in a file. */
export const rowBytes = ({ words }: Pick<RowShape, 'words'>): number => words * wordBytes;

/** How many rows lie in ranges. */
export function countRows(ranges: readonly FileRange[], shape: Pick<RowShape, 'words'>): number {
  return ranges.reduce((sum, { start, end }) => sum + (end - start), 0) / rowBytes(shape);
}

/** Points of ranges of rows, together. */
export function readRows(ranges: readonly FileRange[], shape: RowShape, scratch: ScratchWords): PointRows {
  const { columns, words } = shape;
  const count = countRows(ranges, shape);
  const rows = scratch('rows', count * columns);
  const target = bytesOf(rows);
  let at = count * (columns - words) * wordBytes;
  for (const range of ranges) {
    readInto(target, at, range);
    at += range.end - range.start;
  }
  unpackRows(rows, shape);
  return { rows, columns, count };
}

const partBytes = 1 << 20;

/** Whole rows, in parts; a part is valid until the next is read. */
export function* rowsOf(ranges: readonly FileRange[], shape: RowShape): Generator<Uint32Array, void> {
  const { columns, words } = shape;
  const rowBytes = words * wordBytes;
  const maxRows = Math.floor(partBytes / (columns * wordBytes));
  const memory = new Uint32Array(maxRows * columns);
  for (const { path, start, end } of ranges) {
    for (let from = start; from < end; from += maxRows * rowBytes) {
      const to = Math.min(end, from + maxRows * rowBytes);
      const count = (to - from) / rowBytes;
      const rows = memory.subarray(0, count * columns);
      readInto(bytesOf(rows), count * (columns - words) * wordBytes, { path, start: from, end: to });
      unpackRows(rows, shape);
      yield rows;
    }
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

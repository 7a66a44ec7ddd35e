import { coordinateColumns, type Cell } from '@platen/geo/point-tree/cloud';

/** How points of a cell lie in a file. In memory, a row has a word for each coordinate. */
export interface RowShape {
  /** Words of a row in memory. */
  readonly columns: number;
  /** Words of a row in the file. */
  readonly words: number;
  /** In units of the tree: coordinates count from here, and two words hold all three. Undefined: they stand as they are. */
  readonly corner: readonly number[] | undefined;
}

/** Of a coordinate, counted from the corner of a cell: so three take less than two words. */
const packedBits = 21;
const packedMask = 2 ** packedBits - 1;
export const packedWords = 2;
/** Bits of the second coordinate in the first word, and in the second one. */
const firstBits = 32 - packedBits;
const secondBits = packedBits - firstBits;

/** Of points in a cell: those of larger cells than 2 km stand as they are. */
export function rowShapeOf({ level, x, y, z }: Cell, sideBits: number, columns: number): RowShape {
  const bits = sideBits - level;
  return bits > packedBits
    ? plainShape(columns)
    : {
        columns,
        words: columns - coordinateColumns + packedWords,
        corner: [x, y, z].map((place) => place * 2 ** bits),
      };
}

/** Of points that have no cell in common. */
export const plainShape = (columns: number): RowShape => ({ columns, words: columns, corner: undefined });

/** Packs whole rows in their own memory. @returns the part of it that they take */
export function packRows(rows: Uint32Array, { columns, words, corner }: RowShape): Uint32Array {
  if (corner === undefined) return rows;
  const [left, front, bottom] = [corner[0]!, corner[1]!, corner[2]!];
  let to = 0;
  for (let from = 0; from < rows.length; from += columns) {
    const y = rows[from + 1]! - front;
    const z = rows[from + 2]! - bottom;
    rows[to] = (rows[from]! - left) | (y << packedBits);
    rows[to + 1] = (y >>> firstBits) | (z << secondBits);
    to += packedWords;
    for (let c = coordinateColumns; c < columns; c++) rows[to++] = rows[from + c]!;
  }
  return rows.subarray(0, (rows.length / columns) * words);
}

/** Unpacks rows that stand packed at the end of the memory that they take unpacked. */
export function unpackRows(rows: Uint32Array, { columns, words, corner }: RowShape): void {
  if (corner === undefined) return;
  const [left, front, bottom] = [corner[0]!, corner[1]!, corner[2]!];
  // no row is written over one that is still to be read
  let from = rows.length - (rows.length / columns) * words;
  for (let to = 0; to < rows.length; to += columns) {
    const first = rows[from]!;
    const second = rows[from + 1]!;
    from += packedWords;
    rows[to] = left + (first & packedMask);
    rows[to + 1] = front + ((first >>> packedBits) | ((second & (2 ** secondBits - 1)) << firstBits));
    rows[to + 2] = bottom + (second >>> secondBits);
    for (let c = coordinateColumns; c < columns; c++) rows[to + c] = rows[from++]!;
  }
}

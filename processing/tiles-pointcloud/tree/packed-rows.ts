import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { coordinateColumns, type Cloud } from '@platen/geo/point-tree/cloud';

const wordBytes = 4;
const fast = { [constants.ZSTD_c_compressionLevel]: 1 };

/**
 * Points as a file keeps them: all first bytes of a column together, then all second ones, as these resemble each other; packed.
 * @param corner added to the coordinates, so that they do not depend on the cube that they count from
 */
export function packPoints({ columns }: Cloud, numbers: Uint32Array, corner: readonly number[]): Uint8Array {
  const { length } = numbers;
  const bytes = new Uint8Array(length * columns.length * wordBytes);
  for (const [c, column] of columns.entries()) {
    const shift = c < coordinateColumns ? corner[c]! : 0;
    for (let i = 0, at = c * wordBytes * length; i < length; i++, at++) {
      const word = (column[numbers[i]!]! + shift) >>> 0;
      bytes[at] = word;
      bytes[at + length] = word >>> 8;
      bytes[at + 2 * length] = word >>> 16;
      bytes[at + 3 * length] = word >>> 24;
    }
  }
  return zstdCompressSync(bytes, { params: fast });
}

/** @param corner as the points were packed with, or that of another cube */
export function unpackPoints(
  packed: Uint8Array,
  { count, columns }: { readonly count: number; readonly columns: number },
  corner: readonly number[],
): Cloud {
  const bytes = zstdDecompressSync(packed);
  const words = Array.from({ length: columns }, (_, c) => {
    const shift = c < coordinateColumns ? corner[c]! : 0;
    const column = new Uint32Array(count);
    for (let i = 0, at = c * wordBytes * count; i < count; i++, at++)
      column[i] =
        (bytes[at]! |
          (bytes[at + count]! << 8) |
          (bytes[at + 2 * count]! << 16) |
          (bytes[at + 3 * count]! << 24)) -
        shift;
    return column;
  });
  return { columns: words, count };
}

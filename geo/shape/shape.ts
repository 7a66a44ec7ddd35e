import type { Int32Buffer } from './int32-buffer.ts';

/**
 * A shape is points, lines or rings in world units, laid out in words:
 *   0      words in all
 *   1–4    bounding box of what matters: x min, y min, x max, y max
 *   5      rings (parts; all points are one)
 *   6      vertices
 *   7…     per ring: 2 × (index of the vertex behind its last one) + 1 if it is an outer ring;
 *          and its size as a float: the area of a ring, the longer side of a line's box
 *   then   x, y of every vertex; rings are closed, outer ones clockwise on the screen, each before its holes
 *   then   per vertex one byte, padded to words: the first zoom that needs it
 * Sizes are those of the whole ring, however much of it has been trimmed away since.
 */
export const shapeHeaderWords = 7;

export const pointType = 1;
export const lineType = 2;
export const polygonType = 3;
export type ShapeType = typeof pointType | typeof lineType | typeof polygonType;

export function shapeWords(rings: number, vertices: number): number {
  return shapeHeaderWords + rings * 2 + vertices * 2 + ((vertices + 3) >> 2);
}

/** Index of the first x. */
export function coordinatesAt(words: Int32Array, shape: number): number {
  return shape + shapeHeaderWords + words[shape + 5]! * 2;
}

/** Byte offset of the first vertex's zoom. */
export function zoomsAt(words: Int32Array, shape: number): number {
  return (coordinatesAt(words, shape) + words[shape + 6]! * 2) * 4;
}

/**
 * Maximum x of a vertex: slightly less than two worlds, so that the half tile unit added by rounding fits into 32
 * bits.
 */
export function maxXOf(worldSize: number): number {
  return 2 * worldSize - 2 ** 21;
}

/** Shifts a shape in x. Vertices that would overflow stop about one world's width beyond the edge. */
export function shiftShape(store: Int32Buffer, shape: number, byX: number, worldSize: number): void {
  const { words } = store;
  const start = coordinatesAt(words, shape);
  const end = start + words[shape + 6]! * 2;
  const move = (x: number): number => Math.min(maxXOf(worldSize), Math.max(-worldSize, x + byX));
  for (let i = start; i < end; i += 2) words[i] = move(words[i]!);
  words[shape + 1] = move(words[shape + 1]!);
  words[shape + 3] = move(words[shape + 3]!);
}

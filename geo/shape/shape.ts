import type { Words } from './words.ts';

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
export const shapeHead = 7;

export const pointType = 1;
export const lineType = 2;
export const polygonType = 3;
export type ShapeType = typeof pointType | typeof lineType | typeof polygonType;

export function shapeWords(rings: number, vertices: number): number {
  return shapeHead + rings * 2 + vertices * 2 + ((vertices + 3) >> 2);
}

/** Index of the word of the first x. */
export function coordinatesAt(words: Int32Array, shape: number): number {
  return shape + shapeHead + words[shape + 5]! * 2;
}

/** Index of the byte of the first vertex's zoom. */
export function zoomsAt(words: Int32Array, shape: number): number {
  return (coordinatesAt(words, shape) + words[shape + 6]! * 2) * 4;
}

/**
 * How far east a vertex can lie, in worlds of `worldSize` units: a little less than two, so that the half of a tile
 * unit that rounding adds still fits into 32 bits.
 */
export function farthestEast(worldSize: number): number {
  return 2 * worldSize - 2 ** 21;
}

/** Moves a shape sideways. Vertices that would leave the numbers stop about a world's width beyond the edge. */
export function shiftShape(store: Words, shape: number, byX: number, worldSize: number): void {
  const { words } = store;
  const start = coordinatesAt(words, shape);
  const end = start + words[shape + 6]! * 2;
  const move = (x: number): number => Math.min(farthestEast(worldSize), Math.max(-worldSize, x + byX));
  for (let i = start; i < end; i += 2) words[i] = move(words[i]!);
  words[shape + 1] = move(words[shape + 1]!);
  words[shape + 3] = move(words[shape + 3]!);
}

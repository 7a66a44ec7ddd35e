import {
  coordinatesAt,
  pointType,
  shapeHeaderWords,
  shapeWords,
  zoomsAt,
  type ShapeType,
} from '../shape/shape.ts';
import { reserveSpace, type Int32Buffer } from '../shape/int32-buffer.ts';

/** In world units, inclusive on all sides. */
export interface Box {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

/**
 * Appends a copy of the shape without vertices that cannot matter inside the box. @returns its offset, or -1 if
 * nothing is left
 *
 * Vertices are never moved or added: a run of vertices beyond one side of the box loses those between its ends, and an
 * edge that enters the box keeps its exact end points. As each zoom uses only some of the vertices, a run keeps, from
 * either end, every vertex that an earlier zoom needs than all nearer ones. So whatever is clipped from the box later,
 * at any zoom, equals what would be clipped from the whole shape, and neighbouring tiles agree to the last unit at any
 * depth.
 */
export function trimShape(store: Int32Buffer, shape: number, type: ShapeType, box: Box): number {
  reserveSpace(store, store.words[shape]!);
  const { words, floats, bytes } = store;
  const rings = words[shape + 5]!;
  const from = coordinatesAt(words, shape);
  const zoomsFrom = zoomsAt(words, shape);
  const out = store.length;
  const { minX, minY, maxX, maxY } = box;

  kept = 0;
  let ringsOut = 0;
  let start = 0;
  let outerGone = false;
  for (let ring = 0; ring < rings; ring++) {
    const info = words[shape + shapeHeaderWords + ring * 2]!;
    const end = info >> 1;
    const before = kept;
    if ((info & 1) === 1) outerGone = false;
    if (!outerGone) {
      const some =
        type === pointType
          ? keepPoints(words, from, end, box)
          : keepRing(words, bytes, from, zoomsFrom, start, end, box);
      if (!some) kept = before;
    }
    if (kept > before) {
      words[out + shapeHeaderWords + ringsOut * 2] = kept * 2 + (info & 1);
      floats[out + shapeHeaderWords + ringsOut * 2 + 1] = floats[shape + shapeHeaderWords + ring * 2 + 1]!;
      ringsOut++;
    } else if ((info & 1) === 1) outerGone = true;
    start = end;
  }
  if (kept === 0) return -1;

  let at = out + shapeHeaderWords + ringsOut * 2;
  for (let i = 0; i < kept; i++) {
    const vertex = from + chosen[i]! * 2;
    words[at++] = words[vertex]!;
    words[at++] = words[vertex + 1]!;
  }
  const zooms = at * 4;
  for (let i = 0; i < kept; i++) bytes[zooms + i] = bytes[zoomsFrom + chosen[i]!]!;
  const length = shapeWords(ringsOut, kept);
  words[out] = length;
  words[out + 1] = Math.max(words[shape + 1]!, minX);
  words[out + 2] = Math.max(words[shape + 2]!, minY);
  words[out + 3] = Math.min(words[shape + 3]!, maxX);
  words[out + 4] = Math.min(words[shape + 4]!, maxY);
  words[out + 5] = ringsOut;
  words[out + 6] = kept;
  store.length = out + length;
  return out;
}

/** Indices of the vertices kept so far; shared by all calls, which never interrupt each other. */
let chosen = new Int32Array(4096);
let kept = 0;
const tail = new Int32Array(64);

function choose(vertex: number): void {
  if (kept === chosen.length) {
    const larger = new Int32Array(kept * 2);
    larger.set(chosen);
    chosen = larger;
  }
  chosen[kept++] = vertex;
}

function keepPoints(words: Int32Array, from: number, end: number, box: Box): boolean {
  for (let i = 0; i < end; i++) {
    const x = words[from + i * 2]!;
    const y = words[from + i * 2 + 1]!;
    if (x >= box.minX && x <= box.maxX && y >= box.minY && y <= box.maxY) choose(i);
  }
  return kept > 0;
}

/** @returns false if the whole ring is beyond one side */
function keepRing(
  words: Int32Array,
  bytes: Uint8Array,
  from: number,
  zoomsFrom: number,
  start: number,
  end: number,
  { minX, minY, maxX, maxY }: Box,
): boolean {
  let runStart = -1;
  let runSides = 0;
  for (let i = start; i < end; i++) {
    const x = words[from + i * 2]!;
    const y = words[from + i * 2 + 1]!;
    const sides = (x < minX ? 1 : x > maxX ? 2 : 0) | (y < minY ? 4 : y > maxY ? 8 : 0);
    if (runStart >= 0) {
      if ((runSides & sides) !== 0) {
        runSides &= sides;
        continue;
      }
      keepRun(bytes, zoomsFrom, runStart, i);
      runStart = -1;
    }
    if (sides === 0) choose(i);
    else {
      runStart = i;
      runSides = sides;
    }
  }
  if (runStart === start) return false;
  if (runStart >= 0) keepRun(bytes, zoomsFrom, runStart, end);
  return true;
}

/** Keeps, from `start` to `end` (exclusive), the vertices that no nearer one makes redundant. */
function keepRun(bytes: Uint8Array, zoomsFrom: number, start: number, end: number): void {
  let lowest = 256;
  let last = start;
  for (let i = start; i < end && lowest > 0; i++) {
    const zoom = bytes[zoomsFrom + i]!;
    if (zoom < lowest) {
      lowest = zoom;
      last = i;
      choose(i);
    }
  }
  let count = 0;
  lowest = 256;
  for (let i = end - 1; i > last && lowest > 0; i--) {
    const zoom = bytes[zoomsFrom + i]!;
    if (zoom < lowest) {
      lowest = zoom;
      tail[count++] = i;
    }
  }
  while (count > 0) choose(tail[--count]!);
}

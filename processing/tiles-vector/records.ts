import { thinShape } from '@platen/geo/clip/thin-shape';
import { trimShape, type Box } from '@platen/geo/clip/trim-shape';
import { finerZooms } from '@platen/geo/mvt/polygon-encoder';
import { recordHeaderWords, shapeOf } from '@platen/geo/mvt/feature-record';
import type { ShapeType } from '@platen/geo/shape/shape';
import { reserveSpace, type Int32Buffer } from '@platen/geo/shape/int32-buffer';

/** Maps a worker's key and layer numbers to global ones. */
export interface Renumbering {
  readonly keys: Int32Array;
  readonly layers: Int32Array;
}

/** Appends a record with global numbers to the store and returns its position. The source may be the same memory. */
export function copyRecord(
  store: Int32Buffer,
  source: Int32Array,
  record: number,
  { keys, layers }: Renumbering,
): number {
  const length = source[record]!;
  reserveSpace(store, length);
  const { words } = store;
  const copy = store.length;
  words.set(source.subarray(record, record + length), copy);
  store.length = copy + length;
  const head = words[copy + 1]!;
  words[copy + 1] = (head & 7) | (layers[head >> 3]! << 3);
  const end = copy + recordHeaderWords + words[copy + 4]! * 2;
  for (let at = copy + recordHeaderWords; at < end; at += 2) words[at] = keys[words[at]!]!;
  return copy;
}

/** Trims the store's last record to the box. Returns false, and removes the record, if nothing is left. */
export function trimRecord(store: Int32Buffer, record: number, box: Box): boolean {
  const shape = shapeOf(store.words, record);
  const left = trimToBox(store, record, shape, box);
  if (left < 0) {
    store.length = record;
    return false;
  }
  if (left !== shape) replaceShape(store, record, shape, left);
  return true;
}

/** Simplifies the store's last record to what tiles of zooms up to `zoom` need. */
export function thinRecord(store: Int32Buffer, record: number, zoom: number): void {
  const shape = shapeOf(store.words, record);
  replaceShape(store, record, shape, thinShape(store, shape, zoom + finerZooms));
}

function replaceShape(store: Int32Buffer, record: number, shape: number, by: number): void {
  const length = store.words[by]!;
  store.words.copyWithin(shape, by, by + length);
  store.length = shape + length;
  store.words[record] = store.length - record;
}

/**
 * Trims a shape to a box: returns the shape itself, a trimmed copy after the store's end, or -1 if nothing is left.
 */
export function trimToBox(store: Int32Buffer, record: number, shape: number, box: Box): number {
  const { words } = store;
  const minX = words[shape + 1]!;
  const minY = words[shape + 2]!;
  const maxX = words[shape + 3]!;
  const maxY = words[shape + 4]!;
  if (maxX < box.minX || minX > box.maxX || maxY < box.minY || minY > box.maxY) return -1;
  if (minX >= box.minX && maxX <= box.maxX && minY >= box.minY && maxY <= box.maxY) return shape;
  return trimShape(store, shape, (words[record + 1]! & 3) as ShapeType, box);
}

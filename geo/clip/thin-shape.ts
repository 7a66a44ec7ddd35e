import { coordinatesAt, shapeHeaderWords, shapeWords, zoomsAt } from '../shape/shape.ts';
import { reserveSpace, type Int32Buffer } from '../shape/int32-buffer.ts';

/** Appends a copy of a shape without vertices that only zooms above `zoom` need. @returns its offset */
export function thinShape(store: Int32Buffer, shape: number, zoom: number): number {
  reserveSpace(store, store.words[shape]!);
  const { words, floats, bytes } = store;
  const rings = words[shape + 5]!;
  const vertices = words[shape + 6]!;
  const from = coordinatesAt(words, shape);
  const zooms = zoomsAt(words, shape);
  const out = store.length;
  const outFrom = out + shapeHeaderWords + rings * 2;

  let kept = 0;
  for (let ring = 0, i = 0; ring < rings; ring++) {
    const info = words[shape + shapeHeaderWords + ring * 2]!;
    for (; i < info >> 1; i++) {
      if (bytes[zooms + i]! > zoom) continue;
      words[outFrom + kept * 2] = words[from + i * 2]!;
      words[outFrom + kept * 2 + 1] = words[from + i * 2 + 1]!;
      kept++;
    }
    words[out + shapeHeaderWords + ring * 2] = kept * 2 + (info & 1);
    floats[out + shapeHeaderWords + ring * 2 + 1] = floats[shape + shapeHeaderWords + ring * 2 + 1]!;
  }
  const outZooms = (outFrom + kept * 2) * 4;
  for (let i = 0, to = outZooms; i < vertices; i++) {
    const first = bytes[zooms + i]!;
    if (first <= zoom) bytes[to++] = first;
  }
  const length = shapeWords(rings, kept);
  words[out] = length;
  for (let i = 1; i <= 4; i++) words[out + i] = words[shape + i]!;
  words[out + 5] = rings;
  words[out + 6] = kept;
  store.length = out + length;
  return out;
}

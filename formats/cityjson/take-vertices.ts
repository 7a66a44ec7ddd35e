import { growExtent } from '../mesh/extent.ts';
import { endRing, endSurface, pushVertex } from '../mesh/surface-buffer.ts';
import { readNumber, type NumberCursor } from '../xml/read-numbers.ts';
import type { CityJsonScan } from './city-json.ts';

const maxVertices = 4_000_000;

/** The numbers of a `vertices` array, whatever its brackets: three to each. */
export function parseVertices(bytes: Uint8Array, start: number, end: number): Float64Array {
  // a number and what separates it from the next take two bytes; most lists of a CityJSONSeq are short
  let vertices = new Float64Array(Math.max(3, Math.min(3 * 1024, (end - start) >> 1)));
  let length = 0;
  const cursor: NumberCursor = { bytes, at: start, end };
  while (cursor.at < end && length < maxVertices * 3) {
    const byte = bytes[cursor.at]!;
    if (byte !== 45 && (byte < 48 || byte > 57)) {
      cursor.at++;
      continue;
    }
    const before = cursor.at;
    const value = readNumber(cursor);
    if (cursor.at === before) {
      cursor.at++;
      continue;
    }
    if (length === vertices.length) {
      const larger = new Float64Array(length * 2);
      larger.set(vertices);
      vertices = larger;
    }
    vertices[length++] = value;
  }
  return vertices.subarray(0, length - (length % 3));
}

/** Places what waits for its vertices. */
export function placeVertices(scan: CityJsonScan, vertices: Float64Array): void {
  const { scale = [1, 1, 1], translate = [0, 0, 0] } = scan.transform ?? {};
  const at = (index: number, axis: number): number =>
    vertices[index * 3 + axis]! * scale[axis]! + translate[axis]!;
  const total = vertices.length / 3;
  for (let i = 0; i < total; i++) growExtent(scan.extent, at(i, 0), at(i, 1), at(i, 2));
  const { indices, ringEnds, surfaceEnds } = scan.pending;
  let position = 0;
  let ring = 0;
  for (const lastRing of surfaceEnds) {
    for (; ring < lastRing; ring++) {
      for (; position < ringEnds[ring]!; position++) {
        const index = indices[position]!;
        if (index >= 0 && index < total && Number.isInteger(index))
          pushVertex(scan.surfaces, at(index, 0), at(index, 1), at(index, 2));
        else scan.badIndices++;
      }
      endRing(scan.surfaces);
    }
    endSurface(scan.surfaces);
  }
  dropPending(scan);
}

export function dropPending({ pending }: CityJsonScan): void {
  pending.indices.length = 0;
  pending.ringEnds.length = 0;
  pending.surfaceEnds.length = 0;
}

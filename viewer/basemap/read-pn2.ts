import type { LonLat } from './unwrap-ring.ts';

/** A line or a ring of a PN2 file. */
export interface Pn2Part {
  /** Parts of one feature have the same number. */
  readonly feature: number;
  readonly type: 'line' | 'ring' | 'outer' | 'inner';
  readonly points: readonly LonLat[];
}

/** By the number in the file; a group has no points, only the number of parts that follow. */
const types = ['line', 'ring', 'outer', 'inner', 'group'] as const;
/** Positions are in units of half a minute of arc. */
const unitsPerDegree = 120;

/**
 * Reads the second version of PN2, the compact form in which Marble has Natural Earth: numbers are big-endian; each part has a
 * type, the number of its feature and nodes of latitude and longitude, each with further nodes as one-byte steps from it.
 * @throws RangeError if the file is cut off or is no such file
 */
export function readPn2(bytes: Uint8Array): Pn2Part[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint8(0) !== 2) throw new RangeError('This is no PN2 file of version 2.');
  const parts: Pn2Part[] = [];
  let at = 6; // after the version, the number of parts, and whether areas have colours
  while (at < bytes.length) {
    const type = types[view.getUint8(at)];
    const feature = view.getUint32(at + 1);
    if (type === undefined) throw new RangeError(`Unknown type of part at byte ${at}.`);
    if (type === 'group') {
      at += 6;
      continue;
    }
    const { points, end } = readNodes(view, at + 5);
    parts.push({ feature, type, points });
    at = end;
  }
  return parts;
}

function readNodes(view: DataView, start: number): { points: LonLat[]; end: number } {
  const points: LonLat[] = [];
  const add = (latitude: number, longitude: number) =>
    points.push([longitude / unitsPerDegree, latitude / unitsPerDegree]);
  let at = start + 4;
  for (let nodes = view.getUint32(start); nodes > 0; nodes--) {
    const latitude = view.getInt16(at);
    const longitude = view.getInt16(at + 2);
    add(latitude, longitude);
    const end = at + 6 + 2 * view.getUint16(at + 4);
    for (at += 6; at < end; at += 2) add(latitude + view.getInt8(at), longitude + view.getInt8(at + 1));
  }
  return { points, end: at };
}

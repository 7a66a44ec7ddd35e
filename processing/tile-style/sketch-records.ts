import type { GeometryBuffer, GeometryPart } from '@platen/formats/feature/geometry-buffer';
import type { TileGeometry } from '@platen/geo/mvt/read-tile';
import { gridX, gridY } from '@platen/geo/tile/world-grid';
import { shapeTypes } from '../features/shape-types.ts';

/**
 * Geometries on the world's grid, one behind the other in one buffer: an object for each of a million points would take
 * hundreds of megabytes.
 */
export interface SketchRecords {
  /** In words. */
  readonly length: () => number;
  /** @returns the number of words appended */
  append(geometry: GeometryBuffer, part: GeometryPart): number;
  /** @returns the number of words dropped */
  dropEverySecond(): number;
  /** A geometry is valid during the call. */
  readonly visit: (visit: (geometry: TileGeometry) => void) => void;
}

/** Limit for a line or ring; a small picture cannot show more. */
const maxPerRing = 5000;
/** Limit for one geometry; its further rings are left out. */
const maxWordsPerPart = 1 << 18;
const initialWords = 1 << 10;

/** Words of a record before its ends and coordinates: its length, the type, the numbers of rings and of positions. */
const headWords = 4;

export function createSketchRecords(): SketchRecords {
  let words = new Int32Array(initialWords);
  let length = 0;
  const reserve = (more: number): void => {
    if (length + more <= words.length) return;
    const larger = new Int32Array(Math.max(words.length * 2, length + more));
    larger.set(words.subarray(0, length));
    words = larger;
  };
  return {
    length: () => length,
    append(geometry, part) {
      const kept = keptRingsOf(geometry, part);
      const more = wordsOf(kept.rings, kept.positions);
      reserve(more);
      words[length] = more;
      words[length + 1] = shapeTypes[part.type];
      writeRings(words, length, geometry, kept);
      length += more;
      return more;
    },
    dropEverySecond() {
      const before = length;
      length = 0;
      for (let at = 0, i = 0; at < before; i++) {
        const end = at + words[at]!;
        if (i % 2 === 0) {
          words.copyWithin(length, at, end);
          length += end - at;
        }
        at = end;
      }
      words = words.slice(0, Math.max(initialWords, length));
      return before - length;
    },
    visit(visit) {
      for (let at = 0; at < length; at += words[at]!) visit(geometryAt(words, at));
    },
  };
}

/** What is kept of a geometry. */
interface KeptRings {
  readonly firstRing: number;
  /** Behind the last ring. */
  readonly endRing: number;
  /** Without empty ones. */
  readonly rings: number;
  readonly positions: number;
}

function keptRingsOf(geometry: GeometryBuffer, { polygonStart, polygonEnd }: GeometryPart): KeptRings {
  const { polygonEnds } = geometry;
  const firstRing = polygonStart === 0 ? 0 : polygonEnds[polygonStart - 1]!;
  const lastEnd = polygonEnds[polygonEnd - 1] ?? firstRing;
  let [rings, positions, endRing] = [0, 0, firstRing];
  for (; endRing < lastEnd; endRing++) {
    const count = countIn(geometry, endRing);
    if (count === 0) continue;
    const kept = Math.ceil(count / stepOf(count));
    if (wordsOf(rings + 1, positions + kept) > maxWordsPerPart) break;
    rings++;
    positions += kept;
  }
  return { firstRing, endRing, rings, positions };
}

function wordsOf(rings: number, positions: number): number {
  return headWords + rings + positions * 2;
}

function countIn({ ringEnds }: GeometryBuffer, ring: number): number {
  return ringEnds[ring]! - (ring === 0 ? 0 : ringEnds[ring - 1]!);
}

/** Every how many positions of a ring one is kept. */
function stepOf(count: number): number {
  return Math.ceil(count / maxPerRing);
}

function writeRings(
  words: Int32Array,
  at: number,
  geometry: GeometryBuffer,
  { firstRing, endRing, rings, positions }: KeptRings,
): void {
  const { coordinates, ringEnds } = geometry;
  words[at + 2] = rings;
  words[at + 3] = positions;
  const firstCoordinate = at + headWords + rings;
  let endAt = at + headWords;
  let to = firstCoordinate;
  for (let ring = firstRing; ring < endRing; ring++) {
    const count = countIn(geometry, ring);
    if (count === 0) continue;
    const step = stepOf(count);
    const end = ringEnds[ring]!;
    for (let position = end - count; position < end; position += step) {
      words[to++] = clamp(gridX(coordinates[position * 2]!));
      words[to++] = clamp(gridY(coordinates[position * 2 + 1]!));
    }
    words[endAt++] = (to - firstCoordinate) / 2;
  }
}

function clamp(value: number): number {
  return Math.min(2 ** 31 - 1, Math.max(-(2 ** 31), value));
}

function geometryAt(words: Int32Array, at: number): TileGeometry {
  const ends = at + headWords;
  const rings = words[at + 2]!;
  return {
    type: words[at + 1] as TileGeometry['type'],
    coordinates: words.subarray(ends + rings, at + words[at]!),
    positionCount: words[at + 3]!,
    partEnds: Array.from(words.subarray(ends, ends + rings)),
  };
}

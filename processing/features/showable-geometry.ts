import type { GeometryBuffer, GeometryPart } from '@platen/formats/feature/geometry-buffer';

type Position = [number, number];

interface Simple {
  readonly type: 'Point' | 'LineString' | 'Polygon';
  readonly coordinates: unknown;
}

export interface Shown {
  /** GeoJSON; null: there is nothing to show. */
  readonly geometry: object | null;
  /** Some positions are no places, or too many. */
  readonly isPart: boolean;
}

/** Of a larger geometry only its first position is shown. */
const mostPositions = 20_000;
const farthestLongitude = 540;

/**
 * What of a damaged geometry can be shown on a map: positions that are no places are left out, and rings and lines that
 * have too few become what they have enough for.
 */
export function showableGeometry(geometry: GeometryBuffer): Shown {
  const { positionCount, ringEnds, parts } = geometry;
  if (positionCount > mostPositions) {
    const [first] = placesBetween(geometry, 0, 1);
    return { geometry: first ? { type: 'Point', coordinates: first } : null, isPart: true };
  }
  const shown: Simple[] = [];
  for (const part of parts) showPart(geometry, part, shown);
  // What follows no end of a part belongs to one that was not read to its end.
  const ended = parts.length === 0 ? 0 : lastPosition(geometry, parts.at(-1)!);
  let start = ended;
  for (const end of [...ringEnds.filter((one) => one > ended), positionCount]) {
    showRun(placesBetween(geometry, start, end), shown);
    start = end;
  }
  const isPart = placesBetween(geometry, 0, positionCount).length < positionCount;
  return { geometry: together(shown), isPart };
}

function lastPosition({ polygonEnds, ringEnds }: GeometryBuffer, { polygonEnd }: GeometryPart): number {
  const rings = polygonEnd === 0 ? 0 : (polygonEnds[polygonEnd - 1] ?? 0);
  return rings === 0 ? 0 : (ringEnds[rings - 1] ?? 0);
}

function showPart(
  geometry: GeometryBuffer,
  { type, polygonStart, polygonEnd }: GeometryPart,
  into: Simple[],
): void {
  const { polygonEnds, ringEnds } = geometry;
  const startOfRing = (ring: number): number => (ring === 0 ? 0 : ringEnds[ring - 1]!);
  for (let polygon = polygonStart; polygon < polygonEnd; polygon++) {
    const rings: Position[][] = [];
    const first = polygon === 0 ? 0 : polygonEnds[polygon - 1]!;
    for (let ring = first; ring < polygonEnds[polygon]!; ring++) {
      const places = placesBetween(geometry, startOfRing(ring), ringEnds[ring]!);
      if (type.endsWith('Point')) for (const coordinates of places) into.push({ type: 'Point', coordinates });
      else if (type.endsWith('Polygon') && isRing(places)) rings.push(closed(places));
      else showRun(places, into);
    }
    if (rings.length > 0) into.push({ type: 'Polygon', coordinates: rings });
  }
}

function showRun(places: readonly Position[], into: Simple[]): void {
  if (places.length > 1) into.push({ type: 'LineString', coordinates: places });
  else if (places.length === 1) into.push({ type: 'Point', coordinates: places[0]! });
}

function isRing(places: readonly Position[]): boolean {
  return new Set(places.map(String)).size > 2;
}

function closed(places: Position[]): Position[] {
  return String(places[0]) === String(places.at(-1)) ? places : [...places, places[0]!];
}

function placesBetween({ coordinates }: GeometryBuffer, start: number, end: number): Position[] {
  const places: Position[] = [];
  for (let i = start; i < end; i++) {
    const [x, y] = [coordinates[i * 2]!, coordinates[i * 2 + 1]!];
    if (Math.abs(x) <= farthestLongitude && Math.abs(y) <= 90) places.push([rounded(x), rounded(y)]);
  }
  return places;
}

function rounded(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7;
}

function together(shown: readonly Simple[]): object | null {
  const [first] = shown;
  if (first === undefined) return null;
  if (shown.length === 1) return first;
  if (shown.every(({ type }) => type === first.type))
    return { type: `Multi${first.type}`, coordinates: shown.map(({ coordinates }) => coordinates) };
  return { type: 'GeometryCollection', geometries: shown };
}

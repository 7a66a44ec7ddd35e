import type { GeometryBuffer, GeometryPart } from '@platen/formats/feature/geometry-buffer';

type Position = [number, number];

interface Simple {
  readonly type: 'Point' | 'LineString' | 'Polygon';
  readonly coordinates: unknown;
}

export interface DisplayableGeometry {
  /** GeoJSON; null if nothing can be displayed. */
  readonly geometry: object | null;
  /** Some positions are invalid or exceed the limit. */
  readonly isPart: boolean;
}

/** A geometry with more positions is represented by its first one. */
const maxPositions = 20_000;
const maxLongitude = 540;

/**
 * Returns what a map can display of a damaged geometry. Invalid positions are dropped; rings and lines with too few
 * positions become lines and points.
 */
export function displayableGeometry(geometry: GeometryBuffer): DisplayableGeometry {
  const { positionCount, ringEnds, parts } = geometry;
  if (positionCount > maxPositions) {
    const [first] = validPositions(geometry, 0, 1);
    return { geometry: first ? { type: 'Point', coordinates: first } : null, isPart: true };
  }
  const members: Simple[] = [];
  for (const part of parts) addPart(geometry, part, members);
  // Positions after the last complete part belong to a part that could not be read to its end.
  const ended = parts.length === 0 ? 0 : lastPosition(geometry, parts.at(-1)!);
  let start = ended;
  for (const end of [...ringEnds.filter((one) => one > ended), positionCount]) {
    addLine(validPositions(geometry, start, end), members);
    start = end;
  }
  const isPart = validPositions(geometry, 0, positionCount).length < positionCount;
  return { geometry: combine(members), isPart };
}

function lastPosition({ polygonEnds, ringEnds }: GeometryBuffer, { polygonEnd }: GeometryPart): number {
  const rings = polygonEnd === 0 ? 0 : (polygonEnds[polygonEnd - 1] ?? 0);
  return rings === 0 ? 0 : (ringEnds[rings - 1] ?? 0);
}

function addPart(
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
      const positions = validPositions(geometry, startOfRing(ring), ringEnds[ring]!);
      if (type.endsWith('Point'))
        for (const coordinates of positions) into.push({ type: 'Point', coordinates });
      else if (type.endsWith('Polygon') && isRing(positions)) rings.push(closed(positions));
      else addLine(positions, into);
    }
    if (rings.length > 0) into.push({ type: 'Polygon', coordinates: rings });
  }
}

function addLine(positions: readonly Position[], into: Simple[]): void {
  if (positions.length > 1) into.push({ type: 'LineString', coordinates: positions });
  else if (positions.length === 1) into.push({ type: 'Point', coordinates: positions[0]! });
}

function isRing(positions: readonly Position[]): boolean {
  return new Set(positions.map(String)).size > 2;
}

function closed(positions: Position[]): Position[] {
  return String(positions[0]) === String(positions.at(-1)) ? positions : [...positions, positions[0]!];
}

function validPositions({ coordinates }: GeometryBuffer, start: number, end: number): Position[] {
  const positions: Position[] = [];
  for (let i = start; i < end; i++) {
    const [x, y] = [coordinates[i * 2]!, coordinates[i * 2 + 1]!];
    if (Math.abs(x) <= maxLongitude && Math.abs(y) <= 90) positions.push([rounded(x), rounded(y)]);
  }
  return positions;
}

function rounded(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7;
}

function combine(members: readonly Simple[]): object | null {
  const [first] = members;
  if (first === undefined) return null;
  if (members.length === 1) return first;
  if (members.every(({ type }) => type === first.type))
    return { type: `Multi${first.type}`, coordinates: members.map(({ coordinates }) => coordinates) };
  return { type: 'GeometryCollection', geometries: members };
}

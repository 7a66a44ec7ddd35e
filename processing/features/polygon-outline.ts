import type { GeometryBuffer } from '@platen/formats/feature/geometry-buffer';

/** A polygon as flat edges: x, y of both ends of each. Always closed, even if the rings are not. */
export interface Outline {
  edges: Float64Array;
  /** Used numbers in `edges`, four per edge. */
  length: number;
  west: number;
  south: number;
  east: number;
  north: number;
}

export function createOutline(): Outline {
  return { edges: new Float64Array(1024), length: 0, west: 0, south: 0, east: 0, north: 0 };
}

/** Index of the polygon with the largest outer ring in all parts; undefined if none has an area. */
export function largestPolygon({
  parts,
  polygonEnds,
  ringEnds,
  coordinates,
}: GeometryBuffer): number | undefined {
  let largest: number | undefined;
  let maxArea = 0;
  for (const { type, polygonStart, polygonEnd } of parts) {
    if (type !== 'Polygon' && type !== 'MultiPolygon') continue;
    for (let polygon = polygonStart; polygon < polygonEnd; polygon++) {
      const ring = polygon === 0 ? 0 : polygonEnds[polygon - 1]!;
      if (ring >= polygonEnds[polygon]!) continue;
      const area = ringArea(coordinates, ring === 0 ? 0 : ringEnds[ring - 1]!, ringEnds[ring]!);
      // False for NaN.
      if (area > maxArea && area < Infinity) {
        maxArea = area;
        largest = polygon;
      }
    }
  }
  return largest;
}

/** Twice the area, computed relative to the first position to keep precision with large coordinates. */
function ringArea(coordinates: Float64Array, start: number, end: number): number {
  const originX = coordinates[start * 2]!;
  const originY = coordinates[start * 2 + 1]!;
  let sum = 0;
  let x = 0;
  let y = 0;
  for (let i = start + 1; i < end; i++) {
    const nextX = coordinates[i * 2]! - originX;
    const nextY = coordinates[i * 2 + 1]! - originY;
    sum += x * nextY - nextX * y;
    x = nextX;
    y = nextY;
  }
  return Math.abs(sum);
}

/**
 * Writes the polygon's edges. Of a long polygon it uses only every n-th position, so that there are about `maxEdges`.
 * @param scaleX factor for x
 * @returns whether positions were dropped
 */
export function writeOutline(
  outline: Outline,
  geometry: GeometryBuffer,
  polygon: number,
  { scaleX, maxEdges }: { readonly scaleX: number; readonly maxEdges: number },
): boolean {
  const { polygonEnds, ringEnds, coordinates } = geometry;
  const firstRing = polygon === 0 ? 0 : polygonEnds[polygon - 1]!;
  const endRing = polygonEnds[polygon]!;
  const start = firstRing === 0 ? 0 : ringEnds[firstRing - 1]!;
  const positions = ringEnds[endRing - 1]! - start;
  // Odd, so that both sides of a zigzag are sampled.
  const step = Math.max(1, Math.ceil(positions / maxEdges)) | 1;
  begin(outline, Math.ceil(positions / step) + endRing - firstRing);
  for (let ring = firstRing, from = start; ring < endRing; from = ringEnds[ring++]!) {
    const end = ringEnds[ring]!;
    // Skips holes of which nothing would be left; they are too small to matter.
    if (ring > firstRing && end - from < step * 3) continue;
    const last = from + Math.floor((end - 1 - from) / step) * step;
    let x = coordinates[last * 2]! * scaleX;
    let y = coordinates[last * 2 + 1]!;
    for (let i = from; i < end; i += step) {
      const nextX = coordinates[i * 2]! * scaleX;
      const nextY = coordinates[i * 2 + 1]!;
      addEdge(outline, x, y, nextX, nextY);
      x = nextX;
      y = nextY;
    }
  }
  return step > 1;
}

function begin(outline: Outline, edges: number): void {
  if (outline.edges.length < edges * 4) outline.edges = new Float64Array(edges * 8);
  outline.length = 0;
  outline.west = outline.south = Infinity;
  outline.east = outline.north = -Infinity;
}

// oxlint-disable-next-line max-params -- two positions, in the innermost loop
function addEdge(outline: Outline, x: number, y: number, nextX: number, nextY: number): void {
  const { edges, length } = outline;
  edges[length] = x;
  edges[length + 1] = y;
  edges[length + 2] = nextX;
  edges[length + 3] = nextY;
  outline.length = length + 4;
  if (nextX < outline.west) outline.west = nextX;
  if (nextX > outline.east) outline.east = nextX;
  if (nextY < outline.south) outline.south = nextY;
  if (nextY > outline.north) outline.north = nextY;
}

/** Distance of the point from the polygon's nearest edge; negative outside the polygon. */
export function depthIn({ edges, length }: Outline, x: number, y: number): number {
  let isInside = false;
  let nearest = Infinity;
  for (let i = 0; i < length; i += 4) {
    const ax = edges[i]!;
    const ay = edges[i + 1]!;
    const bx = edges[i + 2]!;
    const by = edges[i + 3]!;
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) isInside = !isInside;
    const dx = bx - ax;
    const dy = by - ay;
    const squared = dx * dx + dy * dy;
    const share = squared === 0 ? 0 : ((x - ax) * dx + (y - ay) * dy) / squared;
    const at = share < 0 ? 0 : share > 1 ? 1 : share;
    const offX = x - ax - at * dx;
    const offY = y - ay - at * dy;
    const distance = offX * offX + offY * offY;
    if (distance < nearest) nearest = distance;
  }
  return isInside ? Math.sqrt(nearest) : -Math.sqrt(nearest);
}

/** Minimum and maximum y of a polygon's outer ring. */
export function rangeOfY(
  { polygonEnds, ringEnds, coordinates }: GeometryBuffer,
  polygon: number,
): readonly [number, number] {
  const ring = polygon === 0 ? 0 : polygonEnds[polygon - 1]!;
  let south = Infinity;
  let north = -Infinity;
  for (let i = ring === 0 ? 0 : ringEnds[ring - 1]!; i < ringEnds[ring]!; i++) {
    const y = coordinates[i * 2 + 1]!;
    if (y < south) south = y;
    if (y > north) north = y;
  }
  return [south, north];
}

/**
 * All x, from west to east, at which the polygon's edges cross a given y. The inside begins between the first two.
 */
export function crossingsAt(geometry: GeometryBuffer, polygon: number, y: number): Float64Array {
  const { polygonEnds, ringEnds, coordinates } = geometry;
  const crossings: number[] = [];
  const endRing = polygonEnds[polygon]!;
  for (let ring = polygon === 0 ? 0 : polygonEnds[polygon - 1]!; ring < endRing; ring++) {
    const end = ringEnds[ring]! * 2;
    const start = ring === 0 ? 0 : ringEnds[ring - 1]! * 2;
    if (start === end) continue;
    let bx = coordinates[end - 2]!;
    let by = coordinates[end - 1]!;
    for (let i = start; i < end; i += 2) {
      const ax = coordinates[i]!;
      const ay = coordinates[i + 1]!;
      if (ay > y !== by > y) crossings.push(((bx - ax) * (y - ay)) / (by - ay) + ax);
      bx = ax;
      by = ay;
    }
  }
  return Float64Array.from(crossings).sort();
}

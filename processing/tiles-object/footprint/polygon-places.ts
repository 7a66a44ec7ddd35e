import type { GeometryBuffer } from '@platen/formats/feature/geometry-buffer';
import { triangulateRings } from '../../models/triangulate-rings.ts';

export type Place = readonly [lon: number, lat: number];

export function boxOf({
  coordinates,
  positionCount,
}: GeometryBuffer): [west: number, south: number, east: number, north: number] {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positionCount * 2; i += 2) {
    west = Math.min(west, coordinates[i]!);
    south = Math.min(south, coordinates[i + 1]!);
    east = Math.max(east, coordinates[i]!);
    north = Math.max(north, coordinates[i + 1]!);
  }
  return [west, south, east, north];
}

/** The middle of the largest triangle of the first polygon. */
export function placeInside({ coordinates, ringEnds, polygonEnds }: GeometryBuffer): Place {
  const [lon, lat] = [coordinates[0]!, coordinates[1]!];
  const positions: number[] = [];
  const holes: number[] = [];
  for (let ring = 0; ring < polygonEnds[0]!; ring++) {
    if (ring > 0) holes.push(positions.length / 3);
    for (let i = ringEnds[ring - 1] ?? 0; i < ringEnds[ring]!; i++)
      positions.push(coordinates[i * 2]! - lon, coordinates[i * 2 + 1]! - lat, 0);
  }
  const triangles = triangulateRings(positions, positions.length / 3, holes, [0, 0, 1]);
  let largest = 0;
  let place: Place = [lon, lat];
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [triangles[i]! * 3, triangles[i + 1]! * 3, triangles[i + 2]! * 3];
    const [ax, ay] = [positions[a]!, positions[a + 1]!];
    const [bx, by] = [positions[b]!, positions[b + 1]!];
    const [cx, cy] = [positions[c]!, positions[c + 1]!];
    const area = Math.abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay));
    if (area <= largest) continue;
    largest = area;
    place = [lon + (ax + bx + cx) / 3, lat + (ay + by + cy) / 3];
  }
  return place;
}

/** By the number of edges to the left. */
export function isInside({ coordinates, ringEnds }: GeometryBuffer, [x, y]: Place): boolean {
  let inside = false;
  for (const [ring, end] of ringEnds.entries()) {
    for (let i = ringEnds[ring - 1] ?? 0, j = end - 1; i < end; j = i, i++) {
      const [ax, ay] = [coordinates[i * 2]!, coordinates[i * 2 + 1]!];
      const [bx, by] = [coordinates[j * 2]!, coordinates[j * 2 + 1]!];
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
    }
  }
  return inside;
}

/** Square degrees within the outer rings, to compare outlines that contain the same. */
export function areaOf({ coordinates, ringEnds, polygonEnds }: GeometryBuffer): number {
  let sum = 0;
  for (const polygon of polygonEnds.keys()) {
    const ring = polygonEnds[polygon - 1] ?? 0;
    let twice = 0;
    for (let i = ringEnds[ring - 1] ?? 0, j = ringEnds[ring]! - 1; i < ringEnds[ring]!; j = i, i++)
      twice += coordinates[j * 2]! * coordinates[i * 2 + 1]! - coordinates[i * 2]! * coordinates[j * 2 + 1]!;
    sum += Math.abs(twice);
  }
  return sum;
}

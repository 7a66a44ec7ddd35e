import { clearHeights, reverseHeights } from '../feature/position-heights.ts';
import { pushPosition, type GeometryBuffer } from '../feature/geometry-buffer.ts';

export function swapAxes({ coordinates, positionCount }: GeometryBuffer): void {
  for (let at = 0; at < positionCount * 2; at += 2) {
    const first = coordinates[at]!;
    coordinates[at] = coordinates[at + 1]!;
    coordinates[at + 1] = first;
  }
}

/** The positions from `start` on. */
export function reversePositions(geometry: GeometryBuffer, start: number): void {
  const { coordinates, positionCount, heights } = geometry;
  if (heights !== undefined) reverseHeights(heights, start, positionCount);
  for (let a = start * 2, b = positionCount * 2 - 2; a < b; a += 2, b -= 2) {
    const x = coordinates[a]!;
    const y = coordinates[a + 1]!;
    coordinates[a] = coordinates[b]!;
    coordinates[a + 1] = coordinates[b + 1]!;
    coordinates[b] = x;
    coordinates[b + 1] = y;
  }
}

/** Turns the two corners from position `start` on into a ring. @returns the problem, if any */
export function rectangle(geometry: GeometryBuffer, start: number): string | undefined {
  const corners = geometry.positionCount - start;
  if (corners !== 2) return `an envelope has ${corners} corners`;
  const [ax, ay, bx, by] = geometry.coordinates.slice(start * 2, start * 2 + 4) as unknown as number[];
  if (geometry.heights !== undefined) clearHeights(geometry.heights, start);
  geometry.positionCount = start;
  pushPosition(geometry, ax!, ay!);
  pushPosition(geometry, bx!, ay!);
  pushPosition(geometry, bx!, by!);
  pushPosition(geometry, ax!, by!);
  pushPosition(geometry, ax!, ay!);
  return undefined;
}

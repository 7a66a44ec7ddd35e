import type { EdgeGrid } from './edge-grid.ts';

export interface Place {
  readonly x: number;
  readonly y: number;
  /** The ray runs slightly above y (otherwise slightly below), so it never passes through a vertex. */
  readonly isAbove: boolean;
}

/** Visits the edges left of a point that a horizontal ray from it crosses: sign 1 for those that go up, else -1. */
export function castRayLeft(
  { starts, items, columns, minX, minY, shift }: EdgeGrid,
  ab: Int32Array,
  { x, y, isAbove }: Place,
  visit: (edge: number, sign: number) => void,
): void {
  const row = (Math.floor(y) - minY) >> shift;
  for (let column = (Math.floor(x) - minX) >> shift; column >= 0; column--) {
    const cell = row * columns + column;
    for (let item = starts[cell]!; item < starts[cell + 1]!; item++) {
      const edge = items[item]! * 4;
      const ax = ab[edge]!;
      const ay = ab[edge + 1]!;
      const bx = ab[edge + 2]!;
      const by = ab[edge + 3]!;
      if (isAbove ? ay < y === by < y : ay <= y === by <= y) continue;
      const crossed = ax + ((bx - ax) * (y - ay)) / (by - ay);
      // An edge can be in several cells; it counts in the one where it is crossed.
      if (crossed < x && (Math.floor(crossed) - minX) >> shift === column) visit(edge / 4, by < ay ? 1 : -1);
    }
  }
}

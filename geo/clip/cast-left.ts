import type { EdgeGrid } from './edge-grid.ts';

export interface Place {
  readonly x: number;
  readonly y: number;
  /** The line runs a little above y; else a little below. So it meets no end of an edge. */
  readonly isAbove: boolean;
}

/** Hands over the edges to the left of a place that a level line from it crosses: 1 for those that go up, else -1. */
export function castLeft(
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
      // An edge is in several cells: it counts in the one where it is crossed.
      if (crossed < x && (Math.floor(crossed) - minX) >> shift === column) visit(edge / 4, by < ay ? 1 : -1);
    }
  }
}

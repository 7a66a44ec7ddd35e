/** A point in the units of the box. */
export type Point = readonly [x: number, y: number];

/** An axis-parallel box. */
export interface Box {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

interface Side {
  readonly axis: 0 | 1;
  readonly limit: number;
  readonly sign: 1 | -1;
}

function sidesOf(box: Box): Side[] {
  return [
    { axis: 0, limit: box.minX, sign: 1 },
    { axis: 0, limit: box.maxX, sign: -1 },
    { axis: 1, limit: box.minY, sign: 1 },
    { axis: 1, limit: box.maxY, sign: -1 },
  ];
}

function isInside(point: Point, side: Side): boolean {
  return (point[side.axis] - side.limit) * side.sign >= 0;
}

function crossing(from: Point, to: Point, side: Side): Point {
  const share = (side.limit - from[side.axis]) / (to[side.axis] - from[side.axis]);
  const x = from[0] + (to[0] - from[0]) * share;
  const y = from[1] + (to[1] - from[1]) * share;
  // The clipped coordinate is the limit itself, so that neighbours meet without a gap.
  return side.axis === 0 ? [side.limit, y] : [x, side.limit];
}

/**
 * Clips a ring to a box (Sutherland and Hodgman 1974). A concave ring may get edges that run along the box;
 * the result is empty, or closed (last point equals the first).
 */
export function clipRing(ring: readonly Point[], box: Box): Point[] {
  let points: readonly Point[] = ring.slice(0, -1);
  for (const side of sidesOf(box)) {
    const kept: Point[] = [];
    let before = points.at(-1);
    for (const point of points) {
      if (before !== undefined && isInside(before, side) !== isInside(point, side)) {
        kept.push(crossing(before, point, side));
      }
      if (isInside(point, side)) kept.push(point);
      before = point;
    }
    points = kept;
  }
  const first = points[0];
  return first === undefined || points.length < 3 ? [] : [...points, first];
}

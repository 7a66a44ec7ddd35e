/** x, y in metres. */
export type Point2 = readonly [x: number, y: number];
/** With z in metres. */
export type Point3 = readonly [x: number, y: number, z: number];

/** The frame of an outline: along its longest edge, and across. */
export interface OutlineFrame {
  readonly toFrame: (point: Point2) => Point2;
  readonly fromFrame: (point: Point2) => Point2;
  readonly min: Point2;
  readonly max: Point2;
}

/** The frame of the smallest rectangle around an outline; its first axis is the longer one. */
export function frameOfOutline(ring: readonly Point2[]): OutlineFrame {
  let best: OutlineFrame | undefined;
  let bestArea = Infinity;
  for (const [i, from] of ring.entries()) {
    const to = ring[(i + 1) % ring.length]!;
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    if (length === 0) continue;
    const frame = frameAlong([(to[0] - from[0]) / length, (to[1] - from[1]) / length], ring);
    const area = (frame.max[0] - frame.min[0]) * (frame.max[1] - frame.min[1]);
    if (area >= bestArea) continue;
    [best, bestArea] = [frame, area];
  }
  return best ?? frameAlong([1, 0], ring);
}

function frameAlong([x, y]: Point2, ring: readonly Point2[]): OutlineFrame {
  const framed = frameBy([x, y], ring);
  const isLong = framed.max[0] - framed.min[0] >= framed.max[1] - framed.min[1];
  return isLong ? framed : frameBy([-y, x], ring);
}

function frameBy([x, y]: Point2, ring: readonly Point2[]): OutlineFrame {
  const toFrame = ([px, py]: Point2): Point2 => [px * x + py * y, py * x - px * y];
  const fromFrame = ([u, v]: Point2): Point2 => [u * x - v * y, u * y + v * x];
  const all = ring.map(toFrame);
  const us = all.map(([u]) => u);
  const vs = all.map(([, v]) => v);
  return {
    toFrame,
    fromFrame,
    min: [Math.min(...us), Math.min(...vs)],
    max: [Math.max(...us), Math.max(...vs)],
  };
}

/** Puts the points where a ring crosses the line on which `side` is 0 between its own. */
export function withCrossings(ring: readonly Point2[], side: (point: Point2) => number): Point2[] {
  return ring.flatMap((from, i) => {
    const to = ring[(i + 1) % ring.length]!;
    const [a, b] = [side(from), side(to)];
    if (a * b >= 0) return [from];
    const share = a / (a - b);
    return [from, [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share] as const];
  });
}

/** Twice the area; positive if counter-clockwise. */
export function turnOf(ring: readonly Point2[]): number {
  return ring.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = ring[(i + 1) % ring.length]!;
    return sum + x * nextY - nextX * y;
  }, 0);
}

/** Whether a ring turns the same way at all of its corners. */
export function isConvex(ring: readonly Point2[]): boolean {
  return ring.every(([x, y], i) => {
    const [bx, by] = ring[(i + 1) % ring.length]!;
    const [cx, cy] = ring[(i + 2) % ring.length]!;
    return (bx - x) * (cy - by) - (by - y) * (cx - bx) >= -1e-9;
  });
}

import assert from 'node:assert/strict';

export type Point = readonly [x: number, y: number];
/** Not closed by a repeated vertex. */
export type Ring = readonly Point[];

/** Twice its area, positive if it runs clockwise on the screen. */
export function areaOf(ring: Ring): number {
  return ring.reduce((sum, [x, y], i) => {
    const [px, py] = ring.at(i - 1)!;
    return sum + px * y - x * py;
  }, 0);
}

/** How often a ring winds around a place on none of its edges. */
export function windingOf(ring: Ring, x: number, y: number): number {
  let winding = 0;
  let before = ring.at(-1)!;
  for (const point of ring) {
    const [ax, ay] = before;
    const [bx, by] = point;
    before = point;
    if (ay <= y === by <= y) continue;
    if (ax + ((bx - ax) * (y - ay)) / (by - ay) < x) winding += by < ay ? 1 : -1;
  }
  return winding;
}

export function distanceTo(rings: readonly Ring[], x: number, y: number): number {
  let nearest = Infinity;
  for (const ring of rings) {
    let before = ring.at(-1)!;
    for (const point of ring) {
      const [ax, ay] = before;
      const [dx, dy] = [point[0] - ax, point[1] - ay];
      before = point;
      const squared = dx * dx + dy * dy;
      const t = squared === 0 ? 0 : ((x - ax) * dx + (y - ay) * dy) / squared;
      const along = Math.min(1, Math.max(0, t));
      const [awayX, awayY] = [x - ax - dx * along, y - ay - dy * along];
      nearest = Math.min(nearest, awayX * awayX + awayY * awayY);
    }
  }
  return Math.sqrt(nearest);
}

type Edge = readonly [Point, Point];

const side = ([a, b]: Edge, [x, y]: Point): number =>
  Math.sign((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]));

const isSame = (a: Point, b: Point): boolean => a[0] === b[0] && a[1] === b[1];

const areApart = ([a, b]: Edge, [c, d]: Edge): boolean =>
  Math.max(a[0], b[0]) < Math.min(c[0], d[0]) ||
  Math.max(c[0], d[0]) < Math.min(a[0], b[0]) ||
  Math.max(a[1], b[1]) < Math.min(c[1], d[1]) ||
  Math.max(c[1], d[1]) < Math.min(a[1], b[1]);

/** Whether they have more in common than ends of both. */
function meetWrongly(one: Edge, other: Edge): boolean {
  if (areApart(one, other)) return false;
  const sides = [side(one, other[0]), side(one, other[1]), side(other, one[0]), side(other, one[1])];
  if (sides[0]! * sides[1]! < 0 && sides[2]! * sides[3]! < 0) return true;
  const within = ([a, b]: Edge, p: Point): boolean =>
    side([a, b], p) === 0 &&
    !isSame(a, p) &&
    !isSame(b, p) &&
    p[0] >= Math.min(a[0], b[0]) &&
    p[0] <= Math.max(a[0], b[0]) &&
    p[1] >= Math.min(a[1], b[1]) &&
    p[1] <= Math.max(a[1], b[1]);
  if (other.some((p) => within(one, p)) || one.some((p) => within(other, p))) return true;
  return (
    (isSame(one[0], other[0]) && isSame(one[1], other[1])) ||
    (isSame(one[0], other[1]) && isSame(one[1], other[0]))
  );
}

export interface ValidityOptions {
  /** What meets on this square's sides is let pass. */
  readonly frame?: { readonly low: number; readonly high: number };
}

/** Compares everything with everything: rings, the outer one first, that touch each other in single points only. */
export function assertValid(rings: readonly Ring[], { frame }: ValidityOptions = {}): void {
  const isOnFrame = ([x, y]: Point): boolean =>
    frame !== undefined && [x, y].some((value) => value === frame.low || value === frame.high);
  const edges = rings.flatMap((ring) => ring.map((point, i): Edge => [ring.at(i - 1)!, point]));
  for (const edge of edges) assert.ok(!isSame(...edge), 'a repeated vertex');
  const inside = edges.filter((edge) => !edge.some(isOnFrame));
  for (const [i, one] of inside.entries()) {
    for (let k = 0; k < i; k++) {
      if (meetWrongly(one, inside[k]!))
        assert.fail(`${JSON.stringify(one)} meets ${JSON.stringify(inside[k])}`);
    }
  }
  for (const [i, ring] of rings.entries()) {
    assert.ok(ring.length >= 3);
    assert.ok(i === 0 ? areaOf(ring) > 0 : areaOf(ring) < 0, 'turned the wrong way');
    const free = ring.filter((point) => !isOnFrame(point)).map(String);
    assert.equal(new Set(free).size, free.length, 'a ring touches itself');
  }
}

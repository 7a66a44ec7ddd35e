import { frameOfOutline, isConvex, withCrossings, type Point2, type Point3 } from './roof-outline.ts';

export const roofShapes = ['flat', 'gabled', 'hipped', 'pyramidal', 'skillion', 'dome', 'onion'] as const;
export type RoofShape = (typeof roofShapes)[number];

export interface Roof {
  /** The outline with all points at which roof and walls meet, and the height of each above the eaves. */
  readonly outline: readonly Point3[];
  readonly faces: readonly (readonly Point3[])[];
}

type MakeRoof = (ring: readonly Point2[], height: number) => Roof | undefined;

/**
 * The roof over an outline without courtyards, counter-clockwise, in metres above its eaves. Undefined where the shape does
 * not fit the outline: it then has a flat one. Shapes by OpenStreetMap's Simple 3D Buildings.
 */
export function makeRoof(shape: RoofShape, ring: readonly Point2[], height: number): Roof | undefined {
  return height > 0 ? makers[shape](ring, height) : undefined;
}

const lift = (ring: readonly Point2[], z: number): Point3[] => ring.map(([x, y]) => [x, y, z]);

/** A plane that rises across the longer side. */
const skillion: MakeRoof = (ring, height) => {
  const { toFrame, min, max } = frameOfOutline(ring);
  const outline = ring.map((point): Point3 => {
    const [, v] = toFrame(point);
    return [point[0], point[1], (height * (v - min[1])) / (max[1] - min[1])];
  });
  return { outline, faces: [outline] };
};

/** Two planes that meet above the middle of the longer axis. */
const gabled: MakeRoof = (ring, height) => {
  if (!isConvex(ring)) return undefined;
  const { toFrame, min, max } = frameOfOutline(ring);
  const middle = (min[1] + max[1]) / 2;
  const half = (max[1] - min[1]) / 2;
  const side = (point: Point2): number => {
    const distance = toFrame(point)[1] - middle;
    return Math.abs(distance) < half * 1e-6 ? 0 : distance;
  };
  const outline = withCrossings(ring, side).map(([x, y]): Point3 => [
    x,
    y,
    height * (1 - Math.abs(side([x, y])) / half),
  ]);
  const faceOn = (sign: number): Point3[] =>
    outline.filter((point) => side([point[0], point[1]]) * sign >= -half * 1e-6);
  return { outline, faces: [faceOn(1), faceOn(-1)].map((face) => inOrder(outline, face)) };
};

/** The points of a half, beginning behind the gap. */
function inOrder(outline: readonly Point3[], face: readonly Point3[]): Point3[] {
  const isIn = new Set(face);
  const start = outline.findIndex((point, i) => isIn.has(point) && !isIn.has(outline.at(i - 1)!));
  return outline
    .map((_, i) => outline[(i + Math.max(0, start)) % outline.length]!)
    .filter((point) => isIn.has(point));
}

/** Four planes over four corners; the ridge is shorter than the longer side by the width. */
const hipped: MakeRoof = (ring, height) => {
  if (ring.length !== 4 || !isConvex(ring)) return undefined;
  const lengths = ring.map(([x, y], i) => Math.hypot(ring[(i + 1) % 4]![0] - x, ring[(i + 1) % 4]![1] - y));
  const first = lengths[0]! + lengths[2]! >= lengths[1]! + lengths[3]! ? 0 : 1;
  const corners = [0, 1, 2, 3].map((i) => ring[(i + first) % 4]!) as [Point2, Point2, Point2, Point2];
  const [a, b, c, d] = corners;
  const middleOf = (p: Point2, q: Point2): Point2 => [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2];
  const [start, end] = [middleOf(a, d), middleOf(b, c)];
  const length = Math.hypot(end[0] - start[0], end[1] - start[1]);
  const width = (Math.hypot(d[0] - a[0], d[1] - a[1]) + Math.hypot(c[0] - b[0], c[1] - b[1])) / 2;
  const share = Math.min(0.499, width / 2 / length);
  const along = (part: number): Point3 => [
    start[0] + (end[0] - start[0]) * part,
    start[1] + (end[1] - start[1]) * part,
    height,
  ];
  const [p, q] = [along(share), along(1 - share)];
  const [la, lb, lc, ld] = lift(corners, 0) as [Point3, Point3, Point3, Point3];
  return {
    outline: lift(ring, 0),
    faces: [
      [la, lb, q, p],
      [lc, ld, p, q],
      [lb, lc, q],
      [ld, la, p],
    ],
  };
};

/** Rings that shrink towards the middle, each by a share of the outline, at a share of the height. */
const turned =
  (profile: readonly (readonly [share: number, level: number])[]): MakeRoof =>
  (ring, height) => {
    if (!isConvex(ring)) return undefined;
    const middle = [0, 1].map((axis) => ring.reduce((sum, point) => sum + point[axis]!, 0) / ring.length);
    const at = ([x, y]: Point2, [share, level]: readonly [number, number]): Point3 => [
      middle[0]! + (x - middle[0]!) * share,
      middle[1]! + (y - middle[1]!) * share,
      height * level,
    ];
    const faces: Point3[][] = [];
    for (const [i, upper] of profile.entries()) {
      const lower = profile[i - 1] ?? ([1, 0] as const);
      for (const [k, point] of ring.entries()) {
        const next = ring[(k + 1) % ring.length]!;
        const [from, to] = [at(point, lower), at(next, lower)];
        faces.push(
          upper[0] === 0 ? [from, to, at(point, upper)] : [from, to, at(next, upper), at(point, upper)],
        );
      }
    }
    return { outline: lift(ring, 0), faces };
  };

const steps = 6;
const domeProfile = Array.from({ length: steps }, (_, i): readonly [number, number] => {
  const angle = ((i + 1) / steps) * (Math.PI / 2);
  return [i === steps - 1 ? 0 : Math.cos(angle), Math.sin(angle)];
});

const makers: Readonly<Record<RoofShape, MakeRoof>> = {
  flat: () => undefined,
  gabled,
  hipped,
  skillion,
  pyramidal: turned([[0, 1]]),
  dome: turned(domeProfile),
  onion: turned([
    [1.12, 0.12],
    [1.15, 0.25],
    [0.95, 0.42],
    [0.6, 0.56],
    [0.3, 0.68],
    [0.12, 0.82],
    [0, 1],
  ]),
};

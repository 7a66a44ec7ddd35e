import type { VectorTileFeature } from '@mapbox/vector-tile';

/** A ring or a line, in tile units. */
export type Vertices = readonly { readonly x: number; readonly y: number }[];

interface Vertex {
  readonly x: number;
  readonly y: number;
}

/** Size of the visible part of a feature within its tile, without the buffer. */
export interface Size {
  /** Square tile units; holes are taken away. */
  readonly area: number;
  readonly length: number;
  readonly points: number;
  readonly isInside: boolean;
}

const lineType = 2;
const polygonType = 3;

export function sizeInTile(feature: VectorTileFeature): Size {
  const { extent } = feature;
  const parts: Vertices[] = feature.loadGeometry();
  const isInside = parts.some((part) =>
    part.some(({ x, y }) => x >= 0 && x <= extent && y >= 0 && y <= extent),
  );
  if (feature.type === polygonType) {
    const area = sum(parts, (ring) => signedArea(clipRing(ring, extent)));
    return { area, length: 0, points: 0, isInside: isInside || area > 0 };
  }
  if (feature.type === lineType) {
    const length = sum(parts, (line) => lengthWithin(line, extent));
    return { area: 0, length, points: 0, isInside: isInside || length > 0 };
  }
  const points = sum(parts, (part) => part.filter((point) => isWithin(point, extent)).length);
  return { area: 0, length: 0, points, isInside: points > 0 };
}

/** Half open, as each point is in one tile only. */
const isWithin = ({ x, y }: Vertex, extent: number) => x >= 0 && x < extent && y >= 0 && y < extent;

export function sum<T>(items: Iterable<T>, measure: (item: T) => number): number {
  let total = 0;
  for (const item of items) total += measure(item);
  return total;
}

/** Positive for outer rings, as the specification 2.1 says (4.3.4.4: the surveyor's formula). */
export function signedArea(ring: Vertices): number {
  let twice = 0;
  let before = ring.at(-1);
  for (const vertex of ring) {
    twice += before!.x * vertex.y - vertex.x * before!.y;
    before = vertex;
  }
  return twice / 2;
}

/** Sutherland and Hodgman 1974; keeps the signed area within the square, also of self-intersecting rings. */
export function clipRing(ring: Vertices, extent: number): Vertices {
  let kept = ring;
  for (const [axis, limit, sign] of sidesOf(extent)) {
    const next: Vertex[] = [];
    let before = kept.at(-1);
    for (const vertex of kept) {
      const isIn = (vertex[axis] - limit) * sign >= 0;
      const wasIn = (before![axis] - limit) * sign >= 0;
      if (isIn !== wasIn) next.push(crossing(before!, vertex, axis, limit));
      if (isIn) next.push(vertex);
      before = vertex;
    }
    kept = next;
  }
  return kept;
}

type Side = readonly [axis: 'x' | 'y', limit: number, sign: 1 | -1];
const sidesOf = (extent: number): readonly Side[] => [
  ['x', 0, 1],
  ['x', extent, -1],
  ['y', 0, 1],
  ['y', extent, -1],
];

function crossing(a: Vertex, b: Vertex, axis: 'x' | 'y', limit: number): Vertex {
  const t = (limit - a[axis]) / (b[axis] - a[axis]);
  return axis === 'x' ? { x: limit, y: a.y + t * (b.y - a.y) } : { x: a.x + t * (b.x - a.x), y: limit };
}

/** Liang and Barsky 1984, edge by edge. An edge along the far sides belongs to the neighbour. */
function lengthWithin(line: Vertices, extent: number): number {
  let total = 0;
  for (let i = 1; i < line.length; i++) {
    const a = line[i - 1]!;
    const b = line[i]!;
    let from = 0;
    let to = 1;
    for (const [axis, limit, sign] of sidesOf(extent)) {
      const start = (a[axis] - limit) * sign;
      const end = (b[axis] - limit) * sign;
      const isOut = (value: number) => value < 0 || (sign < 0 && value === 0);
      if (isOut(start) && isOut(end)) to = -1;
      else if (start < 0) from = Math.max(from, start / (start - end));
      else if (end < 0) to = Math.min(to, start / (start - end));
    }
    if (to > from) total += (to - from) * Math.hypot(b.x - a.x, b.y - a.y);
  }
  return total;
}

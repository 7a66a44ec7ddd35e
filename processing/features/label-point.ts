import type { GeometryBuffer } from '@platen/formats/feature/geometry-buffer';
import {
  createOutline,
  crossingsAt,
  depthIn,
  rangeOfY,
  largestPolygon,
  writeOutline,
  type Outline,
} from './polygon-outline.ts';

/** Longitude and latitude. */
export type LabelPoint = readonly [number, number];

/** More edges would not move a label visibly. */
const maxEdges = 600;
/** Minimum improvement, as a share of the smaller side of the polygon's box. */
const precision = 0.04;
/** Enough for that precision in almost all polygons; the others get the best point found by then. */
const maxProbes = 300;
/** The centroid is accepted if its depth is at least this share of the maximum depth in a box of that size. */
const sufficientShare = 0.85;

const outline = createOutline();
/** Squares that may contain a better point: centre, half the side, and an upper bound of the depth within. */
const squares = new Float64Array((maxProbes + 8) * 4);

/**
 * Finds a point for a label: the point in the largest polygon that is about farthest from its edges, by subdividing
 * squares and dropping those that cannot contain a better one (Mapbox's polylabel, 2016). The point is always inside
 * the
 * polygon. Time is bounded: at most 300 probes of 600 edges, and a few passes over the whole polygon.
 * @returns undefined if there is no polygon with an area
 */
export function labelPoint(geometry: GeometryBuffer): LabelPoint | undefined {
  const polygon = largestPolygon(geometry);
  if (polygon === undefined) return undefined;
  const scaleX = scaleAt(geometry, polygon);
  const isThinned = writeOutline(outline, geometry, polygon, { scaleX, maxEdges });
  const place = deepestPlace(outline);
  if (place !== undefined) {
    const x = place[0] / scaleX;
    const y = place[1];
    // A point inside the thinned outline may be outside the original.
    if (!isThinned || isInside(crossingsAt(geometry, polygon, y), x)) return [x, y];
  }
  return placeOnSurface(geometry, polygon);
}

/**
 * A degree of longitude is shorter than a degree of latitude; without the scale, labels far north would be off-centre.
 */
function scaleAt({ coordinates, polygonEnds, ringEnds }: GeometryBuffer, polygon: number): number {
  const ring = polygon === 0 ? 0 : polygonEnds[polygon - 1]!;
  const latitude = coordinates[(ring === 0 ? 0 : ringEnds[ring - 1]!) * 2 + 1]!;
  return Math.max(0.01, Math.cos((Math.min(90, Math.abs(latitude)) * Math.PI) / 180));
}

function deepestPlace(polygon: Outline): LabelPoint | undefined {
  const { west, south, east, north } = polygon;
  const width = east - west;
  const height = north - south;
  const smaller = Math.min(width, height);
  if (!(smaller > 0 && width < Infinity && height < Infinity)) return undefined;
  const search: Search = { polygon, count: 0, probes: 0, best: -Infinity, x: west, y: south };
  const [centreX, centreY] = centroidOf(polygon);
  probe(search, centreX, centreY, 0);
  if (search.best >= (smaller / 2) * sufficientShare) return [centreX, centreY];
  search.count = 0;
  // Limits the squares that cover a long strip, so that enough probes are left to subdivide them.
  const side = Math.max(smaller, Math.max(width, height) / 64);
  for (let x = west + side / 2; x - side / 2 < east; x += side)
    for (let y = south + side / 2; y - side / 2 < north; y += side) probe(search, x, y, side / 2);
  const enough = smaller * precision;
  while (search.count > 0 && search.probes + 4 <= maxProbes) {
    const at = bestCandidate(search.count);
    if (squares[at + 3]! <= search.best + enough) break;
    const half = squares[at + 2]! / 2;
    const x = squares[at]!;
    const y = squares[at + 1]!;
    search.count--;
    squares.copyWithin(at, search.count * 4, search.count * 4 + 4);
    probe(search, x - half, y - half, half);
    probe(search, x + half, y - half, half);
    probe(search, x - half, y + half, half);
    probe(search, x + half, y + half, half);
  }
  return search.best > 0 ? [search.x, search.y] : undefined;
}

interface Search {
  readonly polygon: Outline;
  /** Number of squares left. */
  count: number;
  probes: number;
  /** The greatest depth so far and its position. */
  best: number;
  x: number;
  y: number;
}

function probe(search: Search, x: number, y: number, half: number): void {
  const depth = depthIn(search.polygon, x, y);
  search.probes++;
  if (depth > search.best) {
    search.best = depth;
    search.x = x;
    search.y = y;
  }
  const maxDepth = depth + half * Math.SQRT2;
  if (maxDepth <= search.best) return;
  const at = search.count++ * 4;
  squares[at] = x;
  squares[at + 1] = y;
  squares[at + 2] = half;
  squares[at + 3] = maxDepth;
}

function bestCandidate(count: number): number {
  let best = 0;
  for (let at = 4; at < count * 4; at += 4) if (squares[at + 3]! > squares[best + 3]!) best = at;
  return best;
}

/** Centroid of the outer ring and the holes, relative to a corner for precision. */
function centroidOf({ edges, length, west, south, east, north }: Outline): LabelPoint {
  let area = 0;
  let sumX = 0;
  let sumY = 0;
  for (let i = 0; i < length; i += 4) {
    const ax = edges[i]! - west;
    const ay = edges[i + 1]! - south;
    const bx = edges[i + 2]! - west;
    const by = edges[i + 3]! - south;
    const cross = ax * by - bx * ay;
    area += cross;
    sumX += (ax + bx) * cross;
    sumY += (ay + by) * cross;
  }
  const x = west + sumX / (3 * area);
  const y = south + sumY / (3 * area);
  return x >= west && x <= east && y >= south && y <= north
    ? [x, y]
    : [(west + east) / 2, (south + north) / 2];
}

function isInside(crossings: Float64Array, x: number): boolean {
  let before = 0;
  while (before < crossings.length && crossings[before]! < x) before++;
  return before % 2 === 1;
}

const heights = [0.5, 0.37, 0.63, 0.21, 0.79, 0.07, 0.93];

/**
 * The middle of the widest section of a horizontal cut. Several heights are tried because edges may coincide with one.
 */
function placeOnSurface(geometry: GeometryBuffer, polygon: number): LabelPoint | undefined {
  const [south, north] = rangeOfY(geometry, polygon);
  for (const share of heights) {
    const y = south + (north - south) * share;
    const crossings = crossingsAt(geometry, polygon, y);
    let widest = 0;
    let x = NaN;
    for (let i = 0; i + 1 < crossings.length; i += 2) {
      const width = crossings[i + 1]! - crossings[i]!;
      if (width <= widest) continue;
      widest = width;
      x = crossings[i]! + width / 2;
    }
    if (Number.isFinite(x)) return [x, y];
  }
  return undefined;
}

import { readFileSync } from 'node:fs';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { unwrapLine, unwrapRing, type LonLat } from './unwrap-ring.ts';
import type { Box, Point } from './clip-to-box.ts';

/** A ring or line of web mercator's unit square (x to the east, y to the south), with its bounds. */
export interface Outline {
  readonly points: readonly Point[];
  readonly bounds: Box;
}

/** The outlines of the base layer; x may be outside 0..1, copies one globe apart complete the picture. */
export interface WorldOutlines {
  /** Outer rings and holes, for the even-odd rule. */
  readonly land: readonly Outline[];
  readonly coasts: readonly Outline[];
  readonly borders: readonly Outline[];
}

/** Beyond web mercator's edge (85.05°), where the projection is still finite. */
const latitudeLimit = 89;

/** Projects to web mercator as a unit square: x to the east, y to the south. */
export function toMercator([longitude, latitude]: LonLat): Point {
  const clamped = Math.max(-latitudeLimit, Math.min(latitudeLimit, latitude));
  const sine = Math.sin((clamped * Math.PI) / 180);
  return [longitude / 360 + 0.5, 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)];
}

export function outlineOf(line: readonly LonLat[]): Outline {
  const points = line.map(toMercator);
  const bounds = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity };
  for (const [x, y] of points) {
    bounds.minX = Math.min(bounds.minX, x);
    bounds.minY = Math.min(bounds.minY, y);
    bounds.maxX = Math.max(bounds.maxX, x);
    bounds.maxY = Math.max(bounds.maxY, y);
  }
  return { points, bounds };
}

// GeoJSON types allow positions of any length; topologies have two numbers.
export const asLine = (positions: readonly number[][]) => positions as unknown as readonly LonLat[];

/** Reads Natural Earth's land and country borders at one of its scales from `world-atlas`. */
export function readWorldOutlines(scale: '110m' | '50m' | '10m'): WorldOutlines {
  const file = import.meta.resolve(`world-atlas/countries-${scale}.json`);
  const topology = JSON.parse(readFileSync(new URL(file), 'utf8')) as Topology<{
    countries: GeometryCollection;
    land: GeometryCollection;
  }>;
  const { countries, land } = topology.objects;
  const rings = feature(topology, land).features.flatMap(({ geometry }) => {
    if (geometry.type === 'Polygon') return geometry.coordinates;
    return geometry.type === 'MultiPolygon' ? geometry.coordinates.flat() : [];
  });
  const borders = mesh(topology, countries, (one, other) => one !== other);
  return {
    land: rings.map((ring) => outlineOf(unwrapRing(asLine(ring)))),
    coasts: rings.map((ring) => outlineOf(unwrapLine(asLine(ring)))),
    borders: borders.coordinates.map((line) => outlineOf(unwrapLine(asLine(line)))),
  };
}

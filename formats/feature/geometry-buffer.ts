export type GeometryType =
  | 'Point'
  | 'MultiPoint'
  | 'LineString'
  | 'MultiLineString'
  | 'Polygon'
  | 'MultiPolygon';

/** Nesting depth of the positions of each type: [x, y] itself is 1. */
export const positionDepths: Readonly<Record<GeometryType, number>> = {
  Point: 1,
  MultiPoint: 2,
  LineString: 2,
  MultiLineString: 3,
  Polygon: 3,
  MultiPolygon: 4,
};

export interface GeometryPart {
  readonly type: GeometryType;
  readonly polygonStart: number;
  readonly polygonEnd: number;
}

/**
 * The geometry of one feature, flat: positions, rings as ranges of positions, polygons as ranges of rings.
 * Every type has all three levels: a line is one ring of one polygon. The members of a GeometryCollection,
 * however nested, follow each other in `parts`. Reused for every feature.
 */
export interface GeometryBuffer {
  /** x, y of each position; further coordinates are not kept. */
  coordinates: Float64Array;
  positionCount: number;
  readonly ringEnds: number[];
  readonly polygonEnds: number[];
  readonly parts: GeometryPart[];
}

export function createGeometryBuffer(): GeometryBuffer {
  return {
    coordinates: new Float64Array(8192),
    positionCount: 0,
    ringEnds: [],
    polygonEnds: [],
    parts: [],
  };
}

export function clearGeometry(geometry: GeometryBuffer): void {
  geometry.positionCount = 0;
  geometry.ringEnds.length = 0;
  geometry.polygonEnds.length = 0;
  geometry.parts.length = 0;
}

export function pushPosition(geometry: GeometryBuffer, x: number, y: number): void {
  const at = geometry.positionCount * 2;
  if (at === geometry.coordinates.length) {
    const larger = new Float64Array(at * 2);
    larger.set(geometry.coordinates);
    geometry.coordinates = larger;
  }
  geometry.coordinates[at] = x;
  geometry.coordinates[at + 1] = y;
  geometry.positionCount++;
}

import {
  clearHeights,
  createHeights,
  growHeights,
  setHeight,
  type PositionHeights,
} from './position-heights.ts';

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
  /** x, y of each position. */
  coordinates: Float64Array;
  /** Z and M of each position, as given in the file; undefined unless they are asked for. */
  readonly heights: PositionHeights | undefined;
  positionCount: number;
  readonly ringEnds: number[];
  readonly polygonEnds: number[];
  readonly parts: GeometryPart[];
}

const initialPositions = 4096;

/** @param keepsHeights where its positions have Z and M */
export function createGeometryBuffer(keepsHeights = false): GeometryBuffer {
  return {
    coordinates: new Float64Array(2 * initialPositions),
    heights: keepsHeights ? createHeights(initialPositions) : undefined,
    positionCount: 0,
    ringEnds: [],
    polygonEnds: [],
    parts: [],
  };
}

export function clearGeometry(geometry: GeometryBuffer): void {
  if (geometry.heights !== undefined) clearHeights(geometry.heights);
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
    if (geometry.heights !== undefined) growHeights(geometry.heights, at);
  }
  geometry.coordinates[at] = x;
  geometry.coordinates[at + 1] = y;
  geometry.positionCount++;
}

/** The height of the last position. @param m NaN where there is none */
export function pushHeight({ heights, positionCount }: GeometryBuffer, z: number, m = NaN): void {
  if (heights !== undefined) setHeight(heights, positionCount - 1, z, m);
}

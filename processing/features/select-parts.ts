import {
  clearGeometry,
  pushPosition,
  type GeometryBuffer,
  type GeometryType,
} from '@platen/formats/feature/geometry-buffer';
import type { LabelPoint } from './label-point.ts';

/**
 * Selects the parts of a geometry that have one of the types. Returns the geometry itself if all parts match, and
 * undefined if none does; only a mixed collection needs a new object, which shares the coordinates.
 * @param types undefined: all types
 */
export function selectParts(
  geometry: GeometryBuffer,
  types: ReadonlySet<GeometryType> | undefined,
): GeometryBuffer | undefined {
  if (types === undefined) return geometry;
  let matching = 0;
  for (const { type } of geometry.parts) if (types.has(type)) matching++;
  if (matching === 0) return undefined;
  if (matching === geometry.parts.length) return geometry;
  return { ...geometry, parts: geometry.parts.filter(({ type }) => types.has(type)) };
}

/** Replaces the geometry by a single point. */
export function setPoint(geometry: GeometryBuffer, [x, y]: LabelPoint): GeometryBuffer {
  clearGeometry(geometry);
  pushPosition(geometry, x, y);
  geometry.ringEnds.push(1);
  geometry.polygonEnds.push(1);
  geometry.parts.push({ type: 'Point', polygonStart: 0, polygonEnd: 1 });
  return geometry;
}

/**
 * The type as MapLibre's `geometry-type` gives it, which has no multi-geometries; the first member's for a collection.
 */
export function simpleTypeOf({ parts }: GeometryBuffer): 'Unknown' | 'Point' | 'LineString' | 'Polygon' {
  switch (parts[0]?.type) {
    case undefined:
      return 'Unknown';
    case 'Point':
    case 'MultiPoint':
      return 'Point';
    case 'LineString':
    case 'MultiLineString':
      return 'LineString';
    case 'Polygon':
    case 'MultiPolygon':
      return 'Polygon';
  }
}

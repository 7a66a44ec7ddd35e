import {
  clearGeometry,
  pushPosition,
  type GeometryBuffer,
  type GeometryType,
} from '@platen/formats/feature/geometry-buffer';
import type { LabelPoint } from './label-point.ts';

/**
 * What a geometry has of these types: the geometry itself where that is all of it, undefined where it is nothing. Only
 * of a mixed collection a new object is made, which shares the coordinates.
 * @param types undefined: all of them
 */
export function selectParts(
  geometry: GeometryBuffer,
  types: ReadonlySet<GeometryType> | undefined,
): GeometryBuffer | undefined {
  if (types === undefined) return geometry;
  let wanted = 0;
  for (const { type } of geometry.parts) if (types.has(type)) wanted++;
  if (wanted === 0) return undefined;
  if (wanted === geometry.parts.length) return geometry;
  return { ...geometry, parts: geometry.parts.filter(({ type }) => types.has(type)) };
}

/** Makes the geometry a single point. */
export function setPoint(geometry: GeometryBuffer, [x, y]: LabelPoint): GeometryBuffer {
  clearGeometry(geometry);
  pushPosition(geometry, x, y);
  geometry.ringEnds.push(1);
  geometry.polygonEnds.push(1);
  geometry.parts.push({ type: 'Point', polygonStart: 0, polygonEnd: 1 });
  return geometry;
}

/** As MapLibre's `geometry-type` has it, which knows no multi-geometries; of a collection the first member's. */
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

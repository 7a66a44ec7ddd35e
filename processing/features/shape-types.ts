import type { GeometryType } from '@platen/formats/feature/geometry-buffer';
import { lineType, pointType, polygonType, type ShapeType } from '@platen/geo/shape/shape';

/** The type of each geometry in tiles, which do not distinguish single and multi-geometries. */
export const shapeTypes: Readonly<Record<GeometryType, ShapeType>> = {
  Point: pointType,
  MultiPoint: pointType,
  LineString: lineType,
  MultiLineString: lineType,
  Polygon: polygonType,
  MultiPolygon: polygonType,
};

import type { GeometryType } from '@platen/formats/feature/geometry-buffer';
import { lineType, pointType, polygonType, type ShapeType } from '@platen/geo/shape/shape';

/** What each type of geometry is in tiles, which do not tell one from many. */
export const shapeTypes: Readonly<Record<GeometryType, ShapeType>> = {
  Point: pointType,
  MultiPoint: pointType,
  LineString: lineType,
  MultiLineString: lineType,
  Polygon: polygonType,
  MultiPolygon: polygonType,
};

import type { GeometryType } from '../feature/geometry-buffer.ts';

/** The role of a GML element in a geometry; names are unique over GML 2.1, 3.1 and 3.2. */
export type GmlRole =
  | 'point'
  | 'curve'
  | 'segment'
  | 'patch'
  | 'surface'
  | 'box'
  | 'multi'
  | 'collection'
  | 'refused';

const roles = new Map<string, GmlRole>();
const add = (role: GmlRole, names: string): void => {
  for (const name of names.split(' ')) roles.set(name, role);
};
add('point', 'Point');
add('curve', 'LineString LinearRing Ring Curve CompositeCurve OrientableCurve');
add('segment', 'LineStringSegment Geodesic GeodesicString');
add('segment', 'Arc ArcString Circle ArcByCenterPoint CircleByCenterPoint');
add('patch', 'Polygon PolygonPatch Triangle Rectangle');
add('surface', 'Surface OrientableSurface CompositeSurface PolyhedralSurface TriangulatedSurface Tin');
add('box', 'Envelope EnvelopeWithTimePeriod Box');
add('multi', 'MultiPoint MultiCurve MultiLineString MultiSurface MultiPolygon');
add('collection', 'MultiGeometry GeometryCollection GeometricComplex');
add('refused', 'Solid CompositeSolid MultiSolid TopoPoint TopoCurve TopoSurface TopoVolume TopoComplex');
add('refused', 'Face Edge Node Grid RectifiedGrid ArcByBulge ArcStringByBulge Bezier BSpline CubicSpline');
add('refused', 'Clothoid OffsetCurve Cone Cylinder Sphere');

export const gmlRole = (element: string): GmlRole | undefined => roles.get(element);

const gmlNamespace = /^https?:\/\/(?:www\.)?opengis\.net\/gml(?:\/|$)/;
const known = new Map<string | undefined, boolean>([[undefined, true]]);

/** Files without any namespace are taken at their word. */
export function isGmlNamespace(namespace: string | undefined): boolean {
  let is = known.get(namespace);
  if (is === undefined) {
    is = gmlNamespace.test(namespace!);
    if (known.size < 1000) known.set(namespace, is);
  }
  return is;
}

const partTypes: Readonly<Record<string, GeometryType>> = {
  MultiPoint: 'MultiPoint',
  MultiCurve: 'MultiLineString',
  MultiLineString: 'MultiLineString',
  MultiSurface: 'MultiPolygon',
  MultiPolygon: 'MultiPolygon',
};
const typesOfRoles: Partial<Record<GmlRole, GeometryType>> = {
  point: 'Point',
  curve: 'LineString',
  patch: 'Polygon',
  box: 'Polygon',
  surface: 'Polygon',
};

/**
 * The geometry type of an element; a surface of several patches becomes a MultiPolygon. Undefined for elements that
 * are no part of their own.
 */
export function gmlPartType(element: string, role: GmlRole): GeometryType | undefined {
  return partTypes[element] ?? typesOfRoles[role];
}

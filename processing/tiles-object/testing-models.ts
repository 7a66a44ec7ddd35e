/** A house as CityGML 2.0: a box with a roof, its solid made of references to its surfaces. */
export interface SampleHouse {
  readonly id: string;
  /** Easting, northing and height of its first corner, in EPSG:25832. */
  readonly at: readonly [east: number, north: number, height: number];
  readonly size?: readonly [east: number, north: number, up: number];
  /** Attributes and appearances, as XML. */
  readonly more?: string;
}

type Point = readonly [number, number, number];

/** The faces of a box, seen from outside, by the class of each. */
export function boxFaces(
  [x, y, z]: Point,
  [dx, dy, dz]: Point,
): readonly (readonly [name: string, ring: readonly Point[]])[] {
  const p = (i: number, j: number, k: number): Point => [x + i * dx, y + j * dy, z + k * dz];
  return [
    ['GroundSurface', [p(0, 0, 0), p(0, 1, 0), p(1, 1, 0), p(1, 0, 0)]],
    ['RoofSurface', [p(0, 0, 1), p(1, 0, 1), p(1, 1, 1), p(0, 1, 1)]],
    ['WallSurface', [p(0, 0, 0), p(1, 0, 0), p(1, 0, 1), p(0, 0, 1)]],
    ['WallSurface', [p(1, 0, 0), p(1, 1, 0), p(1, 1, 1), p(1, 0, 1)]],
    ['WallSurface', [p(1, 1, 0), p(0, 1, 0), p(0, 1, 1), p(1, 1, 1)]],
    ['WallSurface', [p(0, 1, 0), p(0, 0, 0), p(0, 0, 1), p(0, 1, 1)]],
  ];
}

export function polygonXml(id: string, ring: readonly Point[]): string {
  const positions = [...ring, ring[0]!].map((point) => point.join(' ')).join(' ');
  return `<gml:Polygon gml:id="${id}"><gml:exterior><gml:LinearRing gml:id="${id}_ring"><gml:posList srsDimension="3">${positions}</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon>`;
}

export function houseXml({ id, at, size = [10, 8, 6], more = '' }: SampleHouse): string {
  const faces = boxFaces(at, size);
  const surfaces = faces.map(
    ([name, ring], i) =>
      `<bldg:boundedBy><bldg:${name}><bldg:lod2MultiSurface><gml:MultiSurface><gml:surfaceMember>${polygonXml(`${id}_${i}`, ring)}</gml:surfaceMember></gml:MultiSurface></bldg:lod2MultiSurface></bldg:${name}></bldg:boundedBy>`,
  );
  const members = faces.map((_, i) => `<gml:surfaceMember xlink:href="#${id}_${i}"/>`);
  return `<core:cityObjectMember><bldg:Building gml:id="${id}">${more}<bldg:lod2Solid><gml:Solid><gml:exterior><gml:CompositeSurface>${members.join('')}</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod2Solid>${surfaces.join('')}</bldg:Building></core:cityObjectMember>`;
}

/** @param content members of the model @param crs undefined: none */
export function cityGml(
  content: string,
  crs: string | undefined = 'urn:ogc:def:crs,crs:EPSG::25832,crs:EPSG::7837',
): string {
  const named = crs === undefined ? '' : ` srsName="${crs}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<core:CityModel xmlns:core="http://www.opengis.net/citygml/2.0" xmlns:gml="http://www.opengis.net/gml" xmlns:bldg="http://www.opengis.net/citygml/building/2.0" xmlns:app="http://www.opengis.net/citygml/appearance/2.0" xmlns:gen="http://www.opengis.net/citygml/generics/2.0" xmlns:veg="http://www.opengis.net/citygml/vegetation/2.0" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:ade="https://example.org/ade/1.0">
<gml:boundedBy><gml:Envelope${named} srsDimension="3"><gml:lowerCorner>0 0 0</gml:lowerCorner><gml:upperCorner>1 1 1</gml:upperCorner></gml:Envelope></gml:boundedBy>
${content}
</core:CityModel>`;
}

/** Houses in rows, 20 m apart. */
export const housesInRows = (count: number, perRow = 30): SampleHouse[] =>
  Array.from({ length: count }, (_, i) => ({
    id: `house_${i}`,
    at: [500_000 + (i % perRow) * 20, 5_500_000 + Math.floor(i / perRow) * 20, 100 + (i % 7)],
    more: `<gen:stringAttribute name="Straße"><gen:value>Gasse ${i}</gen:value></gen:stringAttribute><bldg:measuredHeight uom="m">${6 + (i % 5) / 4}</bldg:measuredHeight><bldg:storeysAboveGround>${1 + (i % 3)}</bldg:storeysAboveGround>`,
  }));

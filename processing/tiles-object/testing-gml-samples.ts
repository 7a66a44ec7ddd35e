import { boxFaces } from './testing-models.ts';
import {
  facesOf,
  hasOpenings,
  implicitSize,
  partsOf,
  type Point,
  type SampleFace,
  type SampleObject,
} from './testing-samples.ts';

export const gmlVersions = ['0.4', '1.0', '2.0', '3.0'] as const;
type Version = (typeof gmlVersions)[number];

const modules: Readonly<Record<string, string>> = {
  bldg: 'building',
  brid: 'bridge',
  con: 'construction',
  dem: 'relief',
  frn: 'cityfurniture',
  gen: 'generics',
  grp: 'cityobjectgroup',
  luse: 'landuse',
  tran: 'transportation',
  tun: 'tunnel',
  veg: 'vegetation',
  wtr: 'waterbody',
};
const moduleOfClass: Readonly<Record<string, string>> = {
  Building: 'bldg',
  BuildingPart: 'bldg',
  Bridge: 'brid',
  BridgePart: 'brid',
  Tunnel: 'tun',
  TunnelPart: 'tun',
  OtherConstruction: 'con',
  WaterBody: 'wtr',
  SolitaryVegetationObject: 'veg',
  PlantCover: 'veg',
  CityFurniture: 'frn',
  LandUse: 'luse',
  ReliefFeature: 'dem',
  GenericCityObject: 'gen',
  GenericOccupiedSpace: 'gen',
};
const prefixOf = (name: string): string => moduleOfClass[name] ?? 'tran';

/** What generic objects are called. */
export const gmlClass =
  (version: Version) =>
  (name: string): string =>
    version === '3.0' && name === 'GenericCityObject' ? 'GenericOccupiedSpace' : name;

/** A model of objects, which a group has as its members. */
export function gmlOfSamples(version: Version, objects: readonly SampleObject[]): string {
  const write = writerOf(version);
  const gml = version === '3.0' ? 'http://www.opengis.net/gml/3.2' : 'http://www.opengis.net/gml';
  const namespaces =
    version === '0.4'
      ? 'xmlns="http://www.citygml.org/citygml/0/4/0"'
      : [
          `xmlns:core="http://www.opengis.net/citygml/${version}"`,
          ...Object.entries(modules).map(
            ([prefix, name]) => `xmlns:${prefix}="http://www.opengis.net/citygml/${name}/${version}"`,
          ),
        ].join(' ');
  const group = write.element(
    'grp:CityObjectGroup',
    objects.map(({ id }) => write.element('grp:groupMember', '', ` xlink:href="#${id}"`)).join(''),
    ' gml:id="group"',
  );
  const members = [...objects.map(write.object), group].map((one) =>
    write.element('core:cityObjectMember', one),
  );
  const envelope = `<gml:boundedBy><gml:Envelope srsName="urn:ogc:def:crs,crs:EPSG::25832,crs:EPSG::7837" srsDimension="3"><gml:lowerCorner>0 0 0</gml:lowerCorner><gml:upperCorner>1 1 1</gml:upperCorner></gml:Envelope></gml:boundedBy>`;
  return write.element(
    'core:CityModel',
    envelope + members.join(''),
    ` ${namespaces} xmlns:gml="${gml}" xmlns:xlink="http://www.w3.org/1999/xlink"`,
  );
}

function writerOf(version: Version) {
  /** The draft has one namespace for everything but GML. */
  const element = (name: string, content: string, attributes = ''): string => {
    const local = version === '0.4' && !name.startsWith('gml:') ? name.slice(name.indexOf(':') + 1) : name;
    return `<${local}${attributes}>${content}</${local}>`;
  };
  const is3 = version === '3.0';
  const owner = (prefix: string): string => (is3 ? 'core' : prefix);

  const generic = (kind: string, name: string, value: string | number): string => {
    const content = element('gen:value', String(value));
    if (is3)
      return element(
        'core:genericAttribute',
        element(`gen:${kind}Attribute`, element('gen:name', name) + content),
      );
    const local = `gen:${kind.toLowerCase()}Attribute`;
    if (version === '0.4') return element(local, element('gen:name', name) + content);
    return element(local, content, ` name="${name}"`);
  };
  const attributesOf = ({ attributes: own }: SampleObject): string => {
    const { name, creationDate, Straße: street, flats, share, surveyed, web } = own;
    return [
      element('gml:name', String(name)),
      element('core:creationDate', String(creationDate)),
      generic('String', 'Straße', street!),
      generic('Int', 'flats', flats!),
      generic('Double', 'share', share!),
      generic('Date', 'surveyed', surveyed!),
      generic('Uri', 'web', web!),
    ].join('');
  };

  const ring = (points: readonly Point[]): string =>
    `<gml:LinearRing><gml:posList srsDimension="3">${[...points, points[0]!].flat().join(' ')}</gml:posList></gml:LinearRing>`;
  const polygon = ({ rings: [outer, ...inner] }: SampleFace, id = ''): string =>
    `<gml:Polygon${id}><gml:exterior>${ring(outer!)}</gml:exterior>${inner.map((one) => `<gml:interior>${ring(one)}</gml:interior>`).join('')}</gml:Polygon>`;
  const members = (all: readonly string[]): string =>
    all
      .map((one) =>
        one.startsWith('#')
          ? `<gml:surfaceMember xlink:href="${one}"/>`
          : `<gml:surfaceMember>${one}</gml:surfaceMember>`,
      )
      .join('');
  const multiSurface = (all: readonly string[]): string =>
    `<gml:MultiSurface>${members(all)}</gml:MultiSurface>`;
  const solid = (all: readonly string[]): string =>
    `<gml:Solid><gml:exterior>${is3 ? `<gml:Shell>${members(all)}</gml:Shell>` : `<gml:CompositeSurface>${members(all)}</gml:CompositeSurface>`}</gml:exterior></gml:Solid>`;

  /** A solid of the surfaces of its boundaries. */
  const boundaries = (object: SampleObject, prefix: string): string => {
    const { id, lod, class: name } = object;
    const isWater = name === 'WaterBody';
    const idOf = (i: number): string => ` gml:id="${id}_${i}"`;
    const faces = facesOf(object);
    const surfaceOf = (face: SampleFace, i: number): string =>
      isWater && !is3
        ? element(`wtr:lod${lod}Surface`, polygon(face, idOf(i)))
        : element(`${owner(prefix)}:lod${lod}MultiSurface`, multiSurface([polygon(face, idOf(i))]));
    const door = faces.findIndex(({ role }) => role === 'Door');
    const filling =
      door < 0
        ? ''
        : is3
          ? element('con:fillingSurface', element('con:DoorSurface', surfaceOf(faces[door]!, door)))
          : element(`${prefix}:opening`, element(`${prefix}:Door`, surfaceOf(faces[door]!, door)));
    const walls = faces.flatMap((face, i) => {
      if (i === door) return [];
      const content = surfaceOf(face, i) + (face.rings.length > 1 ? filling : '');
      const module = is3 && !isWater ? 'con' : prefix;
      return element(
        is3 ? 'core:boundary' : `${prefix}:boundedBy`,
        element(`${module}:${face.role}`, content),
      );
    });
    return (
      element(`${owner(prefix)}:lod${lod}Solid`, solid(faces.map((_, i) => `#${id}_${i}`))) + walls.join('')
    );
  };

  /** The area of traffic of a road, below what divides it in 3.0. */
  const traffic = (object: SampleObject): string => {
    const surface = multiSurface(facesOf(object).map((face) => polygon(face)));
    const area = element(
      'tran:TrafficArea',
      element(`${owner('tran')}:lod${object.lod}MultiSurface`, surface),
    );
    if (!is3) return element('tran:trafficArea', area);
    const space = element('tran:TrafficSpace', element('core:boundary', area));
    return element('tran:section', element('tran:Section', element('tran:trafficSpace', space)));
  };

  const implicit = ({ at, lod }: SampleObject, prefix: string): string => {
    const unit = boxFaces([0, 0, 0], [1, 1, 1]).map(([role, points]) => ({ role, rings: [points] }));
    const [x, y, z] = implicitSize;
    const content = [
      element('core:transformationMatrix', `${x} 0 0 0 0 ${y} 0 0 0 0 ${z} 0 0 0 0 1`),
      element(
        is3 ? 'core:relativeGeometry' : 'core:relativeGMLGeometry',
        multiSurface(unit.map((face) => polygon(face))),
      ),
      element('core:referencePoint', `<gml:Point><gml:pos>${at.join(' ')}</gml:pos></gml:Point>`),
    ];
    return element(
      `${owner(prefix)}:lod${lod}ImplicitRepresentation`,
      element('core:ImplicitGeometry', content.join('')),
    );
  };

  const terrain = (object: SampleObject): string => {
    const patches = facesOf(object).map(
      ({ rings }) => `<gml:Triangle><gml:exterior>${ring(rings[0]!)}</gml:exterior></gml:Triangle>`,
    );
    const patch = is3 ? 'patches' : 'trianglePatches';
    const lod = element('dem:lod', String(object.lod));
    const tin = element(
      'dem:tin',
      `<gml:TriangulatedSurface><gml:${patch}>${patches.join('')}</gml:${patch}></gml:TriangulatedSurface>`,
    );
    return (
      lod + element('dem:reliefComponent', element('dem:TINRelief', lod + tin, ` gml:id="${object.id}_tin"`))
    );
  };

  const geometryOf = (object: SampleObject): string => {
    const { class: name, lod, shape } = object;
    const prefix = prefixOf(name);
    if (shape === 'terrain') return terrain(object);
    if (shape === 'parts')
      return partsOf(object)
        .map((part) =>
          element(
            is3 ? `${prefix}:${name.toLowerCase()}Part` : `${prefix}:consistsOf${name}Part`,
            written(part),
          ),
        )
        .join('');
    if (shape === 'implicit') return implicit(object, prefix);
    const polygons = facesOf(object).map((face) => polygon(face));
    const isFree = !is3 && (name === 'CityFurniture' || name === 'GenericCityObject');
    if (shape === 'surfaces') {
      if (prefix === 'tran' && lod >= 2) return traffic(object);
      const local = name === 'Building' && !is3 ? 'FootPrint' : isFree ? 'Geometry' : 'MultiSurface';
      return element(`${owner(prefix)}:lod${lod}${local}`, multiSurface(polygons));
    }
    if (lod >= 2 && (hasOpenings(name) || name === 'WaterBody')) return boundaries(object, prefix);
    if (name === 'PlantCover' && !is3)
      return element(
        `veg:lod${lod}MultiSolid`,
        `<gml:MultiSolid><gml:solidMember>${solid(polygons)}</gml:solidMember></gml:MultiSolid>`,
      );
    return element(`${owner(prefix)}:lod${lod}${isFree ? 'Geometry' : 'Solid'}`, solid(polygons));
  };

  function written(object: SampleObject): string {
    const { id, class: name, attributes } = object;
    const own = Object.keys(attributes).length === 0 ? '' : attributesOf(object);
    return element(`${prefixOf(name)}:${name}`, own + geometryOf(object), ` gml:id="${id}"`);
  }
  return { element, object: written };
}

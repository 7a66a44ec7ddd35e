import { boxFaces } from './testing-models.ts';
import { facesOf, implicitSize, partsOf, type Point, type SampleObject } from './testing-samples.ts';

export const jsonVersions = ['1.0', '1.1', '2.0'] as const;
type Version = (typeof jsonVersions)[number];

/** CityJSON has a type for squares since 1.1, and terrain without a feature around it. */
export const jsonClass = (name: string): string =>
  ({ Square: 'TransportSquare', ReliefFeature: 'TINRelief' })[name] ?? name;

const referenceSystem = 'https://www.opengis.net/def/crs/EPSG/0/25832';
const transform = { scale: [0.001, 0.001, 0.001], translate: [500_000, 5_500_000, 100] };

/** A template is a box of 1 m. */
const template = boxFaces([0, 0, 0], [1, 1, 1]);

function headOf(version: Version): Record<string, unknown> {
  return {
    type: 'CityJSON',
    version,
    transform,
    metadata: { referenceSystem: version === '1.0' ? 'urn:ogc:def:crs:EPSG::25832' : referenceSystem },
    'geometry-templates': {
      templates: [
        {
          type: 'MultiSurface',
          lod: version === '1.0' ? 1 : '1',
          boundaries: template.map(([, ring], i) => [ring.map((_, corner) => i * 4 + corner)]),
        },
      ],
      'vertices-templates': template.flatMap(([, ring]) => ring),
    },
  };
}

function createVertices() {
  const vertices: number[][] = [];
  const indexOf = (point: Point): number =>
    vertices.push(
      point.map((value, axis) => Math.round((value - transform.translate[axis]!) / transform.scale[axis]!)),
    ) - 1;
  return { vertices, indexOf };
}

type IndexOf = (point: Point) => number;

/** An object and its parts, by their ids. */
function objectsOf(version: Version, object: SampleObject, indexOf: IndexOf): [id: string, value: object][] {
  const { id, shape, class: type, attributes } = object;
  if (shape !== 'parts') return [[id, objectOf(version, object, indexOf)]];
  const parts = partsOf(object);
  return [
    [id, { type, attributes, children: parts.map((part) => part.id) }],
    ...parts.map((part): [string, object] => [
      part.id,
      { ...objectOf(version, part, indexOf), parents: [id] },
    ]),
  ];
}

function objectOf(version: Version, object: SampleObject, indexOf: IndexOf): object {
  const { lod: level, shape, at, class: type } = object;
  const lod = version === '1.0' ? level : String(level);
  const faces = facesOf(object);
  const boundaries = faces.map(({ rings }) => rings.map((ring) => ring.map(indexOf)));
  const [x, y, z] = implicitSize;
  const surfaces = faces.map(({ role }) => ({ type: role }));
  const values = surfaces.map((_, i) => i);
  const hasSemantics = faces[0]!.role !== '' && type !== 'CityFurniture';
  const geometry = {
    solid: {
      type: 'Solid',
      lod,
      boundaries: [boundaries],
      ...(hasSemantics && { semantics: { surfaces, values: [values] } }),
    },
    surfaces: { type: 'MultiSurface', lod, boundaries },
    terrain: { type: 'CompositeSurface', lod, boundaries },
    implicit: {
      type: 'GeometryInstance',
      template: 0,
      boundaries: [indexOf(at)],
      transformationMatrix: [x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1],
    },
    parts: undefined,
  }[shape];
  return { type, attributes: object.attributes, geometry: [geometry] };
}

/** A model of objects, which a group has as its members. */
export function jsonOfSamples(version: Version, objects: readonly SampleObject[]): string {
  const { vertices, indexOf } = createVertices();
  const members = { [version === '1.0' ? 'members' : 'children']: objects.map(({ id }) => id) };
  const parents = version === '1.0' ? {} : { parents: ['group'] };
  const own = objects.flatMap((object) => {
    const [[id, first], ...parts] = objectsOf(version, object, indexOf) as [[string, object]];
    return [[id, { ...first, ...parents }] as const, ...parts];
  });
  const CityObjects = { ...Object.fromEntries(own), group: { type: 'CityObjectGroup', ...members } };
  return JSON.stringify({ ...headOf(version), CityObjects, vertices });
}

/** The same as lines of a CityJSONSeq. */
export function linesOfSamples(objects: readonly SampleObject[]): string {
  const lines = objects.map((object) => {
    const { vertices, indexOf } = createVertices();
    const CityObjects = Object.fromEntries(objectsOf('2.0', object, indexOf));
    return { type: 'CityJSONFeature', id: object.id, CityObjects, vertices };
  });
  const head = { ...headOf('2.0'), CityObjects: {}, vertices: [] };
  return [head, ...lines].map((line) => JSON.stringify(line)).join('\n');
}

import { boxFaces } from './testing-models.ts';

export type Point = readonly [x: number, y: number, z: number];

export interface SampleFace {
  /** The class of the boundary surface that it is of. */
  readonly role: string;
  /** The outer ring first. */
  readonly rings: readonly (readonly Point[])[];
}

/** `parts`: it has its solids by its two parts. */
export type SampleShape = 'solid' | 'parts' | 'surfaces' | 'terrain' | 'implicit';

/** An object of one class in one level of detail. */
export interface SampleObject {
  readonly id: string;
  readonly class: string;
  readonly lod: number;
  readonly shape: SampleShape;
  /** Easting, northing and height in EPSG:25832. */
  readonly at: Point;
  readonly attributes: Readonly<Record<string, string | number>>;
}

interface SampleClass {
  readonly name: string;
  readonly lods: readonly number[];
  readonly shape: SampleShape;
}

/** Classes of CityGML 1.0 and its draft; those of 2.0 and 3.0 have more. */
const classes: readonly SampleClass[] = [
  { name: 'Building', lods: [1, 2, 3, 4], shape: 'solid' },
  { name: 'Building', lods: [1, 2], shape: 'parts' },
  { name: 'Road', lods: [1, 2, 3, 4], shape: 'surfaces' },
  { name: 'Railway', lods: [1, 2], shape: 'surfaces' },
  { name: 'Square', lods: [1, 3], shape: 'surfaces' },
  { name: 'WaterBody', lods: [1, 2, 3, 4], shape: 'solid' },
  { name: 'WaterBody', lods: [0, 1], shape: 'surfaces' },
  { name: 'SolitaryVegetationObject', lods: [1, 2, 3, 4], shape: 'implicit' },
  { name: 'PlantCover', lods: [1, 2, 3, 4], shape: 'surfaces' },
  { name: 'PlantCover', lods: [1, 3], shape: 'solid' },
  { name: 'CityFurniture', lods: [1, 2, 3, 4], shape: 'implicit' },
  { name: 'CityFurniture', lods: [1, 4], shape: 'solid' },
  { name: 'LandUse', lods: [0, 1, 2, 3, 4], shape: 'surfaces' },
  { name: 'ReliefFeature', lods: [0, 1, 2, 3, 4], shape: 'terrain' },
  { name: 'GenericCityObject', lods: [0, 1, 2], shape: 'surfaces' },
  { name: 'GenericCityObject', lods: [1, 2, 3, 4], shape: 'solid' },
];
const ofVersion2: readonly SampleClass[] = [
  { name: 'Building', lods: [0], shape: 'surfaces' },
  { name: 'Bridge', lods: [1, 2, 3, 4], shape: 'solid' },
  { name: 'Tunnel', lods: [1, 2, 3, 4], shape: 'solid' },
  { name: 'Bridge', lods: [1], shape: 'parts' },
  { name: 'Tunnel', lods: [2], shape: 'parts' },
];
const ofVersion3: readonly SampleClass[] = [
  { name: 'OtherConstruction', lods: [1, 2, 3], shape: 'solid' },
  { name: 'Waterway', lods: [2], shape: 'surfaces' },
];

const perRow = 12;
/** Metres from one object to the next. */
const step = 40;

/** Objects of all classes of a version, each in all of its levels of detail, beside each other. */
export function sampleObjects(
  version: string,
  rename: (name: string) => string = (name) => name,
): SampleObject[] {
  const level = Number(version);
  const all = [...classes, ...(level >= 2 ? ofVersion2 : []), ...(level >= 3 ? ofVersion3 : [])];
  const maxLod = level >= 3 ? 3 : 4;
  return all
    .flatMap(({ name, lods, shape }) =>
      lods.filter((lod) => lod <= maxLod).map((lod) => ({ name, lod, shape })),
    )
    .map(({ name, lod, shape }, i) => ({
      id: `${name}_${shape}_${lod}`,
      class: rename(name),
      lod,
      shape,
      at: [500_000 + (i % perRow) * step, 5_500_000 + Math.floor(i / perRow) * step, 100 + (i % 5)] as const,
      attributes: {
        name: `${name} of level ${lod}`,
        creationDate: '2024-05-01',
        Straße: `Weg ${i}`,
        flats: i - 3,
        share: i / 4,
        surveyed: '2020-01-31',
        web: `https://example.org/${i}`,
      },
    }));
}

/** Implicit geometries: what their matrix makes of a box of 1 m. */
export const implicitSize: Point = [4, 3, 5];
const boxSize: Point = [10, 8, 6];

/** The parts of an object, side by side. */
export function partsOf(object: SampleObject): SampleObject[] {
  const [x, y, z] = object.at;
  return [0, 1].map((i) => ({
    id: `${object.id}_${i}`,
    class: `${object.class}Part`,
    lod: object.lod,
    shape: 'solid',
    at: [x + i * 15, y, z],
    attributes: {},
  }));
}

/** The polygons of an object, seen from outside. */
export function facesOf(object: SampleObject): SampleFace[] {
  const { shape, at, lod, class: name } = object;
  if (shape === 'parts') return partsOf(object).flatMap(facesOf);
  if (shape === 'terrain') return trianglesAt(at);
  if (shape === 'surfaces')
    return [{ role: '', rings: [squareAt(at, 0, 12), squareAt(at, 4, 4).toReversed()] }];
  const size = shape === 'implicit' ? implicitSize : boxSize;
  const faces = boxFaces(at, size).map(([role, ring]) => ({ role: roleOf(name, role), rings: [ring] }));
  if (lod < 3 || !hasOpenings(name)) return faces;
  // the wall to the south has a door in a hole
  const [x, y, z] = at;
  const door: Point[] = [
    [x + 4, y, z + 1],
    [x + 6, y, z + 1],
    [x + 6, y, z + 4],
    [x + 4, y, z + 4],
  ];
  return [
    ...faces.with(2, { role: 'WallSurface', rings: [...faces[2]!.rings, door.toReversed()] }),
    { role: 'Door', rings: [door] },
  ];
}

export const hasOpenings = (name: string): boolean => ['Building', 'Bridge', 'Tunnel'].includes(name);

const waterRoles: Readonly<Record<string, string>> = {
  RoofSurface: 'WaterSurface',
  GroundSurface: 'WaterGroundSurface',
};
const roleOf = (name: string, role: string): string =>
  name === 'WaterBody' ? (waterRoles[role] ?? 'WaterGroundSurface') : role;

const squareAt = ([x, y, z]: Point, from: number, side: number): Point[] => [
  [x + from, y + from, z],
  [x + from + side, y + from, z],
  [x + from + side, y + from + side, z],
  [x + from, y + from + side, z],
];

function trianglesAt([x, y, z]: Point): SampleFace[] {
  const corner = (i: number, j: number): Point => [x + i * 10, y + j * 10, z + ((i + j) % 2) * 3];
  return [0, 1].flatMap((i) =>
    [0, 1].flatMap((j) => [
      { role: '', rings: [[corner(i, j), corner(i + 1, j), corner(i + 1, j + 1)]] },
      { role: '', rings: [[corner(i, j), corner(i + 1, j + 1), corner(i, j + 1)]] },
    ]),
  );
}

import type { AttributeValue, CityGeometry, CityObject, Look } from '@platen/formats/city-object/city-object';
import { boxOf } from '../../models/glb/box-of.ts';
import { placeObject, type Placing } from '../place/place-object.ts';
import { representationsOf } from './coarser-shapes.ts';
import { meshGeometries } from './mesh-geometries.ts';
import { selectGeometries, type GeometryChoice } from './select-geometries.ts';
import type { Region } from '../../models/region.ts';
import type { Shape, ShapeLook } from './shape.ts';

export interface ShapeOptions extends GeometryChoice {
  readonly placing: Placing;
  /** Each part is a feature of its own. */
  readonly byPart: boolean;
  readonly hasClosures: boolean;
  /** Undefined: images and materials are not shown. */
  readonly findImage: ((image: string) => number | undefined) | undefined;
}

export type ShapeFault = 'withoutGeometry' | 'invalidCoordinates' | 'invalidGeometry';

export interface MadeShapes {
  readonly shapes: readonly Shape[];
  /** Why there is none. */
  readonly fault: ShapeFault | undefined;
  /** Surfaces without an area. */
  readonly flatSurfaces: number;
}

const constructions = /^\+?(?:Building|OtherConstruction)/;

/** Turns a city object into features of the tileset: one, or one of each part. */
export function makeShapes(object: CityObject, options: ShapeOptions): MadeShapes {
  const geometries = selectGeometries(object.parts, object.geometries, options);
  if (geometries.length === 0) return { shapes: [], fault: 'withoutGeometry', flatSurfaces: 0 };
  const groups = options.byPart ? Map.groupBy(geometries, ({ part }) => part) : new Map([[0, geometries]]);
  const shapes: Shape[] = [];
  let flatSurfaces = 0;
  let fault: ShapeFault | undefined;
  for (const [part, group] of groups) {
    const made = makeShape(object, part, { group, options });
    flatSurfaces += made.flat;
    if (made.shape === undefined) fault = made.fault;
    else shapes.push(made.shape);
  }
  return { shapes, fault, flatSurfaces };
}

function makeShape(
  object: CityObject,
  part: number,
  { group, options }: { readonly group: readonly CityGeometry[]; readonly options: ShapeOptions },
): { readonly shape?: Shape; readonly fault?: ShapeFault; readonly flat: number } {
  const placed = placeObject(group, options.placing);
  if (placed === undefined) return { fault: 'invalidCoordinates', flat: 0 };
  const { id, class: name } = object.parts[part]!;
  const looks: ShapeLook[] = [];
  const isConstruction = constructions.test(name);
  const lookOf = createLookNumbers(looks, options);
  const { mesh, flat } = meshGeometries(group, placed.positions, object.looks, {
    ...options,
    lookOf,
    isConstruction,
  });
  if (mesh.indices.length === 0) return { fault: 'invalidGeometry', flat };
  const { place } = placed;
  const [min, max] = boxOf(mesh.positions);
  const region = regionOfBox(min, max, place);
  const shape: Shape = {
    id,
    class: name.replace(/^\+/, ''),
    attributes: attributesOf(object, part, options.byPart),
    place,
    region,
    looks,
    representations: representationsOf(mesh, isConstruction),
    goneError: goneErrorOf(min, max),
  };
  return { shape, flat };
}

/** Numbers of looks among those of a shape, which get those that can be shown. */
export function createLookNumbers(
  looks: ShapeLook[],
  { findImage }: ShapeOptions,
): (look: Look | undefined) => number {
  const numbers = new Map<Look, number>();
  const shown = ({ image, repeats = false, inPixels = false, colour }: Look): ShapeLook | undefined => {
    if (findImage === undefined) return undefined;
    if (image === undefined) return colour && { colour };
    const number = findImage(image);
    return number === undefined ? undefined : { image: number, repeats, ...(inPixels && { inPixels }) };
  };
  return (look) => {
    if (look === undefined) return -1;
    let number = numbers.get(look);
    if (number === undefined) {
      const found = shown(look);
      number = found === undefined ? -1 : looks.push(found) - 1;
      numbers.set(look, number);
    }
    return number;
  };
}

/** The attributes of a part, or of the whole with those on which all parts agree. */
function attributesOf(
  { parts }: CityObject,
  part: number,
  byPart: boolean,
): ReadonlyMap<string, AttributeValue> {
  const { attributes, parent } = parts[part]!;
  if (byPart) {
    const above = parts[parent]?.id;
    return above === undefined || above === '' ? attributes : new Map([...attributes, ['parent', above]]);
  }
  if (parts.length === 1) return attributes;
  const shared = new Map<string, AttributeValue | undefined>();
  for (const one of parts.slice(1))
    for (const [name, value] of one.attributes)
      shared.set(name, shared.has(name) && shared.get(name) !== value ? undefined : value);
  const all = new Map(attributes);
  for (const [name, value] of shared) if (value !== undefined && !all.has(name)) all.set(name, value);
  return all;
}

const metresPerDegree = 111_320;

type Position = readonly [x: number, y: number, z: number];

/** The region of a box in metres from its place, a little too large. */
export function regionOfBox(min: Position, max: Position, { lon, lat, height }: Shape['place']): Region {
  const reach = Math.max(-min[0], max[0], -min[1], max[1]);
  // degrees are longest at the pole side, and flattening changes them by less than a percent
  const edge = Math.min(89.99, Math.abs(lat) + reach / metresPerDegree);
  const [perLon, perLat] = [
    metresPerDegree * Math.cos((edge * Math.PI) / 180) * 0.99,
    metresPerDegree * 0.99,
  ];
  const spread = (value: number, perDegree: number): number => value / perDegree;
  const drop = (reach * reach) / 6_000_000;
  return [
    lon + Math.min(spread(min[0], perLon), spread(min[0], perLon * 1.02)),
    lat + Math.min(spread(min[1], perLat), spread(min[1], perLat * 1.02)),
    lon + Math.max(spread(max[0], perLon), spread(max[0], perLon * 1.02)),
    lat + Math.max(spread(max[1], perLat), spread(max[1], perLat * 1.02)),
    height + min[2] - 0.01,
    height + max[2] + drop + 0.01,
  ];
}

/** Pixels that an error may have on the screen before viewers refine, and those that a box may cover then and be left out. */
const [screenError, maxPixels] = [16, 16];

/** The error of leaving out a box in metres: from where it covers more pixels than that, or is longer than the error of the screen, it is there. */
export function goneErrorOf(min: Position, max: Position): number {
  const [x, y, z] = [max[0] - min[0], max[1] - min[1], max[2] - min[2]];
  // of all its pictures from afar
  const largest = Math.hypot(x * y, y * z, z * x);
  return Math.max(Math.hypot(x, y, z), screenError * Math.sqrt(largest / maxPixels));
}

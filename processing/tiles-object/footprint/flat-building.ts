import type { Attributes, CityObject, Look } from '@platen/formats/city-object/city-object';
import type { GeometryBuffer } from '@platen/formats/feature/geometry-buffer';
import { metresPerDegreeAt } from '@platen/geo/geodesy/geocentric';
import { triangulateRings } from '../../models/triangulate-rings.ts';
import { placeAt } from '../place/place-object.ts';
import { representationsOfPrism } from '../shape/coarser-shapes.ts';
import {
  createLookNumbers,
  goneErrorOf,
  makeShapes,
  regionOfBox,
  type MadeShapes,
  type ShapeOptions,
} from '../shape/make-shapes.ts';
import type { Shape, ShapeLook, Prism } from '../shape/shape.ts';
import { boxOf } from './polygon-places.ts';

/** A footprint beneath a flat roof. Valid until the next feature is read. */
export interface FlatBuilding {
  readonly id: string;
  readonly attributes: Attributes;
  /** In longitude and latitude. */
  readonly geometry: GeometryBuffer;
  /** Metres in the heights of the file. */
  readonly bottom: number;
  readonly top: number;
  readonly walls: Look | undefined;
  readonly roof: Look | undefined;
  /** The same as an object with surfaces, which takes longer; undefined if no ring has three positions. */
  readonly object: () => CityObject | undefined;
}

/** Metres from its middle: up to that, the earth falls away from the plane by less than a millimetre. */
const farthest = 100;
/** Twice the square metres below which a polygon has no area. */
const leastTurn = 2e-6;

/** The shape of a building: a prism, unless it is large, or a polygon has no area. */
export function shapesOfFlatBuilding(building: FlatBuilding, options: ShapeOptions): MadeShapes {
  const shape = prismShape(building, options);
  if (shape !== undefined) return { shapes: [shape], fault: undefined, flatSurfaces: 0 };
  const object = building.object();
  if (object === undefined) return { shapes: [], fault: 'invalidGeometry', flatSurfaces: 0 };
  return makeShapes(object, options);
}

function prismShape(building: FlatBuilding, options: ShapeOptions): Shape | undefined {
  const { id, attributes, geometry, bottom, top, walls, roof } = building;
  if (options.placing.crs.kind !== 'lonLat' || options.maxLod < 10) return undefined;
  const box = boxOf(geometry);
  const [west, south, east, north] = box;
  const placed = placeAt((west + east) / 2, (south + north) / 2, {
    lowest: bottom,
    placing: options.placing,
  });
  if (placed === undefined) return undefined;
  const { place, perUnit } = placed;
  const [perLon, perLat] = metresPerDegreeAt(place.lat, place.height);
  const [halfWidth, halfDepth] = [((east - west) / 2) * perLon, ((north - south) / 2) * perLat];
  // a comparison with NaN is false
  if (!(Math.hypot(halfWidth, halfDepth) <= farthest)) return undefined;
  const outline = outlineOf(geometry, (lon, lat) => [(lon - place.lon) * perLon, (lat - place.lat) * perLat]);
  if (outline === undefined) return undefined;
  const looks: ShapeLook[] = [];
  const lookOf = createLookNumbers(looks, options);
  const height = (top - bottom) * perUnit;
  const prism: Prism = {
    ...outline,
    bottom: 0,
    top: height,
    hasGround: true,
    wallLook: lookOf(walls),
    roofLook: lookOf(roof),
  };
  const [min, max] = [[-halfWidth, -halfDepth, 0] as const, [halfWidth, halfDepth, height] as const];
  return {
    id,
    class: 'Building',
    attributes,
    place,
    region: regionOfBox(min, max, place),
    looks,
    representations: representationsOfPrism(prism),
    goneError: goneErrorOf(min, max),
  };
}

type ToPlane = (lon: number, lat: number) => readonly [x: number, y: number];

/** Undefined if a polygon has no area. */
function outlineOf(
  { coordinates, ringEnds, polygonEnds }: GeometryBuffer,
  toPlane: ToPlane,
): Pick<Prism, 'vertices' | 'triangles' | 'edges'> | undefined {
  const outline = { vertices: [] as number[], triangles: [] as number[], edges: [] as number[] };
  for (let polygon = 0; polygon < polygonEnds.length; polygon++) {
    const [first, end] = [polygonEnds[polygon - 1] ?? 0, polygonEnds[polygon]!];
    /** x, y and 0 of the polygon's vertices. */
    const own: number[] = [];
    const starts: number[] = [];
    for (let ring = first; ring < end; ring++) {
      const start = own.length;
      takeRing(own, coordinates, [ringEnds[ring - 1] ?? 0, ringEnds[ring]!], toPlane);
      const turn = turnOf(own, start);
      if (own.length - start < 9 || Math.abs(turn) < leastTurn) {
        if (ring === first) return undefined;
        own.length = start;
        continue;
      }
      // the outer ring is counter-clockwise seen from above, courtyards are not
      if (turn > 0 !== (ring === first)) turnAround(own, start);
      starts.push(start / 3);
    }
    const triangles = triangulateRings(own, own.length / 3, starts.slice(1), [0, 0, 1]);
    if (triangles.length === 0) return undefined;
    const before = outline.vertices.length / 2;
    for (const vertex of triangles) outline.triangles.push(before + vertex);
    for (let i = 0; i < own.length; i += 3) outline.vertices.push(own[i]!, own[i + 1]!);
    for (const [i, start] of starts.entries()) {
      const next = starts[i + 1] ?? own.length / 3;
      for (let k = start; k < next; k++)
        outline.edges.push(before + k, before + (k + 1 < next ? k + 1 : start));
    }
  }
  return outline.triangles.length === 0 ? undefined : outline;
}

/** Positions that repeat the one before, or the first at the end, are left out. */
function takeRing(
  own: number[],
  coordinates: Float64Array,
  [first, end]: readonly [number, number],
  toPlane: ToPlane,
): void {
  let last = end - 1;
  const isSame = (a: number, b: number): boolean =>
    coordinates[a * 2] === coordinates[b * 2] && coordinates[a * 2 + 1] === coordinates[b * 2 + 1];
  while (last > first && isSame(first, last)) last--;
  for (let i = first; i <= last; i++) {
    if (i > first && isSame(i, i - 1)) continue;
    const [x, y] = toPlane(coordinates[i * 2]!, coordinates[i * 2 + 1]!);
    own.push(x, y, 0);
  }
}

/** Twice the area of the last ring; positive if counter-clockwise. */
function turnOf(own: readonly number[], start: number): number {
  let sum = 0;
  for (let i = start; i < own.length; i += 3) {
    const next = i + 3 < own.length ? i + 3 : start;
    sum += own[i]! * own[next + 1]! - own[next]! * own[i + 1]!;
  }
  return sum;
}

function turnAround(own: number[], start: number): void {
  for (let [i, j] = [start, own.length - 3]; i < j; i += 3, j -= 3)
    for (let axis = 0; axis < 2; axis++) [own[i + axis], own[j + axis]] = [own[j + axis]!, own[i + axis]!];
}

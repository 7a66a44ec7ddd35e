import type { Crs } from '@platen/formats/crs/crs';
import type { HeightTransform } from '@platen/formats/geoid/height-transform';
import type { CityGeometry } from '@platen/formats/city-object/city-object';
import type { SurfaceSet } from '@platen/formats/city-object/surface-set';
import { geocentricOf } from '@platen/geo/geodesy/geocentric';
import { localFrameAt, toLocal, type LocalFrame } from '@platen/geo/geodesy/local-frame';

/** Degrees of WGS 84 and metres above the ellipsoid. */
export interface Place {
  readonly lon: number;
  readonly lat: number;
  readonly height: number;
}

/** Geometries of an object in metres east, north and up of its place. */
export interface PlacedObject {
  readonly place: Place;
  /** Positions of each geometry, three numbers each. */
  readonly positions: readonly Float64Array[];
}

export interface Placing {
  readonly crs: Crs;
  readonly heights: HeightTransform;
  /** The lowest point of each object comes to height 0. */
  readonly isFlat: boolean;
  /** Added to flat heights, in metres. */
  readonly offset: number;
}

/** Up to this distance from the middle, in metres, one affine map is exact to less than a millimetre. */
const affineRadius = 200;
const earthRadius = 6_371_000;
/** Metres from its place: nothing that is built is larger. */
const maxMetres = 1_000_000;

interface Box {
  readonly min: [number, number, number];
  readonly max: [number, number, number];
}

/** Undefined if the object has a position that is none in its CRS. */
export function placeObject(geometries: readonly CityGeometry[], placing: Placing): PlacedObject | undefined {
  const box = boxOf(geometries);
  if (!Number.isFinite(box.min[0] + box.max[0] + box.min[1] + box.max[1] + box.min[2] + box.max[2]))
    return undefined;
  const middle = [(box.min[0] + box.max[0]) / 2, (box.min[1] + box.max[1]) / 2] as const;
  const lowest = box.min[2];
  const points = Float64Array.of(middle[0], middle[1]);
  placing.crs.toLonLat(points, 1);
  const placed = placeAt(points[0]!, points[1]!, { lowest, placing });
  if (placed === undefined) return undefined;
  const { perUnit } = placed;
  const { lon, lat } = placed.place;
  const frame = localFrameAt(lon, lat, placed.place.height);
  const plane = openPlaneMap({ crs: placing.crs, frame, middle, box, place: placed.place });
  if (plane === undefined) return undefined;
  const levelOf = (z: number): number => (z - lowest) * perUnit;
  const positions = geometries.map((geometry) =>
    geometry.anchor === undefined
      ? placeSurfaces(geometry, plane, levelOf)
      : placeAnchored(geometry.surfaces, geometry.anchor, { plane, levelOf }),
  );
  if (!positions.every(isOnEarth)) return undefined;
  const height = placed.place.height + (placing.isFlat ? liftOf(positions) : 0);
  return { place: { lon, lat, height }, positions };
}

function isOnEarth(positions: Float64Array): boolean {
  // a comparison with NaN is false
  for (let i = 0; i < positions.length; i++) if (!(Math.abs(positions[i]!) < maxMetres)) return false;
  return true;
}

/** Roads and water have less relief. On the ellipsoid itself, the globe would cover parts of them. */
const levelMetres = 1;
const leastLift = 0.2;

/** Of what is level: as far as edges may be below the curved surface between their ends, and a little more. */
function liftOf(positions: readonly Float64Array[]): number {
  let [reach, low, high] = [0, Infinity, -Infinity];
  for (const list of positions) {
    for (let i = 0; i < list.length; i += 3) {
      reach = Math.max(reach, list[i]! ** 2 + list[i + 1]! ** 2);
      low = Math.min(low, list[i + 2]!);
      high = Math.max(high, list[i + 2]!);
    }
  }
  return high - low < levelMetres ? leastLift + reach / (2 * earthRadius) : 0;
}

/**
 * Where an object stands, and the metres of a unit of its heights. Undefined if that is not on earth.
 * @param lowest in the heights of the file
 */
export function placeAt(
  lon: number,
  lat: number,
  { lowest, placing }: { readonly lowest: number; readonly placing: Placing },
): { readonly place: Place; readonly perUnit: number } | undefined {
  if (Number.isNaN(lon + lat)) return undefined;
  const levels = Float64Array.of(lon, lat, lowest, lon, lat, lowest + 1);
  placing.heights.toEllipsoid(levels, 2);
  const height = placing.isFlat ? placing.offset : levels[2]!;
  // a comparison with NaN is false
  if (!(Math.abs(height) < maxMetres)) return undefined;
  return { place: { lon, lat, height }, perUnit: levels[5]! - levels[2]! };
}

type LevelOf = (z: number) => number;

function placeSurfaces({ surfaces }: CityGeometry, { map }: PlaneMap, levelOf: LevelOf): Float64Array {
  const placed = new Float64Array(surfaces.positionCount * 3);
  const { positions } = surfaces;
  map(positions, placed, surfaces.positionCount);
  for (let i = 0; i < placed.length; i += 3) {
    // the earth falls away from the plane of the frame
    const east = placed[i]!;
    const north = placed[i + 1]!;
    const drop = (east * east + north * north) / (2 * earthRadius);
    placed[i + 2] = levelOf(positions[i + 2]!) - drop;
  }
  return placed;
}

/** Positions in metres along the axes of the CRS, from an anchor in it. */
function placeAnchored(
  { positions, positionCount }: SurfaceSet,
  anchor: readonly [number, number, number],
  { plane: { map, turn }, levelOf }: { readonly plane: PlaneMap; readonly levelOf: LevelOf },
): Float64Array {
  const origin = new Float64Array(3);
  map(Float64Array.from(anchor), origin, 1);
  const [sin, cos] = [Math.sin(turn), Math.cos(turn)];
  const placed = new Float64Array(positionCount * 3);
  for (let i = 0; i < placed.length; i += 3) {
    const [x, y] = [positions[i]!, positions[i + 1]!];
    placed[i] = origin[0]! + x * cos - y * sin;
    placed[i + 1] = origin[1]! + x * sin + y * cos;
    placed[i + 2] = levelOf(anchor[2]) + positions[i + 2]!;
  }
  return placed;
}

function boxOf(geometries: readonly CityGeometry[]): Box {
  const box: Box = { min: [Infinity, Infinity, Infinity], max: [-Infinity, -Infinity, -Infinity] };
  const grow = (positions: ArrayLike<number>, count: number): void => {
    for (let axis = 0; axis < 3; axis++) {
      let [low, high] = [box.min[axis]!, box.max[axis]!];
      for (let i = axis; i < count * 3; i += 3) {
        const value = positions[i]!;
        // comparisons with NaN are false: it has to show
        if (!(value >= low)) low = value;
        if (!(value <= high)) high = value;
      }
      box.min[axis] = low;
      box.max[axis] = high;
    }
  };
  for (const { anchor, surfaces } of geometries)
    if (anchor === undefined) grow(surfaces.positions, surfaces.positionCount);
    else grow(anchor, 1);
  return box;
}

/** Turns x and y of the CRS into metres east and north. */
interface PlaneMap {
  readonly map: (from: Float64Array, to: Float64Array, count: number) => void;
  /** The angle from east to the x axis of the CRS, counter-clockwise. */
  readonly turn: number;
}

function openPlaneMap(object: {
  readonly crs: Crs;
  readonly frame: LocalFrame;
  readonly middle: readonly [number, number];
  readonly box: Box;
  readonly place: Place;
}): PlaneMap | undefined {
  const { crs, frame, middle, box, place } = object;
  const isDegrees = crs.kind === 'lonLat' || crs.kind === 'geographic';
  const step = isDegrees ? 0.0005 : 50;
  const [x, y] = middle;
  const probes = Float64Array.of(
    x + step,
    y,
    x - step,
    y,
    x,
    y + step,
    x,
    y - step,
    box.min[0],
    box.min[1],
    box.max[0],
    box.max[1],
  );
  crs.toLonLat(probes, probes.length / 2);
  const local = Array.from({ length: probes.length / 2 }, (_, i) =>
    toLocal(frame, geocentricOf(probes[i * 2]!, probes[i * 2 + 1]!, place.height)),
  );
  if (local.some(([east, north]) => Number.isNaN(east + north))) return undefined;
  const reach = Math.max(...local.slice(4).map(([east, north]) => Math.hypot(east, north)));
  const along = (a: number, b: number, axis: 0 | 1): number =>
    (local[a]![axis] - local[b]![axis]) / (2 * step);
  const [eastByX, northByX, eastByY, northByY] = [
    along(0, 1, 0),
    along(0, 1, 1),
    along(2, 3, 0),
    along(2, 3, 1),
  ];
  const turn = isDegrees ? 0 : Math.atan2(northByX, eastByX);
  if (reach > affineRadius) return { map: exactMap(crs, frame, place), turn };
  const map: PlaneMap['map'] = (from, to, count) => {
    for (let i = 0; i < count * 3; i += 3) {
      const dx = from[i]! - x;
      const dy = from[i + 1]! - y;
      to[i] = eastByX * dx + eastByY * dy;
      to[i + 1] = northByX * dx + northByY * dy;
    }
  };
  return { map, turn };
}

function exactMap(crs: Crs, frame: LocalFrame, { height }: Place): PlaneMap['map'] {
  return (from, to, count) => {
    const plane = new Float64Array(count * 2);
    for (let i = 0; i < count; i++) {
      plane[i * 2] = from[i * 3]!;
      plane[i * 2 + 1] = from[i * 3 + 1]!;
    }
    crs.toLonLat(plane, count);
    for (let i = 0; i < count; i++) {
      const [east, north] = toLocal(frame, geocentricOf(plane[i * 2]!, plane[i * 2 + 1]!, height));
      to[i * 3] = east;
      to[i * 3 + 1] = north;
    }
  };
}

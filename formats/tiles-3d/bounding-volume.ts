import { geodeticOf, type Vector } from '@platen/geo/geodesy/geocentric';
import { identity, multiply, transformPosition, type Matrix } from '@platen/geo/geodesy/matrix';
import { asNumbers, asObject, type JsonObject } from '../json/read-values.ts';
import { transformOf } from './tileset.ts';

export interface TileExtent {
  /** West, south, east, north in degrees; west is greater than east across 180°. */
  readonly bbox: readonly [number, number, number, number];
  /** Least and most above the ellipsoid. */
  readonly heights: readonly [number, number];
  /** True for a region; volumes around boxes and spheres are larger than necessary. */
  readonly isExact: boolean;
}

export interface RootVolume {
  /** `region`, `box`, `sphere`; another word of an extension. */
  readonly shape: string;
  /** Undefined if it is not on earth. */
  readonly extent: TileExtent | undefined;
}

const degrees = 180 / Math.PI;
/** Metres above or below the ellipsoid; anything farther away is not on earth. */
const farthest = 200e3;
const steps = 4;

/** The volume of the root of a tileset. A transform moves boxes and spheres, but not regions. */
export function rootVolume(tile: JsonObject, outer: Matrix = identity): RootVolume | undefined {
  const volume = asObject(tile['boundingVolume']);
  if (volume === undefined) return undefined;
  const region = asNumbers(volume['region'], 6);
  if (region !== undefined) return { shape: 'region', extent: ofRegion(region) };
  const own = transformOf(tile);
  const matrix = own === undefined ? outer : multiply(outer, own);
  const box = asNumbers(volume['box'], 12);
  if (box !== undefined) return { shape: 'box', extent: around(matrix, box) };
  const sphere = asNumbers(volume['sphere'], 4);
  if (sphere === undefined)
    return { shape: (Object.keys(volume)[0] ?? 'none').slice(0, 40), extent: undefined };
  const [x, y, z, radius] = sphere as [number, number, number, number];
  const cube = [x, y, z, radius, 0, 0, 0, radius, 0, 0, 0, radius];
  return { shape: 'sphere', extent: around(matrix, cube) };
}

function ofRegion(region: readonly number[]): TileExtent | undefined {
  const [west, south, east, north, low, high] = region as [number, number, number, number, number, number];
  const bbox = [west * degrees, south * degrees, east * degrees, north * degrees] as const;
  const isOnEarth = Math.abs(bbox[0]) <= 180 && Math.abs(bbox[2]) <= 180 && bbox[1] >= -90 && bbox[3] <= 90;
  return isOnEarth && bbox[1] <= bbox[3] ? { bbox, heights: [low, high], isExact: true } : undefined;
}

/** Samples the whole surface, because the faces of a large box bulge against the ellipsoid. */
function around(matrix: Matrix, box: readonly number[]): TileExtent | undefined {
  const centre = geodeticOf(transformPosition(matrix, vectorAt(box, 0)));
  if (!(Math.abs(centre[2]) < farthest)) return undefined;
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  let [low, high] = [Infinity, -Infinity];
  const axes = [3, 6, 9].map((at) => vectorAt(box, at));
  for (let i = -steps; i <= steps; i++) {
    for (let j = -steps; j <= steps; j++) {
      for (let k = -steps; k <= steps; k++) {
        const shares = [i / steps, j / steps, k / steps];
        const position = [0, 1, 2].map(
          (axis) => box[axis]! + axes.reduce((sum, side, n) => sum + side[axis]! * shares[n]!, 0),
        );
        const [lon, lat, height] = geodeticOf(transformPosition(matrix, position as unknown as Vector));
        // about its centre, so that 180° does not tear it apart
        const turned = lon - 360 * Math.round((lon - centre[0]) / 360);
        west = Math.min(west, turned);
        east = Math.max(east, turned);
        south = Math.min(south, lat);
        north = Math.max(north, lat);
        low = Math.min(low, height);
        high = Math.max(high, height);
      }
    }
  }
  if (!Number.isFinite(west + south + east + north + low + high)) return undefined;
  const isRound = east - west >= 360;
  const bbox = isRound
    ? ([-180, south, 180, north] as const)
    : ([wrap(west), south, wrap(east), north] as const);
  return { bbox, heights: [low, high], isExact: false };
}

const wrap = (lon: number): number => (lon < -180 ? lon + 360 : lon > 180 ? lon - 360 : lon);

function vectorAt(numbers: readonly number[], at: number): Vector {
  return [numbers[at]!, numbers[at + 1]!, numbers[at + 2]!];
}

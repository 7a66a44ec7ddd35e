import { geodeticOf, type Vector } from './geocentric.ts';

/** Metres below and above the ellipsoid between which data of the earth lie. */
const [lowest, highest] = [-12_000, 100_000];

/**
 * West, south, east, north in degrees around a box of EPSG:4978.
 * @returns undefined if it does not lie near the surface of the earth: then its coordinates are others
 */
export function geocentricBox(min: Vector, max: Vector): [number, number, number, number] | undefined {
  const middle = geodeticOf([(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2]);
  if (!(middle[2] > lowest && middle[2] < highest)) return undefined;
  const corners = Array.from({ length: 8 }, (_, i) =>
    geodeticOf([i & 1 ? max[0] : min[0], i & 2 ? max[1] : min[1], i & 4 ? max[2] : min[2]]),
  );
  const [lons, lats] = [corners.map(([lon]) => lon), corners.map(([, lat]) => lat)];
  return [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)];
}

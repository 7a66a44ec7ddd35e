import type { InspectedLayer } from '@platen/contract/inspect';
import { findCrs } from '@platen/formats/crs/find-crs';
import { boxInLonLat } from '../box.ts';
import type { PointSample } from './collect-points.ts';

const maxCells = 48;
/** Fewer would leave some cells empty by chance. */
const pointsPerCell = 8;
const metresPerDegree = 111_320;

/** Points per square metre in occupied cells, extrapolated to the whole file; undefined without a CRS. */
export function densityOf(
  { count, places }: PointSample,
  pointCount: number,
  crs: InspectedLayer['crs'],
): number | undefined {
  if (crs?.code === undefined || count < 100) return undefined;
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < count; i++) {
    const [x, y] = [places[i * 3]!, places[i * 3 + 1]!];
    west = Math.min(west, x);
    east = Math.max(east, x);
    south = Math.min(south, y);
    north = Math.max(north, y);
  }
  const cells = Math.min(maxCells, Math.ceil(Math.sqrt(count / pointsPerCell)));
  const used = new Set<number>();
  for (let i = 0; i < count; i++) {
    const column = Math.min(cells - 1, Math.floor(((places[i * 3]! - west) / (east - west)) * cells));
    const row = Math.min(cells - 1, Math.floor(((places[i * 3 + 1]! - south) / (north - south)) * cells));
    used.add(row * cells + column);
  }
  const [left, bottom, right, top] = boxInLonLat(findCrs(crs.code), [west, south, east, north]);
  const shrink = Math.cos((((bottom + top) / 2) * Math.PI) / 180);
  const area = (right - left) * shrink * (top - bottom) * metresPerDegree ** 2;
  const density = pointCount / (area * (used.size / cells ** 2));
  return Number.isFinite(density) && area > 0 ? Number(density.toPrecision(3)) : undefined;
}

import type { Crs } from '@platen/formats/crs/find-crs';
import { polesWithin } from '../raster-source/sheet-frame.ts';

export type Box = [west: number, south: number, east: number, north: number];

export const emptyBox = (): Box => [Infinity, Infinity, -Infinity, -Infinity];

/** Ignores positions with NaN. */
export function growBox(box: Box, coordinates: Float64Array, count: number): void {
  for (let i = 0; i < 2 * count; i += 2) {
    const x = coordinates[i]!;
    const y = coordinates[i + 1]!;
    if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
    if (x < box[0]) box[0] = x;
    if (y < box[1]) box[1] = y;
    if (x > box[2]) box[2] = x;
    if (y > box[3]) box[3] = y;
  }
}

const steps = 20;

/** Bounding box in longitude and latitude. The box's edges become curves, so points along them are transformed. */
export function boxInLonLat(crs: Pick<Crs, 'kind' | 'toLonLat' | 'fromLonLat'>, own: Box): Box {
  const [west, south, east, north] = own;
  if (crs.kind === 'lonLat') return isAcross(own) ? [-180, south, 180, north] : own;
  const points: number[] = [];
  for (let i = 0; i <= steps; i++) {
    const x = west + ((east - west) * i) / steps;
    const y = south + ((north - south) * i) / steps;
    points.push(x, south, x, north, west, y, east, y);
  }
  const coordinates = Float64Array.from(points);
  crs.toLonLat(coordinates, points.length / 2);
  const box = emptyBox();
  growBox(box, coordinates, points.length / 2);
  const frame = { width: 1, height: 1, matrix: [east - west, 0, west, 0, south - north, north] } as const;
  const poles = polesWithin(frame, crs);
  if (poles.length === 0) return box;
  return [-180, Math.min(box[1], ...poles), 180, Math.max(box[3], ...poles)];
}

/** Pixels may exceed the antimeridian by their half, or by rounding. */
const exceedingShare = 0.01;

/** Whether a box in degrees continues on the other side of the antimeridian. */
function isAcross([west, , east]: Box): boolean {
  return Math.max(-180 - west, east - 180) > (east - west) * exceedingShare;
}

/** Clips the box to valid longitudes and latitudes; undefined if nothing is left. */
export function onEarth([west, south, east, north]: Box): Box | undefined {
  const box: Box = [Math.max(-180, west), Math.max(-90, south), Math.min(180, east), Math.min(90, north)];
  return box[0] <= box[2] && box[1] <= box[3] ? box : undefined;
}

/**
 * Whether all positions are valid longitudes and latitudes. Up to ±540° is allowed for data across the antimeridian.
 */
export function areAllDegrees(coordinates: Float64Array, count: number): boolean {
  for (let i = 0; i < 2 * count; i += 2) {
    if (!(Math.abs(coordinates[i]!) <= 540 && Math.abs(coordinates[i + 1]!) <= 90)) return false;
  }
  return true;
}

export function areDegrees(x: number, y: number): boolean {
  return Math.abs(x) <= 180 && Math.abs(y) <= 90;
}

import type { Area } from './crs.ts';
import type { EpsgEntry } from './register.ts';

export function areaOf([north, west, south, east]: NonNullable<EpsgEntry['bbox']>): Area {
  return [west, south, east, north];
}

/** Longitude and latitude, also across 180°. */
export function middleOf([west, south, east, north]: Area): [number, number] {
  const width = east < west ? east - west + 360 : east - west;
  const lon = west + width / 2;
  return [lon > 180 ? lon - 360 : lon, (south + north) / 2];
}

/** Whether a position is in the area, or within this many degrees of it. */
export function isWithin(
  [west, south, east, north]: Area,
  [lon, lat]: readonly [number, number],
  margin = 0,
): boolean {
  if (!(lat >= south - margin && lat <= north + margin)) return false;
  const width = east < west ? east - west + 360 : east - west;
  const eastwards = (((lon - west + margin) % 360) + 360) % 360;
  return eastwards <= width + 2 * margin;
}

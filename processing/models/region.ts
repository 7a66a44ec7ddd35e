/** Degrees of WGS 84, and metres above the ellipsoid. */
export type Region = readonly [
  west: number,
  south: number,
  east: number,
  north: number,
  lowest: number,
  highest: number,
];

/** The smallest region around all of them; there must be one. */
export function unionOfRegions(regions: readonly Region[]): Region {
  let [west, south, east, north, lowest, highest] = regions[0]!;
  for (const region of regions) {
    west = Math.min(west, region[0]);
    south = Math.min(south, region[1]);
    east = Math.max(east, region[2]);
    north = Math.max(north, region[3]);
    lowest = Math.min(lowest, region[4]);
    highest = Math.max(highest, region[5]);
  }
  return [west, south, east, north, lowest, highest];
}

const metresPerDegree = 111_320;

/** In metres. */
export function diagonalOf([west, south, east, north, lowest, highest]: Region): number {
  const wide = (east - west) * metresPerDegree * Math.cos((((south + north) / 2) * Math.PI) / 180);
  return Math.hypot(wide, (north - south) * metresPerDegree, highest - lowest);
}

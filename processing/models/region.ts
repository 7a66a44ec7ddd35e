/** Degrees of WGS 84, and metres above the ellipsoid. */
export type Region = readonly [
  west: number,
  south: number,
  east: number,
  north: number,
  lowest: number,
  highest: number,
];

export function unionOfRegions(a: Region, b: Region): Region {
  return [
    Math.min(a[0], b[0]),
    Math.min(a[1], b[1]),
    Math.max(a[2], b[2]),
    Math.max(a[3], b[3]),
    Math.min(a[4], b[4]),
    Math.max(a[5], b[5]),
  ];
}

const metresPerDegree = 111_320;

/** In metres. */
export function diagonalOf([west, south, east, north, lowest, highest]: Region): number {
  const wide = (east - west) * metresPerDegree * Math.cos((((south + north) / 2) * Math.PI) / 180);
  return Math.hypot(wide, (north - south) * metresPerDegree, highest - lowest);
}

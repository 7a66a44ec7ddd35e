/**
 * The whole web-mercator world as a square of 2^30 integer units, y downwards: 3.7 cm at the equator. A tile
 * unit of a 4096 tile at zoom 18 is exactly one of them, so every zoom's grid is a shift away.
 */
export const worldBits = 30;
export const worldSize = 2 ** worldBits;

/** Latitude of the mercator square's edge. */
export const maxLatitude = 85.0511287798066;

const radiansPerDegree = Math.PI / 180;

/** In world units, not rounded; may be outside the world beyond ±180°. */
export function gridX(lon: number): number {
  return (lon / 360 + 0.5) * worldSize;
}

/** In world units, not rounded; clamped to the mercator square. */
export function gridY(lat: number): number {
  if (lat >= maxLatitude) return 0;
  if (lat <= -maxLatitude) return worldSize;
  const sine = Math.sin(lat * radiansPerDegree);
  return (0.5 - (0.25 * Math.log((1 + sine) / (1 - sine))) / Math.PI) * worldSize;
}

export function longitudeOf(x: number): number {
  return (x / worldSize - 0.5) * 360;
}

export function latitudeOf(y: number): number {
  return Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / worldSize))) / radiansPerDegree;
}

/** Longitude and latitude in degrees. */
export type LonLat = readonly [longitude: number, latitude: number];

/**
 * Makes longitudes continuous: a step of more than half the globe crosses the antimeridian, so the line continues
 * beyond ±180.
 */
export function unwrapLine(line: readonly LonLat[]): LonLat[] {
  const unwrapped: LonLat[] = [];
  let offset = 0;
  let before: number | undefined;
  for (const [longitude, latitude] of line) {
    if (before !== undefined) {
      if (longitude - before > 180) offset -= 360;
      else if (before - longitude > 180) offset += 360;
    }
    before = longitude;
    unwrapped.push([longitude + offset, latitude]);
  }
  return unwrapped;
}

/**
 * Unwraps a closed ring. A ring around a pole does not close on the plane: it is closed along the pole's latitude, so
 * that it and its copies, one globe apart, cover the cap without gap or overlap.
 */
export function unwrapRing(ring: readonly LonLat[]): LonLat[] {
  const unwrapped = unwrapLine(ring);
  const first = unwrapped[0];
  const last = unwrapped.at(-1);
  if (first === undefined || last === undefined || Math.abs(last[0] - first[0]) < 180) return unwrapped;
  const poleLatitude = first[1] < 0 ? -90 : 90;
  return [...unwrapped, [last[0], poleLatitude], [first[0], poleLatitude], first];
}

import type { SurfaceSet } from '../city-object/surface-set.ts';
import { setRingUvs, startOf } from '../city-object/surface-set.ts';
import type { Projection } from './appearance.ts';

/**
 * What an image is projected by, in pixels from its upper left corner (OGC 12-019, 9.4).
 * @param corner the middle of its first pixel
 * @param edges what is added to it along a row and a column of pixels, as in a world file: A, B, D, E
 * @returns undefined if that is no place
 */
export function projectionOfImage(
  corner: readonly number[],
  edges: readonly number[],
): Projection | undefined {
  const [x = NaN, y = NaN] = corner;
  const [a = NaN, b = NaN, d = NaN, e = NaN] = edges;
  const area = a * e - b * d;
  if (!Number.isFinite(area + x + y) || area === 0) return undefined;
  const column = [e / area, -b / area, 0, (b * y - e * x) / area + 0.5];
  const upwards = [d / area, -a / area, 0, (a * y - d * x) / area - 0.5];
  return [...column, ...upwards, 0, 0, 0, 1];
}

/** Gives the rings of a surface image coordinates. @param isSwapped northing or latitude comes first in the file */
export function projectSurface(
  set: SurfaceSet,
  surface: number,
  projection: Projection,
  isSwapped: boolean,
): void {
  const { positions, ringEnds, surfaceEnds } = set;
  for (let ring = startOf(surfaceEnds, surface); ring < surfaceEnds[surface]!; ring++) {
    const uvs: number[] = [];
    for (let i = startOf(ringEnds, ring); i < ringEnds[ring]!; i++) {
      const [east, north, z] = [positions[i * 3]!, positions[i * 3 + 1]!, positions[i * 3 + 2]!];
      const [x, y] = isSwapped ? [north, east] : [east, north];
      const along = (row: number): number =>
        projection[row]! * x + projection[row + 1]! * y + projection[row + 2]! * z + projection[row + 3]!;
      uvs.push(along(0) / along(8), along(4) / along(8));
    }
    setRingUvs(set, ring, uvs);
  }
}

/** Image coordinates of a ring whose positions have been turned around; both may repeat the first at the end. */
export function turnedUvs(uvs: ArrayLike<number>): Float32Array {
  const end = uvs.length - 2;
  const [u, v] = [uvs[0], uvs[1]];
  const isClosed = end > 0 && uvs[end] === u && uvs[end + 1] === v;
  const closed = Array.from(uvs);
  if (!isClosed) closed.push(u!, v!);
  return Float32Array.from(closed, (_, i) => closed[closed.length - 2 - (i & ~1) + (i & 1)]!);
}

import type { VerticalCrs } from '../crs/vertical-crs.ts';
import type { Geoid } from './geoid.ts';

/** Between the heights of data and metres above the ellipsoid of WGS 84. */
export interface HeightTransform {
  /**
   * In place: longitude and latitude in degrees of WGS 84, and height, of each point.
   * @returns how many of them are outside the geoid's grid, where EGM96 counts
   */
  readonly toEllipsoid: (points: Float64Array, count: number) => number;
  readonly fromEllipsoid: (points: Float64Array, count: number) => number;
}

/**
 * @param geoid undefined for heights that count from the ellipsoid
 * @param offsetMetres added to all heights, upwards
 */
export function openHeightTransform(
  { metresPerUnit, isDepth }: Pick<VerticalCrs, 'metresPerUnit' | 'isDepth'>,
  geoid: Geoid | undefined,
  offsetMetres = 0,
): HeightTransform {
  const scale = isDepth ? -metresPerUnit : metresPerUnit;
  return {
    toEllipsoid(points, count) {
      if (scale !== 1 || offsetMetres !== 0)
        for (let i = 2; i < 3 * count; i += 3) points[i] = points[i]! * scale + offsetMetres;
      return geoid === undefined ? 0 : geoid.toEllipsoid(points, count);
    },
    fromEllipsoid(points, count) {
      const outside = geoid === undefined ? 0 : geoid.fromEllipsoid(points, count);
      if (scale !== 1 || offsetMetres !== 0)
        for (let i = 2; i < 3 * count; i += 3) points[i] = (points[i]! - offsetMetres) / scale;
      return outside;
    },
  };
}

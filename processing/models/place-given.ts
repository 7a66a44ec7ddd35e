import { JobFailure } from '../job-type.ts';
import type { PlacementOptions } from './placement-options.ts';

/** The longitude and latitude of a placement, if it has them. @throws JobFailure if it has only one of them, or a CRS, too */
export function placeGiven({
  longitude,
  latitude,
  crs,
}: PlacementOptions): readonly [number, number] | undefined {
  if ((longitude === undefined) !== (latitude === undefined))
    throw new JobFailure('invalidOption', '/placement: give longitude and latitude, or neither of them.');
  if (longitude === undefined || latitude === undefined) return undefined;
  if (crs !== undefined)
    throw new JobFailure('invalidOption', '/placement: give either longitude and latitude, or crs.');
  return [longitude, latitude];
}

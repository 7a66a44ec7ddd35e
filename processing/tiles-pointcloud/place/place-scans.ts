import { identity, multiply, type Matrix } from '@platen/geo/geodesy/matrix';
import type { HeightOptions } from '../../heights/height-options.ts';
import type { JobContext } from '../../job-type.ts';
import { openAnchor } from '../../models/open-anchor.ts';
import { placeGiven } from '../../models/place-given.ts';
import type { PlacementOptions } from '../../models/placement-options.ts';

/** What turns coordinates of scans without a coordinate system into such that have one. */
export interface ScanPlacing {
  readonly crs: string;
  readonly matrix: Matrix;
}

/** @returns undefined where nothing says where the scans are @throws JobFailure if the options contradict each other */
export async function openScanPlacing(
  placement: PlacementOptions,
  heights: HeightOptions,
  context: Pick<JobContext, 'inputs' | 'warn' | 'geoidFolder'>,
): Promise<ScanPlacing | undefined> {
  const place = placeGiven(placement);
  const { crs, upAxis = 'auto', offset = [] } = placement;
  const upright = upAxis === 'y' ? yUpwards : identity;
  if (place !== undefined) {
    const { matrix } = await openAnchor(place, { placement, heights, context });
    return { crs: 'EPSG:4978', matrix: multiply(matrix, upright) };
  }
  const [x = 0, y = 0, z = 0] = offset;
  const move = [...identity.slice(0, 12), x, y, z, 1];
  return crs === undefined ? undefined : { crs, matrix: multiply(move, upright) };
}

/** From x to the right, y up, z backwards to x east, y north, z up. */
const yUpwards = [1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1];

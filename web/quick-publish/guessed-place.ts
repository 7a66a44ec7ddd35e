import type { Inspection } from '@platen/contract/inspect';
import { boxOf } from '../inspect/new-datasource.ts';
import type { Bounds } from '../map/bounds.ts';
import { guessedCrs } from './plan.ts';

/** A coordinate system that the inspection has guessed, and where it puts the data as far as that is known. */
export interface GuessedPlace {
  readonly crs: string;
  readonly bounds: Bounds | undefined;
}

/** What has to be confirmed, unless the user has given another coordinate system. */
export function guessedPlace(
  inspection: Pick<Inspection, 'layers'> | undefined,
  given?: string,
): GuessedPlace | undefined {
  const crs = inspection && guessedCrs(inspection);
  if (crs === undefined || (given !== undefined && given !== crs)) return undefined;
  return { crs, bounds: boxOf(inspection!) };
}

import type { JobContext } from '../job-type.ts';
import { identityOf, openCheckpoint, type Checkpoint } from '../kit/checkpoint.ts';
import type { TilesPointcloudOptions } from './spec.ts';
import type { MadeUnit, SavedUnit } from './tasks.ts';
import { tilesPointcloudType } from './type.ts';

/** Increase it when the shape of the saved units changes: a checkpoint in another format is discarded. */
const format = 8;

/** The number of buckets' points, on which the plan depends, besides what threads have made. */
export type PointCheckpoint = Checkpoint<{ plannedPoints: number }, SavedUnit>;

export function openPointCheckpoint(
  folder: string,
  options: TilesPointcloudOptions,
  context: JobContext,
): PointCheckpoint {
  return openCheckpoint(folder, identityOf([format, tilesPointcloudType.version], options, context));
}

/** The part of a checkpoint with what the same plan has made. */
export interface MadeUnits {
  readonly units: readonly MadeUnit[];
  append(unit: MadeUnit): void;
}

/** @param scope identifies what is read, and into which buckets */
export function unitsOf(checkpoint: PointCheckpoint, scope: string): MadeUnits {
  return {
    units: checkpoint.units.flatMap((saved) => (saved.scope === scope ? [saved.unit] : [])),
    append: (unit) => checkpoint.append({ scope, unit }),
  };
}

import { identityOf, openCheckpoint, type Checkpoint } from '../kit/checkpoint.ts';
import type { UnitTiles } from '../kit/tile-log.ts';
import type { CountedWarning } from '../kit/warning-counter.ts';
import type { JobContext } from '../job-type.ts';
import { tilesVectorType } from './type.ts';
import type { Reading } from './read-phase.ts';
import type { SortedRecords } from './sort-phase.ts';
import type { TilesVectorOptions } from './spec.ts';

/** Increase it when the shape of the saved values changes: a checkpoint in another format is discarded. */
const format = 3;

/** Only data too large for memory, which is in files anyway, is saved; anything else is read again within seconds. */
export interface SavedValues {
  /** Warnings reported while reading. */
  readonly warnings: readonly CountedWarning[];
  readonly reading: Reading;
  readonly sorted: SortedRecords;
}

/** The output of a unit, which is its index in the sorted records. */
export interface UnitResult {
  readonly unit: number;
  readonly tiles: UnitTiles;
  readonly warnings: readonly CountedWarning[];
}

export type TilingCheckpoint = Checkpoint<SavedValues, UnitResult>;

export function openTilingCheckpoint(
  folder: string,
  options: TilesVectorOptions,
  context: JobContext,
): TilingCheckpoint {
  return openCheckpoint(folder, identityOf([format, tilesVectorType.version], options, context));
}

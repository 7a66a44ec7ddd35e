import type { JobContext } from '../../job-type.ts';
import { identityOf, openCheckpoint, type Checkpoint } from '../../kit/checkpoint.ts';
import { convertRasterType } from '../type.ts';
import type { BlockLogState } from './block-log.ts';
import type { PendingState } from './pending-units.ts';

/** Increase it when the shape of what is saved changes: a checkpoint in another format is discarded. */
const format = 2;

/** How far the image is. */
export interface SavedPyramid {
  /** The number of the next unit. */
  readonly next: number;
  readonly pending: PendingState;
  readonly blocks: BlockLogState;
  /** Names of sheets, and why a part of them could not be read. */
  readonly broken: readonly (readonly [name: string, reason: string])[];
}

export type RasterCheckpoint = Checkpoint<{ pyramid: SavedPyramid }, never>;

export function openRasterCheckpoint(
  folder: string,
  options: unknown,
  context: JobContext,
): RasterCheckpoint {
  return openCheckpoint(folder, identityOf([format, convertRasterType.version], options, context));
}

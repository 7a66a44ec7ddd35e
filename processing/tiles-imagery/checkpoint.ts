import type { JobContext } from '../job-type.ts';
import { identityOf, openCheckpoint, type Checkpoint } from '../kit/checkpoint.ts';
import type { TilesImageryOptions } from './spec.ts';
import type { MadeUnit } from './tasks.ts';
import { tilesImageryType } from './type.ts';

/** Increase it when the shape of the saved units changes: a checkpoint in another format is discarded. */
const format = 2;

export type ImageryCheckpoint = Checkpoint<{ depth: number }, MadeUnit>;

export function openImageryCheckpoint(
  folder: string,
  options: TilesImageryOptions,
  context: JobContext,
): ImageryCheckpoint {
  return openCheckpoint(folder, identityOf([format, tilesImageryType.version], options, context));
}

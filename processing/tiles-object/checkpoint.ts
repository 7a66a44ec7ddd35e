import type { JobContext } from '../job-type.ts';
import { identityOf, openCheckpoint, type Checkpoint } from '../kit/checkpoint.ts';
import type { TilesObjectOptions } from './spec.ts';
import type { Answer } from './tasks.ts';
import { tilesObjectType } from './type.ts';

/** Increase it when the shape of the saved units changes: a checkpoint in another format is discarded. */
const format = 7;

export type ObjectCheckpoint = Checkpoint<Record<string, never>, Answer>;

export function openObjectCheckpoint(
  folder: string,
  options: TilesObjectOptions,
  context: JobContext,
): ObjectCheckpoint {
  return openCheckpoint(folder, identityOf([format, tilesObjectType.version], options, context));
}

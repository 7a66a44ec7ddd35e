import type { JobContext } from '../job-type.ts';
import type { Layers } from '../features/layers.ts';
import { identityOf, openCheckpoint, type Checkpoint } from '../kit/checkpoint.ts';
import type { UnitTiles } from '../kit/tile-log.ts';
import type { TilesTerrainOptions } from './spec.ts';
import type { Answer } from './tasks.ts';
import { tilesTerrainType } from './type.ts';

/** Increase it when the shape of the saved units changes: a checkpoint in another format is discarded. */
const format = 4;

/** What a thread has made: a unit of the pyramid, or the tiles of one. */
export type SavedUnit =
  | (Extract<Answer, { kind: 'unit' }> & { readonly isLevel?: boolean })
  | { readonly kind: 'tiles'; readonly key: string; readonly tiles: UnitTiles; readonly lines: Layers };

export type TerrainCheckpoint = Checkpoint<Record<never, never>, SavedUnit>;

export function openTerrainCheckpoint(
  folder: string,
  options: TilesTerrainOptions,
  context: JobContext,
): TerrainCheckpoint {
  return openCheckpoint(folder, identityOf([format, tilesTerrainType.version], options, context));
}

import type { BlockStore } from '../pyramid/block-store.ts';
import { createFinalCells } from '../pyramid/final-cells.ts';
import type { PackedTile } from '../../kit/pack-tile.ts';
import type { Setup, TileOrder } from '../tasks.ts';
import { createMeshTileMaker } from './mesh-tile.ts';

/** A tile as the archive holds it. */
export interface MadeTile {
  /** The zoom of the archive. */
  readonly z: number;
  readonly tileId: number;
  readonly packed: PackedTile;
}

export type MakeTile = (order: TileOrder) => Promise<MadeTile>;

export function createTileMaker(setup: Setup, store: BlockStore): MakeTile {
  const { shape, settings, memory } = setup;
  const cells = createFinalCells({
    shape,
    store,
    fillHoles: settings.fillHoles,
    cacheBytes: memory.blockBytes,
  });
  return createMeshTileMaker(cells, settings);
}

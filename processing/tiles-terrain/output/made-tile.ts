import type { ContourFeature } from '@platen/geo/terrain/contour-tile';
import type { PackedTile } from '../../kit/pack-tile.ts';
import type { TileOrder } from '../tasks.ts';

/** A tile as the archive holds it. */
export interface MadeTile {
  /** The zoom of the archive. */
  readonly z: number;
  readonly tileId: number;
  readonly packed: PackedTile;
  readonly contours?: readonly ContourFeature[];
}

/** Undefined: the tile is empty, and left out. */
export type MakeTile = (order: TileOrder) => Promise<MadeTile | undefined>;

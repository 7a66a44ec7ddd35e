import type { BlockStore } from '../pyramid/block-store.ts';
import { createFinalCells } from '../pyramid/final-cells.ts';
import type { Setup } from '../tasks.ts';
import { createImageTileMaker } from './image-tile.ts';
import { createContourTileMaker } from './contour-tile.ts';
import type { WaterPolygons } from '../water/water-polygons.ts';
import type { MakeTile } from './made-tile.ts';
import { createMeshTileMaker } from './mesh-tile.ts';

/** Makes tiles of the kind that the options ask for. */
export function createTileMaker(
  { shape, settings, memory }: Setup,
  store: BlockStore,
  water: WaterPolygons | undefined,
): MakeTile {
  const { fillHoles, kind } = settings;
  const cells = createFinalCells({ shape, store, fillHoles, cacheBytes: memory.blockBytes });
  if (kind === 'quantizedMesh') return createMeshTileMaker(cells, settings, water);
  if (kind === 'contours') return createContourTileMaker(cells, settings, shape);
  return createImageTileMaker(cells, settings, shape.grid);
}

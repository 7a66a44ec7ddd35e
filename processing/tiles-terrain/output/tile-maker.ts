import type { FinalCells } from '../pyramid/final-cells.ts';
import { makesLineFile } from '../settings.ts';
import type { Setup } from '../tasks.ts';
import { createImageTileMaker } from './image-tile.ts';
import { createContourPieceMaker, createContourTileMaker } from './contour-tile.ts';
import type { WaterPolygons } from '../water/water-polygons.ts';
import type { MakeTile } from './made-tile.ts';
import { createMeshTileMaker } from './mesh-tile.ts';

/** Makes tiles of the kind that the options ask for. */
export function createTileMaker(
  { shape, settings, base }: Setup,
  cells: FinalCells,
  water: WaterPolygons | undefined,
): MakeTile {
  const { kind } = settings;
  if (kind === 'quantizedMesh') return createMeshTileMaker(cells, settings, { water, base });
  if (makesLineFile(settings)) return createContourPieceMaker(cells, settings, shape);
  if (kind === 'contours') return createContourTileMaker(cells, settings, shape);
  return createImageTileMaker(cells, settings, shape.grid);
}

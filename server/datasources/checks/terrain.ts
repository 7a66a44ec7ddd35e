import { openArchive } from '@platen/geo/pmtiles/archive';
import { isObject } from '../../base/is-object.ts';

import { UnusableData, type ReadAt } from './refused.ts';

/** Checks a PMTiles archive of terrain, as a job of the type platenTilesTerrain makes it. @throws UnusableData, ArchiveError */
export async function checkTerrainArchive(read: ReadAt): Promise<void> {
  const archive = await openArchive(read);
  const { layer } = await archive.metadata();
  if (!isObject(layer) || typeof layer['format'] !== 'string')
    throw new UnusableData(
      'The PMTiles archive holds no terrain: a job of the type platenTilesTerrain makes one of height models.',
    );
  for (const x of [0, 1]) {
    if (await archive.findTile(1, x, 0)) continue;
    throw new UnusableData(
      `The archive lacks the root tile 0/${x}/0, without which the viewer shows no globe at all: make the terrain again.`,
    );
  }
}

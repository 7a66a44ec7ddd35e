import { writeFile } from 'node:fs/promises';
import type { DescribedTileset } from './described-tileset.ts';
import { drawThumbnail } from './draw-thumbnail.ts';
import { withLocalArchive } from './local-archive.ts';
import { tilesetProperties } from './tileset-properties.ts';

interface Paths {
  /** Path of the finished PMTiles archive. */
  readonly archive: string;
  /** The path that `thumbnailPathOf` returns. */
  readonly thumbnail: string;
}

/** Draws the thumbnail of a PMTiles archive. @returns the datasource's `properties` */
export async function describeArchive(
  paths: Paths,
  tileset: DescribedTileset,
): Promise<Record<string, unknown>> {
  const layers = tileset.layers
    .filter(({ features, holdsLabels }) => features > 0 && holdsLabels !== true)
    .map(({ name }) => name);
  const { minZoom, maxZoom, bounds } = tileset;
  const png = await withLocalArchive(paths.archive, (read) =>
    drawThumbnail({ layers, minZoom, maxZoom, bounds }, read),
  );
  await writeFile(paths.thumbnail, png);
  return { ...tilesetProperties(tileset), thumbnail: 'thumbnail.png' };
}

import { join } from 'node:path';
import { createMbtilesWriter } from '@platen/formats/mbtiles/write-mbtiles';
import { copyArchive } from '@platen/formats/tiles/copy-archive';
import type { TilesetInfo } from '@platen/formats/tiles/tile-sink';
import { createTileFolderWriter } from '@platen/formats/tiles/write-tile-folder';
import type { JobContext } from '../job-type.ts';
import { archiveName } from './write-tile-archive.ts';

/** PMTiles is what is served best; the others are copies of it. */
export type TilesetFormat = 'pmtiles' | 'mbtiles' | 'folder';

const folderName = 'tiles';
const mbtilesName = 'tiles.mbtiles';

/**
 * Converts the finished archive to the requested format, if that is another. Progress is reported in the phase `copy`.
 * @returns the path of the datasource: MBTiles are only for download, so the archive next to them is served
 */
export async function copyTileArchive(
  format: TilesetFormat,
  info: TilesetInfo,
  { outputFolder, signal, progress }: JobContext,
): Promise<string> {
  if (format === 'pmtiles') return archiveName;
  const sink =
    format === 'folder'
      ? createTileFolderWriter(join(outputFolder, folderName))
      : createMbtilesWriter(join(outputFolder, mbtilesName));
  try {
    const onProgress = (done: number, total: number): void => progress('copy', done, total);
    await copyArchive(join(outputFolder, archiveName), sink, { signal, onProgress });
    await sink.finish(info);
  } catch (error) {
    sink.discard();
    throw error;
  }
  return format === 'folder' ? folderName : archiveName;
}

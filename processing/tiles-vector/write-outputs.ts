import { join } from 'node:path';
import { createMbtilesWriter } from '@platen/formats/mbtiles/write-mbtiles';
import { copyArchive } from '@platen/formats/tiles/copy-archive';
import type { TilesetInfo } from '@platen/formats/tiles/tile-sink';
import { createTileFolderWriter } from '@platen/formats/tiles/write-tile-folder';
import type { JobContext } from '../job-type.ts';
import type { Settings } from './settings.ts';
import { archiveName } from './write-archive.ts';

const folderName = 'tiles';
const mbtilesName = 'tiles.mbtiles';

/**
 * Converts the finished archive to the requested format, if that is another.
 * @returns the path of the datasource: MBTiles are only for download, so the archive next to them is served
 */
export async function writeOutputs(
  info: TilesetInfo,
  { format }: Settings,
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

import { join } from 'node:path';
import { createMbtilesWriter } from '@platen/formats/mbtiles/write-mbtiles';
import { copyArchive } from '@platen/formats/tiles/copy-archive';
import type { TileSink, TilesetInfo } from '@platen/formats/tiles/tile-sink';
import { createTileFolderWriter, type TileFolderLayout } from '@platen/formats/tiles/write-tile-folder';
import type { ArchiveInfo } from '@platen/geo/pmtiles/writer';
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
  context: JobContext,
): Promise<string> {
  if (format === 'pmtiles') return archiveName;
  if (format === 'folder') return copyToFolder(info, context);
  await copyTo(createMbtilesWriter(join(context.outputFolder, mbtilesName)), info, context);
  return archiveName;
}

type ArchivedTiles = TilesetInfo & Partial<Pick<ArchiveInfo, 'tileCompression'>>;

/**
 * Copies the tiles of the finished archive into a folder. Progress is reported in the phase `copy`.
 * @param layout that of vector tiles is the default
 * @returns the path of the datasource
 */
export async function copyToFolder(
  info: ArchivedTiles,
  context: JobContext,
  layout?: TileFolderLayout,
): Promise<string> {
  await copyTo(createTileFolderWriter(join(context.outputFolder, folderName), layout), info, context);
  return folderName;
}

async function copyTo(
  sink: TileSink,
  info: ArchivedTiles,
  { outputFolder, signal, progress }: JobContext,
): Promise<void> {
  try {
    const onProgress = (done: number, total: number): void => progress('copy', done, total);
    const { tileCompression } = info;
    await copyArchive(join(outputFolder, archiveName), sink, { signal, onProgress, tileCompression });
    await sink.finish(info);
  } catch (error) {
    sink.discard();
    throw error;
  }
}

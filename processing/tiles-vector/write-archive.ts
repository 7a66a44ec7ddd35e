import { closeSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { compression, tileType, type ArchiveHeader } from '@platen/geo/pmtiles/header';
import { createArchiveWriter, type ArchiveInfo } from '@platen/geo/pmtiles/writer';
import type { JobContext } from '../job-type.ts';
import { assemble } from '../kit/merge-tiles.ts';
import type { CutTiles } from './cut-phase.ts';
import { gzip } from '../kit/pack-tile.ts';
import { openScratchFile, writeFully } from '../kit/scratch-file.ts';

export const archiveName = 'tiles.pmtiles';

/**
 * Writes the archive under a temporary name first, so that an incomplete one is never seen. It is not synced to disk:
 * only
 * the uploaded copy has to survive a power cut.
 */
export async function writeArchive(
  tiles: CutTiles,
  info: Omit<ArchiveInfo, 'tileType' | 'tileCompression'>,
  { outputFolder, scratchFolder, signal, progress }: JobContext,
): Promise<ArchiveHeader> {
  const unfinished = join(outputFolder, `.${archiveName}.unfinished`);
  const file = openSync(unfinished, 'w');
  const entries = openScratchFile(join(scratchFolder, 'entries'));
  const total = [...tiles.leaves, ...tiles.tops].reduce(
    (sum, unit) => sum + unit.reduce((ofUnit, zoom) => ofUnit + (zoom?.tiles ?? 0), 0),
    0,
  );
  let done = 0;
  let open = true;
  try {
    const writer = createArchiveWriter({
      entries,
      gzip,
      write: (offset, bytes) => writeFully(file, bytes, offset),
    });
    await assemble({
      ...tiles,
      writer,
      async onTiles(count) {
        done += count;
        progress('write', done, total);
        await new Promise((resolve) => setImmediate(resolve)); // lets an abort signal arrive
        signal.throwIfAborted();
      },
    });
    const header = writer.finish({ ...info, tileType: tileType.mvt, tileCompression: compression.gzip });
    closeSync(file);
    open = false;
    renameSync(unfinished, join(outputFolder, archiveName));
    return header;
  } catch (error) {
    if (open) closeSync(file);
    entries.remove();
    rmSync(unfinished, { force: true });
    throw error;
  }
}

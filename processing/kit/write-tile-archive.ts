import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { writeAll } from '@platen/formats/bytes/file-appender';
import type { ArchiveHeader } from '@platen/geo/pmtiles/header';
import { createArchiveWriter, type ArchiveInfo } from '@platen/geo/pmtiles/writer';
import type { JobContext } from '../job-type.ts';
import { mergeTiles, type MadeTiles } from './merge-tiles.ts';
import { openOutputFile } from './output-file.ts';
import { gzip } from './pack-tile.ts';
import { openScratchFile } from './scratch-file.ts';

/** The archive of a job that makes tiles, in its output folder. */
export const archiveName = 'tiles.pmtiles';

/** Puts the tiles of all units together in one PMTiles archive. Progress is reported in the phase `write`. */
export async function writeTileArchive(
  tiles: MadeTiles,
  info: ArchiveInfo,
  { outputFolder, scratchFolder, signal, progress }: JobContext,
): Promise<ArchiveHeader> {
  const output = openOutputFile(outputFolder, archiveName);
  const file = openSync(output.path, 'w');
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
      write: (offset, bytes) => writeAll(file, bytes, offset),
    });
    await mergeTiles({
      ...tiles,
      writer,
      async onTiles(count) {
        done += count;
        progress('write', done, total);
        await new Promise((resolve) => setImmediate(resolve)); // lets an abort signal arrive
        signal.throwIfAborted();
      },
    });
    const header = writer.finish(info);
    closeSync(file);
    open = false;
    output.finish();
    return header;
  } catch (error) {
    if (open) closeSync(file);
    entries.remove();
    output.discard();
    throw error;
  }
}

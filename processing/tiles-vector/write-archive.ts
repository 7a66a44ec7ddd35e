import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { tileType, type ArchiveHeader } from '@platen/geo/pmtiles/header';
import type { ArchiveInfo, ArchiveWriter } from '@platen/geo/pmtiles/writer';
import type { Breather } from './breather.ts';

export const archiveName = 'tiles.pmtiles';

/** Level 4 packs tiles as well as 6 does, in less time. */
export function gzip(bytes: Uint8Array): Uint8Array {
  return gzipSync(bytes, { level: 4 });
}

/** Writes the archive under another name first, so that nobody ever finds half of one. What must survive a power cut is the uploaded copy. */
export async function writeArchive(
  writer: ArchiveWriter,
  info: Omit<ArchiveInfo, 'tileType'>,
  outputFolder: string,
  breather: Breather,
): Promise<ArchiveHeader> {
  const unfinished = join(outputFolder, `.${archiveName}.unfinished`);
  const file = openSync(unfinished, 'w');
  let open = true;
  try {
    const header = await writer.finish({ ...info, tileType: tileType.mvt }, async (offset, bytes) => {
      if (breather.due()) await breather.rest();
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, bytes.length - at, offset + at);
    });
    closeSync(file);
    open = false;
    renameSync(unfinished, join(outputFolder, archiveName));
    return header;
  } catch (error) {
    if (open) closeSync(file);
    rmSync(unfinished, { force: true });
    throw error;
  }
}

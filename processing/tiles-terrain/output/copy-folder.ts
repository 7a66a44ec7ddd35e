import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { openFile } from '@platen/formats/bytes/open-file';
import { openArchive } from '@platen/geo/pmtiles/archive';
import { compression } from '@platen/geo/pmtiles/header';
import { tileOfId } from '@platen/geo/pmtiles/tile-id';
import type { JobContext } from '../../job-type.ts';

/** Each file costs time to send, store and delete; above that, an archive is the only reasonable output. */
export const maxFolderTiles = 200_000;
const tilesAtOnce = 500;
const folderName = 'tiles';

export interface FolderLayout {
  /** Where a tile of the archive lies in the folder. */
  readonly pathOf: (z: number, x: number, y: number) => string;
  /** The name and the content of the description. */
  readonly description: readonly [name: string, json: object];
}

/** Puts the tiles of an archive into a folder, unpacked, as static servers do not say what they send packed. */
export async function copyFolder(
  archivePath: string,
  { pathOf, description: [name, json] }: FolderLayout,
  { outputFolder, signal, progress }: Pick<JobContext, 'outputFolder' | 'signal' | 'progress'>,
): Promise<string> {
  const unfinished = join(outputFolder, `.${folderName}.unfinished`);
  rmSync(unfinished, { recursive: true, force: true });
  const file = await openFile(archivePath);
  try {
    const archive = await openArchive((offset, length) => file.read(offset, length));
    const { addressedTiles: total, tileCompression } = archive.header;
    let done = 0;
    for await (const { tileId, runLength, offset, length } of archive.runs(0)) {
      const bytes = await file.read(offset, length);
      const plain = tileCompression === compression.gzip ? gunzipSync(bytes) : bytes;
      for (let i = 0; i < runLength; i++) {
        const path = join(unfinished, pathOf(...tileOfId(tileId + i)));
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, plain);
        if (++done % tilesAtOnce !== 0) continue;
        await setImmediate();
        signal.throwIfAborted();
        progress('copy', done, total);
      }
    }
    progress('copy', done, done);
    writeFileSync(join(unfinished, name), JSON.stringify(json));
    renameSync(unfinished, join(outputFolder, folderName));
    return folderName;
  } finally {
    await file.close();
    rmSync(unfinished, { recursive: true, force: true });
  }
}

import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { mbtilesMetadata } from './mbtiles-metadata.ts';
import type { TileSink } from './tile-sink.ts';

/**
 * Writes a folder of gzipped tiles, `<z>/<x>/<y>.pbf`, and `metadata.json`, which has the rows of MBTiles' metadata as
 * one object of strings: the form in which tiles are usually unpacked. Web servers must send the tiles with
 * `Content-Encoding: gzip`.
 */
export function createTileFolderWriter(folder: string): TileSink {
  const unfinished = join(dirname(folder), `.${basename(folder)}.unfinished`);
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  let column = '';
  return {
    addTile(z, x, y, packed) {
      const path = join(unfinished, String(z), String(x));
      if (path !== column) mkdirSync((column = path), { recursive: true });
      writeFileSync(join(path, `${y}.pbf`), packed);
    },
    async finish(info) {
      const metadata = JSON.stringify(mbtilesMetadata(info), undefined, 2);
      writeFileSync(join(unfinished, 'metadata.json'), metadata);
      renameSync(unfinished, folder);
    },
    discard: () => rmSync(unfinished, { recursive: true, force: true }),
  };
}

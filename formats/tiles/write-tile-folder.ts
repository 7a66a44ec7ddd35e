import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { mbtilesMetadata } from './mbtiles-metadata.ts';
import type { TileSink, TilesetInfo } from './tile-sink.ts';

/** How tiles lie in a folder. */
export interface TileFolderLayout {
  /** The path of a tile; rows count from the north. */
  readonly pathOf: (z: number, x: number, y: number) => string;
  /** What its file contains; the default is the tile as it comes. */
  readonly unpack?: ((packed: Uint8Array) => Uint8Array) | undefined;
  /** The name and the text of the file that describes the tiles. */
  readonly describe: (info: TilesetInfo) => readonly [name: string, text: string];
}

/**
 * Gzipped tiles, `<z>/<x>/<y>.pbf`, and `metadata.json`, which has the rows of MBTiles' metadata as one object of
 * strings: the form in which vector tiles are usually unpacked. Web servers must send the tiles with
 * `Content-Encoding: gzip`.
 */
const vectorTiles: TileFolderLayout = {
  pathOf: (z, x, y) => `${z}/${x}/${y}.pbf`,
  describe: (info) => ['metadata.json', JSON.stringify(mbtilesMetadata(info), undefined, 2)],
};

/** Writes a folder with a file for each tile. */
export function createTileFolderWriter(
  folder: string,
  { pathOf, unpack, describe }: TileFolderLayout = vectorTiles,
): TileSink {
  const unfinished = join(dirname(folder), `.${basename(folder)}.unfinished`);
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  let column = '';
  return {
    addTile(z, x, y, packed) {
      const path = join(unfinished, pathOf(z, x, y));
      const parent = dirname(path);
      if (parent !== column) mkdirSync((column = parent), { recursive: true });
      writeFileSync(path, unpack ? unpack(packed) : packed);
    },
    async finish(info) {
      const [name, text] = describe(info);
      writeFileSync(join(unfinished, name), text);
      renameSync(unfinished, folder);
    },
    discard: () => rmSync(unfinished, { recursive: true, force: true }),
  };
}

import { hash } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TileSink } from '../tiles/tile-sink.ts';
import { mbtilesMetadata } from '../tiles/mbtiles-metadata.ts';

/**
 * No process opens the file before it gets its name, and a partial file is useless, so neither journal nor sync is
 * needed.
 */
const preparation = `
  pragma journal_mode = off;
  pragma synchronous = off;
  pragma locking_mode = exclusive;
  pragma cache_size = -65536;
  pragma application_id = 0x4d504258;
  create table metadata (name text, value text);
  create table images (tile_data blob, tile_id text primary key);
  create table map (zoom_level integer, tile_column integer, tile_row integer, tile_id text);
  create view tiles as
    select zoom_level, tile_column, tile_row, tile_data from map join images on images.tile_id = map.tile_id;
  begin`;

/** Made at the end: sorting once is cheaper than inserting in the middle a million times. */
const completion = `
  create unique index name on metadata (name);
  create unique index map_index on map (zoom_level, tile_column, tile_row);
  commit`;

/**
 * Writes an MBTiles 1.3 file of gzipped vector tiles in the form where equal tiles are stored once: `map` names the
 * tile of each place by its MD5, `images` holds them, and the view `tiles` is what the specification asks for.
 */
export function createMbtilesWriter(path: string): TileSink {
  const unfinished = join(dirname(path), `.${basename(path)}.unfinished`);
  rmSync(unfinished, { force: true });
  const database = new DatabaseSync(unfinished);
  database.exec(preparation);
  const addImage = database.prepare('insert or ignore into images (tile_data, tile_id) values (?, ?)');
  const addPlace = database.prepare('insert into map values (?, ?, ?, ?)');
  return {
    addTile(z, x, y, packed) {
      const id = hash('md5', packed);
      addImage.run(packed, id);
      addPlace.run(z, x, 2 ** z - 1 - y, id); // rows count from the south, as in TMS
    },
    async finish(info) {
      const addRow = database.prepare('insert into metadata values (?, ?)');
      for (const [name, value] of Object.entries(mbtilesMetadata(info))) addRow.run(name, value);
      database.exec(completion);
      database.close();
      renameSync(unfinished, path);
    },
    discard() {
      if (database.isOpen) database.close();
      rmSync(unfinished, { force: true });
    },
  };
}

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { inMemory } from '../zip/testing.ts';
import { openMbtiles, type Mbtiles } from './open-mbtiles.ts';
import { createMbtilesWriter } from './write-mbtiles.ts';
import { afterFile } from '../../checks/clean-up.ts';

const folder = mkdtempSync(join(tmpdir(), 'platen-mbtiles-'));
afterFile(() => rmSync(folder, { recursive: true }));
let count = 0;

function made(sql: string): Promise<Mbtiles> {
  const path = join(folder, `${++count}.mbtiles`);
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
  return openMbtiles(inMemory(readFileSync(path)));
}

async function textAt(tiles: Mbtiles, z: number, x: number, y: number): Promise<string | undefined> {
  const bytes = await tiles.tile(z, x, y);
  return bytes && Buffer.from(bytes).toString();
}

const metadata = `create table metadata (name text, value text);
  insert into metadata values ('format', 'PNG'), ('minzoom', '0'), ('maxzoom', '2'), ('bounds', '-1,-2,3,4.5'), ('format', 'later');`;
const rows = `(0, 0, 0, 'whole'), (2, 1, 0, 'south'), (2, 1, 3, 'north')`;
const columns = 'zoom_level integer, tile_column integer, tile_row integer';

const layouts: Record<string, string> = {
  'a table and an index': `create table tiles (${columns}, tile_data blob);
    create unique index i on tiles (zoom_level, tile_column, tile_row);
    insert into tiles select column1, column2, column3, cast(column4 as blob) from (values ${rows});`,
  'a key in another order': `create table tiles (${columns}, tile_data blob, primary key (tile_row, tile_column, zoom_level));
    insert into tiles select column1, column2, column3, cast(column4 as blob) from (values ${rows});`,
  'tables map and images': `create table map (${columns}, tile_id text); create table images (tile_data blob, tile_id text);
    create index m on map (zoom_level, tile_column, tile_row); create unique index i on images (tile_id);
    insert into map values ${rows.replaceAll(/'(\w+)'/g, "'id of $1'")};
    insert into images values (cast('whole' as blob), 'id of whole'), (cast('south' as blob), 'id of south'), (cast('north' as blob), 'id of north');
    create view tiles as select zoom_level, tile_column, tile_row, tile_data from map join images using (tile_id);`,
  'shallow tiles without rowids': `create table tiles_shallow (${columns}, tile_data_id integer, primary key (zoom_level, tile_column, tile_row)) without rowid;
    create table tiles_data (tile_data_id integer primary key, tile_data blob);
    insert into tiles_shallow values (0, 0, 0, 1), (2, 1, 0, 2), (2, 1, 3, 3);
    insert into tiles_data values (1, cast('whole' as blob)), (2, cast('south' as blob)), (3, cast('north' as blob));
    create view tiles as select zoom_level, tile_column, tile_row, tile_data from tiles_shallow join tiles_data using (tile_data_id);`,
};

for (const [name, sql] of Object.entries(layouts)) {
  test(`tiles are found in ${name}, with rows from the north`, async () => {
    const tiles = await made(metadata + sql);
    assert.equal(await textAt(tiles, 0, 0, 0), 'whole');
    assert.equal(await textAt(tiles, 2, 1, 3), 'south');
    assert.equal(await textAt(tiles, 2, 1, 0), 'north');
    for (const [z, x, y] of [
      [2, 1, 1],
      [1, 0, 0],
      [2, 9, 9],
    ] as const)
      assert.equal(await tiles.tile(z, x, y), undefined);
    assert.ok(await tiles.someTile());
    const places = await Array.fromAsync(tiles.places());
    assert.deepEqual(places.map(String).toSorted(), ['0,0,0', '2,1,0', '2,1,3']);
    for (const [i, from] of places.entries())
      assert.deepEqual(await Array.fromAsync(tiles.places(from)), places.slice(i));
    const { format, minZoom, maxZoom, bounds } = tiles;
    assert.deepEqual(
      { format, minZoom, maxZoom, bounds },
      { format: 'png', minZoom: 0, maxZoom: 2, bounds: [-1, -2, 3, 4.5] },
    );
  });
}

test('files of our writer are read', async () => {
  const path = join(folder, 'ours.mbtiles');
  const writer = createMbtilesWriter(path);
  for (let x = 0; x < 64; x++)
    writer.addTile(6, x, x % 3, Buffer.from(`tile ${x % 5}`.repeat(1 + (x % 5) * 900)));
  await writer.finish({
    metadata: { name: 'Town' },
    minZoom: 6,
    maxZoom: 6,
    bounds: [0, 0, 1, 1],
    center: [0, 0, 6],
  });
  const tiles = await openMbtiles(inMemory(readFileSync(path)));
  for (let x = 0; x < 64; x++)
    assert.equal(await textAt(tiles, 6, x, x % 3), `tile ${x % 5}`.repeat(1 + (x % 5) * 900));
  assert.equal(tiles.metadata.get('name'), 'Town');
  assert.equal(tiles.format, 'pbf');
});

test('files without metadata are read', async () => {
  const { format, minZoom, bounds, metadata: empty } = await made(layouts['a table and an index']!);
  assert.deepEqual([format, minZoom, bounds, empty.size], ['', undefined, undefined, 0]);
});

test('without an index it is refused with the statement that adds one', async () => {
  await assert.rejects(
    made(`create table tiles (${columns}, tile_data blob)`),
    /on tiles \(zoom_level, tile_column, tile_row\)/,
  );
  const pair = layouts['tables map and images']!;
  await assert.rejects(made(pair.replace(/create index m.*?;/, '')), /on map \(zoom_level/);
  await assert.rejects(made(pair.replace(/create unique index i.*?;/, '')), /on images \(tile_id\)/);
});

test('other files are refused with a reason', async () => {
  await assert.rejects(made('create table other (a)'), /not an MBTiles file/);
  await assert.rejects(
    made('create table x (a); create view tiles as select a from x'),
    /unsupported schema/,
  );
  await assert.rejects(made(`create table tiles (${columns}, image blob)`), /no column tile_data/);
});

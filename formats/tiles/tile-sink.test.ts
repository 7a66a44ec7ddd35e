import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { createMbtilesWriter } from '../mbtiles/write-mbtiles.ts';
import type { TilesetInfo } from './tile-sink.ts';
import { createTileFolderWriter } from './write-tile-folder.ts';
import { afterFile } from '../../checks/clean-up.ts';

const root = await mkdtemp(join(tmpdir(), 'platen-tile-sink-'));
afterFile(() => rm(root, { recursive: true }));

const info: TilesetInfo = {
  metadata: {
    name: 'Lakes',
    attribution: 'somebody',
    type: 'overlay',
    version: '1',
    bounds: 'not this',
    vector_layers: [{ id: 'lakes', fields: { depth: 'Number' } }],
    tilestats: { layerCount: 1 },
  },
  minZoom: 0,
  maxZoom: 3,
  bounds: [-10, -20, 30, 40.5],
  center: [10, 10, 2],
};
const metadata = {
  name: 'Lakes',
  attribution: 'somebody',
  type: 'overlay',
  version: '1',
  format: 'pbf',
  minzoom: '0',
  maxzoom: '3',
  bounds: '-10,-20,30,40.5',
  center: '10,10,2',
};
const ocean = gzipSync('the same everywhere');
const tiles = [
  { z: 0, x: 0, y: 0, packed: gzipSync('the world') },
  { z: 3, x: 7, y: 1, packed: gzipSync('a lake') },
  { z: 3, x: 6, y: 1, packed: ocean },
  { z: 3, x: 5, y: 1, packed: ocean },
];

test('an MBTiles file has all tiles by rows from the south, equal ones once', async () => {
  const folder = await mkdtemp(join(root, 'mbtiles-'));
  const path = join(folder, 'lakes.mbtiles');
  const sink = createMbtilesWriter(path);
  for (const { z, x, y, packed } of tiles) sink.addTile(z, x, y, packed);
  assert.ok(!(await readdir(folder)).includes('lakes.mbtiles'), 'half of it bears no name');
  await sink.finish(info);
  assert.deepEqual(await readdir(folder), ['lakes.mbtiles']);

  const database = new DatabaseSync(path, { readOnly: true });
  const find = database.prepare(
    'select tile_data from tiles where zoom_level = ? and tile_column = ? and tile_row = ?',
  );
  for (const { z, x, y, packed } of tiles) {
    const row = find.get(z, x, 2 ** z - 1 - y) as { tile_data: Uint8Array };
    assert.deepEqual(Buffer.from(row.tile_data), packed);
  }
  const counts = 'select (select count(*) from tiles) as tiles, (select count(*) from images) as images';
  assert.deepEqual({ ...database.prepare(counts).get() }, { tiles: 4, images: 3 });
  const { json, ...rows } = Object.fromEntries(
    (database.prepare('select name, value from metadata').all() as { name: string; value: string }[]).map(
      ({ name, value }) => [name, value],
    ),
  );
  assert.deepEqual(rows, metadata);
  assert.deepEqual(JSON.parse(json!), {
    vector_layers: [{ id: 'lakes', fields: { depth: 'Number' } }],
    tilestats: { layerCount: 1 },
  });
  assert.deepEqual({ ...database.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' });
  database.close();
});

test('a folder has one file for each tile, and its metadata', async () => {
  const folder = join(root, 'lakes');
  const sink = createTileFolderWriter(folder);
  for (const { z, x, y, packed } of tiles) sink.addTile(z, x, y, packed);
  await assert.rejects(readdir(folder), 'half of it bears no name');
  await sink.finish(info);
  assert.deepEqual((await readdir(folder)).toSorted(), ['0', '3', 'metadata.json']);
  for (const { z, x, y, packed } of tiles)
    assert.deepEqual(await readFile(join(folder, `${z}/${x}/${y}.pbf`)), packed);
  const { json, ...rows } = JSON.parse(await readFile(join(folder, 'metadata.json'), 'utf8')) as {
    json: string;
  };
  assert.deepEqual(rows, metadata);
  assert.deepEqual((JSON.parse(json) as { tilestats: unknown }).tilestats, { layerCount: 1 });
});

test('a discarded sink leaves nothing', async () => {
  const folder = await mkdtemp(join(root, 'discarded-'));
  for (const sink of [
    createMbtilesWriter(join(folder, 'lakes.mbtiles')),
    createTileFolderWriter(join(folder, 'lakes')),
  ]) {
    sink.addTile(0, 0, 0, ocean);
    sink.discard();
  }
  assert.deepEqual(await readdir(folder), []);
});

test('a process that may write into its output folder alone can make both', async () => {
  const folder = await mkdtemp(join(root, 'output-'));
  const program = await mkdtemp(join(root, 'program-'));
  const formats = resolve(import.meta.dirname, '..');
  const text = `
    import { createMbtilesWriter } from ${JSON.stringify(join(formats, 'mbtiles/write-mbtiles.ts'))};
    import { createTileFolderWriter } from ${JSON.stringify(join(formats, 'tiles/write-tile-folder.ts'))};
    for (const sink of [createMbtilesWriter('a.mbtiles'), createTileFolderWriter('a')]) {
      sink.addTile(0, 0, 0, new Uint8Array(3));
      await sink.finish(${JSON.stringify(info)});
    }`;
  await writeFile(join(program, 'program.mjs'), text);
  const permissions = [
    '--permission',
    `--allow-fs-read=${resolve(formats, '..')}`,
    `--allow-fs-read=${program}`,
    `--allow-fs-read=${folder}`,
    `--allow-fs-write=${folder}`,
  ];
  await promisify(execFile)(process.execPath, [...permissions, join(program, 'program.mjs')], {
    cwd: folder,
  });
  assert.deepEqual((await readdir(folder)).toSorted(), ['a', 'a.mbtiles']);
});

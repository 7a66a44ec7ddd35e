import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { expectedParts } from '../wkb/testing.ts';
import { addLayer, createGeoPackage, encodeGeometry, insertRows, register } from './testing.ts';
import { makeTestFolder } from '../testing-folder.ts';
import { fileAt, open, readParts, point } from './testing-reading.ts';

const { folder, newPath } = makeTestFolder('.gpkg');

test('rows are read with their ID, typed values and geometries with any envelope', async () => {
  const path = newPath();
  const database = createGeoPackage(path);
  addLayer(database, {
    table: 'odd "name"',
    columns:
      'n mediumint, r real, t text(20), flag boolean, day date, at datetime, photo blob, "__proto__" text',
  });
  insertRows(database, 'odd "name"', [
    [7, encodeGeometry(point, 1), 5, 1.5, 'ü', 1, '2026-01-31', '2026-01-31T12:00:00Z', Buffer.of(1), 'x'],
    [9, encodeGeometry(point, 4), null, 2, null, 0, null, null, null, null],
    [11, null, -3, null, '', null, null, null, null, null],
  ]);
  database.close();
  const { layers, warnings } = await open(path);
  assert.deepEqual(warnings, []);
  const [layer] = layers;
  assert.equal(layer!.name, 'odd "name"');
  assert.equal(layer!.crs, 'EPSG:4326');
  assert.equal(layer!.featureCount, 3);
  assert.deepEqual(layer!.bbox, [-180, -90, 180, 90]);
  assert.deepEqual(
    layer!.fields!.map(({ name, type }) => `${name} ${type}`),
    ['n integer', 'r number', 't string', 'flag boolean', 'day date', 'at date'],
  );
  const [first, second, third] = await readParts(layer!.parts);
  assert.deepEqual(first, {
    id: 7,
    properties: { n: 5, r: 1.5, t: 'ü', flag: true, day: '2026-01-31', at: '2026-01-31T12:00:00Z' },
    problem: undefined,
    parts: expectedParts(point),
    place: { feature: 1, row: 7 },
  });
  assert.deepEqual(second!.properties, { n: null, r: 2, t: null, flag: false, day: null, at: null });
  assert.deepEqual([third!.parts, third!.problem, third!.place], [[], undefined, { feature: 3, row: 11 }]);
});

test('the parts together give all rows in order, whatever the row numbers', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), { minLength: 1, maxLength: 30 }),
      fc.boolean(),
      fc.integer({ min: 1, max: 200 }),
      async (ids, small, partBytes) => {
        const path = newPath();
        const database = createGeoPackage(path);
        addLayer(database, { table: 'a', columns: 'big integer' });
        const numbers = small ? ids.map((_, i) => BigInt(i * 3)) : ids;
        insertRows(
          database,
          'a',
          numbers.map((id) => [id, encodeGeometry(point), id]),
        );
        database.close();
        const { layers } = await open(path, partBytes * 100);
        const seen = await readParts(layers[0]!.parts);
        const expected = numbers.toSorted((a, b) => (a < b ? -1 : 1));
        assert.deepEqual(
          seen.map(({ id }) => String(id)),
          expected.map(String),
        );
        assert.deepEqual(
          seen.map(({ place }) => place.feature),
          expected.map((_, i) => i + 1),
        );
        for (const { id, properties } of seen) {
          assert.equal(properties['big'], id);
          assert.equal(typeof id, Math.abs(Number(id)) > Number.MAX_SAFE_INTEGER ? 'string' : 'number');
        }
      },
    ),
    { numRuns: 40 },
  );
});

test('each layer names its CRS by a code or WKT, or not at all', async () => {
  const path = newPath();
  const database = createGeoPackage(path);
  for (const srs of [4326, -1, 0, 100001, 54001, 777])
    addLayer(database, { table: `t${srs}`, srs, columns: 'a' });
  database.close();
  assert.deepEqual(
    (await open(path)).layers.map(({ name, crs }) => [name, crs]),
    [
      ['t4326', 'EPSG:4326'],
      ['t-1', undefined],
      ['t0', undefined],
      ['t100001', 'PROJCS["Own"]'],
      ['t54001', 'ESRI:54001'],
      ['t777', undefined],
    ],
  );
});

test('views and tables without row numbers are one part', async () => {
  const path = newPath();
  const database = createGeoPackage(path);
  addLayer(database, { table: 'base', columns: 'name text' });
  insertRows(database, 'base', [
    [1, encodeGeometry(point), 'one'],
    [2, encodeGeometry(point), 'two'],
  ]);
  database.exec(`create view seen as select name, geom, 9007199254740993 as large from base;
    create table keyed (code text primary key, geom point) without rowid;
    insert into keyed select name, geom from base`);
  register(database, 'seen');
  register(database, 'keyed');
  database.close();
  const { layers } = await open(path, 1);
  assert.deepEqual(
    layers.map(({ parts }) => parts.length),
    [2, 1, 1],
  );
  const seen = await readParts(layers[1]!.parts);
  assert.deepEqual(
    seen.map(({ properties, place }) => [properties, place]),
    [
      [{ name: 'one', large: '9007199254740993' }, { feature: 1 }],
      [{ name: 'two', large: '9007199254740993' }, { feature: 2 }],
    ],
  );
  const keyed = await readParts(layers[2]!.parts);
  assert.deepEqual(
    keyed.map(({ id, properties }) => [id, properties]),
    [
      ['one', { code: 'one' }],
      ['two', { code: 'two' }],
    ],
  );
});

test('a database in WAL mode is read without creating files, and a leftover -wal file causes a warning', async () => {
  const home = mkdtempSync(join(folder, 'wal-'));
  const path = join(home, 'a.gpkg');
  const database = createGeoPackage(path);
  addLayer(database, { table: 'a', columns: 'n' });
  insertRows(database, 'a', [[1, encodeGeometry(point), 1]]);
  database.exec('pragma journal_mode = wal; pragma wal_autocheckpoint = 0');
  insertRows(database, 'a', [[2, encodeGeometry(point), 2]]);
  const copies = mkdtempSync(join(folder, 'copies-'));
  for (const name of readdirSync(home)) copyFileSync(join(home, name), join(copies, name));
  database.close();
  const closed = await open(path);
  assert.equal((await readParts(closed.layers[0]!.parts)).length, 2);
  assert.deepEqual([closed.warnings, readdirSync(home)], [[], ['a.gpkg']]);
  rmSync(join(copies, 'a.gpkg-shm'));
  const left = await open(join(copies, 'a.gpkg'));
  assert.deepEqual(
    left.warnings.map(({ code }) => code),
    ['uncommittedChanges'],
  );
  assert.equal((await readParts(left.layers[0]!.parts)).length, 1);
  assert.deepEqual(readdirSync(copies), ['a.gpkg', 'a.gpkg-wal']);
});

test('a process that may only read the file reads it', () => {
  const path = newPath();
  const database = createGeoPackage(path);
  addLayer(database, { table: 'a', columns: 'n' });
  insertRows(database, 'a', [[1, encodeGeometry(point), 5]]);
  database.exec('pragma journal_mode = wal');
  database.close();
  const format = new URL('./format.ts', import.meta.url).href;
  const script = `const { geopackageFormat } = await import(${JSON.stringify(format)});
    const file = ${JSON.stringify(fileAt(path))};
    const { layers } = await geopackageFormat.open(file, { signal: new AbortController().signal, partBytes: 1e6 });
    await geopackageFormat.read(layers[0].parts[0], ({ properties }) => console.log(properties.n), { maxFeatureBytes: 1e6 });`;
  const root = new URL('../..', import.meta.url).pathname;
  const ran = spawnSync(
    process.execPath,
    [
      '--permission',
      `--allow-fs-read=${root}`,
      `--allow-fs-read=${path}`,
      '--input-type=module',
      '-e',
      script,
    ],
    { encoding: 'utf8' },
  );
  assert.equal(ran.stdout, '5\n', ran.stderr);
});

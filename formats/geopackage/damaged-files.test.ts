import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { test } from 'node:test';
import { SourceError } from '../source/source.ts';
import { mutate, type Geometry } from '../wkb/testing.ts';
import { isGeoPackage } from './is-geopackage.ts';
import { addLayer, createGeoPackage, encodeGeometry, insertRows, register } from './testing.ts';
import { cpuTime } from '../testing-cpu-time.ts';
import { makeTestFolder } from '../testing-folder.ts';
import { fails, type SeenFeature } from '../testing-parts.ts';
import { open, readParts, point } from './testing-reading.ts';

const { newPath } = makeTestFolder('.gpkg');

test('a geometry that cannot be read is a problem of its feature alone', async () => {
  const path = newPath();
  const database = createGeoPackage(path);
  addLayer(database, { table: 'a', columns: 'n' });
  const changed = (at: number, byte: number): Uint8Array => {
    const bytes = encodeGeometry(point);
    bytes[at] = byte;
    return bytes;
  };
  const cases: [unknown, RegExp | undefined][] = [
    [changed(3, 0x11), undefined],
    [changed(0, 0), /does not begin with GP/],
    [changed(2, 1), /version 1/],
    [changed(3, 0x21), /extended type/],
    [changed(3, 0x0b), /envelope/],
    [encodeGeometry(point).subarray(0, 5), /cut off/],
    [encodeGeometry(point).subarray(0, 25), /cut off/],
    ['POINT(1 2)', /not a blob/],
    [encodeGeometry(point), undefined],
  ];
  insertRows(
    database,
    'a',
    cases.map(([blob], i) => [i, blob as string, i]),
  );
  database.close();
  const seen = await readParts((await open(path)).layers[0]!.parts);
  for (const [i, [, problem]] of cases.entries()) {
    if (problem === undefined) assert.equal(seen[i]!.problem, undefined);
    else assert.match(seen[i]!.problem!, problem);
    assert.equal(seen[i]!.parts.length, i === 8 ? 1 : 0);
  }
});

test('databases that are not a GeoPackage with features are refused with a reason', async () => {
  for (const [sql, code, message] of [
    ['create table a (b)', 'notRecognised', /no table gpkg_contents$/],
    ['create table tiles (a); create table metadata (b)', 'notRecognised', /MBTiles/],
    ['create table geometry_columns (a)', 'notRecognised', /SpatiaLite/],
    ['create table gpkg_contents (a)', 'unsupported', /tiles or attributes/],
  ] as const) {
    const path = newPath();
    const database = new (await import('node:sqlite')).DatabaseSync(path);
    database.exec(sql);
    database.close();
    await fails(open(path), code, message);
  }
  const path = newPath();
  const database = createGeoPackage(path);
  register(database, 'gone');
  database.close();
  await fails(open(path), 'unsupported', /contains no table of features/);
  writeFileSync(path, readFileSync(path).subarray(0, 9000));
  await fails(open(path), 'truncatedFile', /9000 of \d+ bytes/);
  writeFileSync(path, 'SQLite format 3\0 and then something else altogether');
  await fails(open(path), 'brokenFile', /damaged/);
});

test('an endlessly recursive view and a row that is too large are refused', async () => {
  const path = newPath();
  const database = createGeoPackage(path);
  addLayer(database, { table: 'a', columns: 'n' });
  insertRows(database, 'a', [
    [1, encodeGeometry(point), 'x'],
    [2, null, 'y'.repeat(3_000_000)],
  ]);
  database.close();
  const { layers } = await open(path);
  const seen: SeenFeature[] = [];
  await fails(readParts(layers[0]!.parts, seen, 1e6), 'featureTooLarge', /too large/);
  assert.equal(seen.length, 1);
  const writer = new (await import('node:sqlite')).DatabaseSync(path);
  writer.exec(
    'create view v as with recursive r(geom) as (select 1 union all select geom + 1 from r) select * from r',
  );
  register(writer, 'v');
  writer.close();
  await fails(open(path), 'unsupported', /recursive/);
});

test('a damaged page ends the reading after the rows before it were delivered', async () => {
  const path = newPath();
  const database = createGeoPackage(path);
  addLayer(database, { table: 'a', columns: 'n' });
  insertRows(
    database,
    'a',
    Array.from({ length: 5000 }, (_, i) => [i + 1, encodeGeometry(point), 'x'.repeat(50)]),
  );
  database.close();
  const size = statSync(path).size;
  const descriptor = openSync(path, 'r+');
  writeSync(descriptor, Buffer.alloc(4096 * 3, 0xaa), 0, 4096 * 3, Math.floor(size / 8192) * 4096);
  closeSync(descriptor);
  const seen: SeenFeature[] = [];
  const { layers } = await open(path);
  assert.equal(layers[0]!.featureCount, undefined);
  await fails(readParts(layers[0]!.parts, seen), 'brokenFile', /damaged/);
  assert.ok(seen.length > 1000 && seen.length < 4500, `${seen.length}`);
});

test('the head of a GeoPackage is recognised', () => {
  const path = newPath();
  createGeoPackage(path).close();
  const head = readFileSync(path).subarray(0, 64);
  assert.ok(isGeoPackage(head));
  assert.ok(!isGeoPackage(head.subarray(0, 10)));
  assert.ok(!isGeoPackage(Buffer.from('SQLite format 2\0')));
});

test('200 mutated files are read or refused, and none takes 2 s or 256 MB', async () => {
  const path = newPath();
  const database = createGeoPackage(path);
  addLayer(database, { table: 'a', columns: 'n integer, t text, flag boolean' });
  const ring = Array.from({ length: 20 }, (_, i) => [Math.sin(i), Math.cos(i)]);
  const polygon: Geometry = { type: 'MultiPolygon', coordinates: [[ring, ring], [ring]] };
  insertRows(
    database,
    'a',
    Array.from({ length: 50 }, (_, i) => [i * 7, encodeGeometry(polygon, 1), i, `text ${i}`, i % 2]),
  );
  database.close();
  const whole = readFileSync(path);
  let refused = 0;
  let delivered = 0;
  const memory = process.resourceUsage().maxRSS;
  for (let seed = 0; seed < 200; seed++) {
    writeFileSync(path, mutate(whole, seed));
    const spentMs = cpuTime();
    try {
      const { layers } = await open(path, 5000);
      for (const { parts } of layers) delivered += (await readParts(parts)).length;
    } catch (error) {
      assert.ok(error instanceof SourceError, String((error as Error).stack));
      refused++;
    }
    assert.ok(spentMs() < 2000, `seed ${seed}`);
  }
  assert.ok(process.resourceUsage().maxRSS - memory < 256 * 1024, 'in kB');
  assert.ok(refused > 10 && delivered > 1000, `${refused} refused, ${delivered} delivered`);
});

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import type { FeaturePlace } from '../feature/feature.ts';
import { SourceError, type Source, type SourceFile, type SourcePart } from '../source/source.ts';
import { expectedParts, mutate, plainParts, type Geometry, type PlainPart } from '../wkb/testing.ts';
import { geopackageFormat } from './format.ts';
import { isGeoPackage } from './is-geopackage.ts';
import { addLayer, createGeoPackage, encodeGeometry, insertRows, register } from './testing.ts';
import { cpuTime } from '../testing-cpu-time.ts';

const folder = mkdtempSync(join(tmpdir(), 'geopackage-'));
after(() => rmSync(folder, { recursive: true }));
let files = 0;

function newPath(): string {
  return join(folder, `${files++}.gpkg`);
}

function fileAt(path: string): SourceFile {
  return { path, name: 'a.gpkg', size: statSync(path).size, related: {} };
}

interface Seen {
  readonly id: unknown;
  readonly properties: Record<string, unknown>;
  readonly problem: string | undefined;
  readonly parts: readonly PlainPart[];
  readonly place: FeaturePlace;
}

const open = (path: string, partBytes = 1e9): Promise<Source> =>
  geopackageFormat.open(fileAt(path), { signal: new AbortController().signal, partBytes });

async function readParts(
  parts: readonly SourcePart[],
  seen: Seen[] = [],
  maxFeatureBytes = 1e8,
): Promise<Seen[]> {
  for (const part of parts) {
    const before = seen.length;
    const count = await geopackageFormat.read(
      structuredClone(part),
      ({ id, properties, problem, geometry }, place) =>
        seen.push({ id, properties, problem, parts: plainParts(geometry), place: place() }),
      { maxFeatureBytes },
    );
    assert.equal(count, seen.length - before);
  }
  return seen;
}

const point: Geometry = { type: 'Point', coordinates: [1, 2] };
const fails = (promise: Promise<unknown>, code: string, message: RegExp): Promise<void> =>
  assert.rejects(promise, (error) => {
    assert.ok(error instanceof SourceError, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  });

test('what is stored is read: id, values by their types, geometry with any envelope', async () => {
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

test('all parts together are the whole, in order, wherever the numbers of the rows lie', async () => {
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

test('each layer says its CRS: a code, WKT, or nothing', async () => {
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

test('views and tables without numbers of rows are one part', async () => {
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

test('databases that are no GeoPackage of features are refused with a reason', async () => {
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

test('a view that recurs for ever is refused, and so is a row that is too large', async () => {
  const path = newPath();
  const database = createGeoPackage(path);
  addLayer(database, { table: 'a', columns: 'n' });
  insertRows(database, 'a', [
    [1, encodeGeometry(point), 'x'],
    [2, null, 'y'.repeat(3_000_000)],
  ]);
  database.close();
  const { layers } = await open(path);
  const seen: Seen[] = [];
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

test('a damaged page ends the reading, and what came before is delivered', async () => {
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
  const seen: Seen[] = [];
  const { layers } = await open(path);
  assert.equal(layers[0]!.featureCount, undefined);
  await fails(readParts(layers[0]!.parts, seen), 'brokenFile', /damaged/);
  assert.ok(seen.length > 1000 && seen.length < 4500, `${seen.length}`);
});

test('a database in WAL mode is read without a file made beside it; what a left -wal holds is a warning', async () => {
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

test('it is read by a process that may read the file and write nothing', () => {
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

test('its head is recognised', () => {
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

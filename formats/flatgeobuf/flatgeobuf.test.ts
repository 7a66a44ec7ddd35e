import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mock, test } from 'node:test';
import fc from 'fast-check';
import { geojson } from 'flatgeobuf';
import { createGeometryBuffer } from '../feature/geometry-buffer.ts';
import { readWkb } from '../wkb/read-wkb.ts';
import { encodeWkb, expectedParts, plainWkb, type Geometry } from '../wkb/testing.ts';
import { createFlatGeobufWriter } from './write-flatgeobuf.ts';
import { makeTestFolder } from '../testing-folder.ts';
import type { SeenFeature } from '../testing-parts.ts';
import { type PlainFeature, plainFeature, open, readParts, readAll, serialize, write } from './testing.ts';

const { folder, newPath } = makeTestFolder('.fgb');

// The reader of the npm package logs every node that it visits.
mock.method(console, 'debug', () => {});

async function deserialize(
  path: string,
  rect?: { minX: number; minY: number; maxX: number; maxY: number },
): Promise<PlainFeature[]> {
  // The package reads the buffer below the array, so that the array must have one of its own.
  const bytes = new Uint8Array(readFileSync(path));
  const found: PlainFeature[] = [];
  for await (const feature of geojson.deserialize(bytes, rect === undefined ? {} : { rect })) {
    found.push(feature as unknown as PlainFeature);
  }
  return found;
}

const number = fc.double({ min: -90, max: 90, noNaN: true });
const position = fc.tuple(number, number);
const line = fc.array(position, { minLength: 2, maxLength: 5 });
const rings = fc.array(line, { minLength: 1, maxLength: 3 });
const geometry: fc.Arbitrary<Geometry> = fc.oneof(
  position.map((coordinates) => ({ type: 'Point', coordinates })),
  line.map((coordinates) => ({ type: 'LineString', coordinates })),
  line.map((coordinates) => ({ type: 'MultiPoint', coordinates })),
  rings.map((coordinates) => ({ type: 'Polygon', coordinates })),
  rings.map((coordinates) => ({ type: 'MultiLineString', coordinates })),
  fc
    .array(rings, { minLength: 1, maxLength: 3 })
    .map((coordinates) => ({ type: 'MultiPolygon', coordinates })),
);
/** A property has the same type in all features, because the npm package requires it. */
const properties = fc.record(
  {
    text: fc.string({ unit: 'grapheme' }),
    number: fc.double({ noNaN: true, noDefaultInfinity: true }),
    truth: fc.boolean(),
    json: fc.dictionary(fc.constantFrom('a', 'b'), fc.integer(), { noNullPrototype: true }),
  },
  { noNullPrototype: true },
);
const features = fc.array(
  fc.tuple(geometry, properties).map(([a, b]) => plainFeature(a, b)),
  {
    minLength: 1,
    maxLength: 40,
  },
);
const expected = ({ geometry: plain, properties: values }: PlainFeature) => ({
  parts: expectedParts(plain),
  properties: values,
});
const content = ({ parts, properties: values }: SeenFeature) => ({ parts, properties: values });

test('a file that the npm package wrote is read, in parts or at once', async () => {
  await fc.assert(
    fc.asyncProperty(features, fc.integer({ min: 50, max: 2000 }), async (given, partBytes) => {
      const path = newPath();
      writeFileSync(path, serialize(given));
      const { layers } = await open(path, partBytes);
      const [layer] = layers;
      assert.equal(layer!.crs, 'EPSG:4326');
      assert.equal(layer!.featureCount, given.length);
      const seen = await readParts(layer!.parts);
      assert.deepEqual(seen.map(content), given.map(expected));
      assert.deepEqual(
        seen.map(({ place }) => place.feature),
        given.map((_, i) => i + 1),
      );
      assert.ok(seen.every(({ problem }) => problem === undefined));
    }),
    { numRuns: 60 },
  );
});

/** Makes lists of features comparable whose order does not matter. */
const sorted = (values: readonly unknown[]): string[] =>
  values.map((value) => JSON.stringify(value)).toSorted();

test('a written file is read back by this reader, in parts or at once, and by the npm package', async () => {
  await fc.assert(
    fc.asyncProperty(features, fc.integer({ min: 50, max: 2000 }), async (given, partBytes) => {
      const path = newPath();
      const summary = await write(given, path, 'A title');
      assert.equal(summary.featureCount, given.length);
      const { layers, warnings } = await open(path, partBytes);
      assert.deepEqual(warnings, []);
      assert.deepEqual(
        [layers[0]!.bbox, layers[0]!.crs, layers[0]!.name],
        [summary.bbox, 'EPSG:4326', 'layer'],
      );
      const seen = await readParts(layers[0]!.parts);
      assert.deepEqual(sorted(seen.map(content)), sorted(given.map(expected)));
      assert.deepEqual(
        seen.map(({ place }) => place.feature),
        given.map((_, i) => i + 1),
      );
      const theirs = await deserialize(path);
      assert.deepEqual(sorted(theirs.map(expected)), sorted(given.map(expected)));
    }),
    { numRuns: 60 },
  );
});

const boxOf = (value: unknown): [number, number, number, number] => {
  const numbers = (value as number[]).flat(9) as number[];
  const even = numbers.filter((_, i) => i % 2 === 0);
  const odd = numbers.filter((_, i) => i % 2 === 1);
  return [Math.min(...even), Math.min(...odd), Math.max(...even), Math.max(...odd)];
};

test('the npm package finds exactly the features in a rectangle by the index', async () => {
  let found = 0;
  for (const count of [1, 2, 16, 17, 256, 257, 3000]) {
    let state = count;
    const random = (): number => (state = (state * 16807) % 2147483647) / 2147483647;
    const given = Array.from({ length: count }, (_, id) => {
      const [x, y] = [random() * 300 - 150, random() * 160 - 80];
      const end = [x + random() * 5, y + random() * 5];
      return plainFeature({ type: 'LineString', coordinates: [[x, y], end] }, { id });
    });
    const path = newPath();
    await write(given, path);
    for (let query = 0; query < 20; query++) {
      const [minX, minY] = [random() * 300 - 150, random() * 160 - 80];
      const [maxX, maxY] = [minX + random() * 60, minY + random() * 60];
      const inside = given.filter(({ geometry: { coordinates } }) => {
        const [west, south, east, north] = boxOf(coordinates);
        return west <= maxX && south <= maxY && east >= minX && north >= minY;
      });
      const theirs = await deserialize(path, { minX, minY, maxX, maxY });
      const ids = (list: readonly PlainFeature[]) =>
        list.map(({ properties: { id } }) => Number(id)).toSorted((a, b) => a - b);
      assert.deepEqual(ids(theirs), ids(inside));
      found += inside.length;
    }
  }
  assert.ok(found > 500, `${found}`);
});

test('columns get the narrowest type that holds all their values', async () => {
  const path = newPath();
  const rows: Record<string, unknown>[] = [
    { int: 1, long: 1, double: 1, truth: true, mixed: 1, any: 'text', nothing: null, __proto: 'x' },
    {
      int: -(2 ** 31),
      long: 2 ** 40,
      double: 0.5,
      truth: false,
      mixed: 'two',
      any: { a: [1] },
      nothing: undefined,
    },
    { mixed: true, any: 1 / 3, late: 'é' },
    { any: false },
  ];
  await write(
    rows.map((row) => plainFeature({ type: 'Point', coordinates: [1, 2] }, row)),
    path,
  );
  const [layer] = (await open(path)).layers;
  assert.equal(
    layer!.fields!.map(({ name, type }) => `${name} ${type}`).join(', '),
    'int integer, long integer, double number, truth boolean, mixed string, any json, nothing string, ' +
      '__proto string, late string',
  );
  const values = (await readParts(layer!.parts)).map(({ properties: read }) => read);
  assert.deepEqual(values, [
    { int: 1, long: 1, double: 1, truth: true, mixed: '1', any: 'text', __proto: 'x' },
    { int: -(2 ** 31), long: 2 ** 40, double: 0.5, truth: false, mixed: 'two', any: { a: [1] } },
    { mixed: 'true', any: 1 / 3, late: 'é' },
    { any: false },
  ]);
});

test('parts of one kind become a multi-geometry, mixed parts a collection, and empty geometries are not written', async () => {
  const path = newPath();
  const point: Geometry = { type: 'Point', coordinates: [1, 2] };
  const track: Geometry = {
    type: 'LineString',
    coordinates: [
      [3, 4],
      [5, 6],
    ],
  };
  const summary = await write(
    [
      plainFeature({
        type: 'GeometryCollection',
        geometries: [point, { type: 'MultiPoint', coordinates: [[7, 8]] }],
      }),
      plainFeature({ type: 'GeometryCollection', geometries: [track, point] }),
      plainFeature({ type: 'GeometryCollection', geometries: [] }),
    ],
    path,
  );
  assert.deepEqual([summary.featureCount, summary.bbox], [2, [1, 2, 7, 8]]);
  const parts = (await readAll(path)).map((feature) => feature.parts);
  assert.deepEqual(
    sorted(parts),
    sorted([
      [
        [
          'MultiPoint',
          [
            [
              [
                [1, 2],
                [7, 8],
              ],
            ],
          ],
        ],
      ],
      [...expectedParts(track), ...expectedParts(point)],
    ]),
  );
  const writer = createFlatGeobufWriter({ scratchFolder: folder, name: 'x' });
  const bad = createGeometryBuffer();
  readWkb(encodeWkb(point, plainWkb), 0, bad);
  bad.coordinates[0] = Number.NaN;
  assert.equal(writer.add({ geometry: bad, properties: {} }), false);
  const empty = newPath();
  assert.deepEqual(await writer.finish(empty), { featureCount: 0, bbox: undefined, tooManyColumns: false });
  assert.deepEqual(await readAll(empty), []);
  createFlatGeobufWriter({ scratchFolder: folder, name: 'x' }).discard();
  assert.deepEqual(
    readdirSync(folder).filter((name) => !name.endsWith('.fgb')),
    [],
  );
});

test('attributes beyond the maximum number of columns are omitted, and the summary says so', async () => {
  const path = newPath();
  const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, i]));
  const summary = await write([plainFeature({ type: 'Point', coordinates: [1, 2] }, many)], path);
  assert.equal(summary.tooManyColumns, true);
  const [seen] = await readAll(path);
  assert.equal(Object.keys(seen!.properties).length, 65_535);
});

const ogrinfo = 'ogrinfo';

test(
  'GDAL reads a written file',
  { skip: spawnSync(ogrinfo, ['--version']).error && 'ogrinfo is not installed' },
  async () => {
    const path = newPath();
    await write(
      Array.from({ length: 40 }, (_, i) => plainFeature({ type: 'Point', coordinates: [i, i] }, { i })),
      path,
    );
    const { stdout } = spawnSync(ogrinfo, ['-so', '-al', path], { encoding: 'utf8' });
    assert.match(stdout, /Feature Count: 40/);
    assert.match(stdout, /Extent: \(0\.0+, 0\.0+\) - \(39\.0+, 39\.0+\)/);
  },
);

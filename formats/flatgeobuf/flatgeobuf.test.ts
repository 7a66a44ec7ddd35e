import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, mock, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { geojson } from 'flatgeobuf';
import type { FeaturePlace } from '../feature/feature.ts';
import { createGeometryBuffer } from '../feature/geometry-buffer.ts';
import { SourceError, type Source, type SourceFile, type SourcePart } from '../source/source.ts';
import { readWkb } from '../wkb/read-wkb.ts';
import {
  encodeWkb,
  expectedParts,
  mutate,
  plainParts,
  type Geometry,
  type PlainPart,
} from '../wkb/testing.ts';
import { rootTable } from './flat-table.ts';
import { createFlatWriter, endBuffer, startBuffer, startVector, writeTable } from './flat-writer.ts';
import { flatgeobufFormat } from './format.ts';
import { isFlatGeobuf } from './is-flatgeobuf.ts';
import { readGeometry } from './read-geometry.ts';
import { createFlatGeobufWriter, type FlatGeobufSummary } from './write-flatgeobuf.ts';
import { cpuTime } from '../testing-cpu-time.ts';

// The reader of the npm package tells every node it visits.
mock.method(console, 'debug', () => {});

const folder = mkdtempSync(join(tmpdir(), 'flatgeobuf-'));
after(() => rmSync(folder, { recursive: true }));
let files = 0;
const newPath = (): string => join(folder, `${files++}.fgb`);

interface PlainFeature {
  readonly type: 'Feature';
  readonly geometry: Geometry;
  readonly properties: Record<string, unknown>;
}
const plainFeature = (geometry: Geometry, properties: Record<string, unknown> = {}): PlainFeature => ({
  type: 'Feature',
  geometry,
  properties,
});

interface Seen {
  readonly properties: Record<string, unknown>;
  readonly problem: string | undefined;
  readonly parts: readonly PlainPart[];
  readonly place: FeaturePlace;
}

function fileAt(path: string): SourceFile {
  return { path, name: 'a.fgb', size: statSync(path).size, related: {} };
}
const open = (path: string, partBytes = 1e9): Promise<Source> =>
  flatgeobufFormat.open(fileAt(path), { signal: new AbortController().signal, partBytes });

async function readParts(
  parts: readonly SourcePart[],
  seen: Seen[] = [],
  maxFeatureBytes = 1e8,
): Promise<Seen[]> {
  for (const part of parts) {
    const before = seen.length;
    const count = await flatgeobufFormat.read(
      structuredClone(part),
      ({ properties, problem, geometry }, place) =>
        seen.push({ properties, problem, parts: plainParts(geometry), place: place() }),
      { maxFeatureBytes },
    );
    assert.equal(count, seen.length - before);
  }
  return seen;
}
const readAll = async (path: string, partBytes?: number): Promise<Seen[]> =>
  readParts((await open(path, partBytes)).layers[0]!.parts);

const plainWkb = { extended: false, z: false, m: false, srid: false, orders: [true] };

/** By the npm package. */
function serialize(features: readonly PlainFeature[]): Uint8Array {
  return geojson.serialize({ type: 'FeatureCollection', features } as never, 4326);
}

/** By our own writer. */
async function write(
  features: readonly PlainFeature[],
  path: string,
  title?: string,
): Promise<FlatGeobufSummary> {
  const writer = createFlatGeobufWriter({ scratchFolder: folder, name: 'layer', ...(title && { title }) });
  const geometry = createGeometryBuffer();
  for (const { geometry: plain, properties } of features) {
    assert.equal(readWkb(encodeWkb(plain, plainWkb), 0, geometry), undefined);
    writer.add({ geometry, properties });
  }
  return writer.finish(path);
}

async function deserialize(
  path: string,
  rect?: { minX: number; minY: number; maxX: number; maxY: number },
): Promise<PlainFeature[]> {
  // A copy of its own: the package looks at the buffer below the array.
  const bytes = new Uint8Array(readFileSync(path));
  const found: PlainFeature[] = [];
  for await (const feature of geojson.deserialize(bytes, rect === undefined ? {} : { rect })) {
    found.push(feature as unknown as PlainFeature);
  }
  return found;
}

const fails = (promise: Promise<unknown>, code: string, message: RegExp): Promise<void> =>
  assert.rejects(promise, (error) => {
    assert.ok(error instanceof SourceError, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  });

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
/** Of every property the same type in all features, which the npm package needs. */
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
const content = ({ parts, properties: values }: Seen) => ({ parts, properties: values });

test('what the npm package writes is read, in parts or at once', async () => {
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

/** Features in an order that does not matter. */
const sorted = (values: readonly unknown[]): string[] =>
  values.map((value) => JSON.stringify(value)).toSorted();

test('what is written is read back by this reader, in parts or at once, and by the npm package', async () => {
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

test('a search of the npm package by its index finds exactly what lies in the rectangle', async () => {
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

test('parts of one kind become one multi-geometry, others a collection; nothing is written of nothing', async () => {
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

test('more names of attributes than can be numbered are left out, and it is said', async () => {
  const path = newPath();
  const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, i]));
  const summary = await write([plainFeature({ type: 'Point', coordinates: [1, 2] }, many)], path);
  assert.equal(summary.tooManyColumns, true);
  const [seen] = await readAll(path);
  assert.equal(Object.keys(seen!.properties).length, 65_535);
});

/** Written by GDAL 3.12.4 of our own geometries, those of `curves`; gzip, base64. */
const curvesByGdal =
  'H4sIAAAAAAACA0tLT2JOS09inMPAwKDAAAESQBYHAw8DAggwiDCwAcUhwAOIZcCiDAzcSKoYgdgBiFkYcAEBB2QapD6HgQ9oDgcD' +
  'O1icB8gDA1YOJDPzgLgELMsAdhcLkATJq0DtYoObLwRVAwPsQBEw4EBVhw4+2KPSDA4wmTtQfzKg2a2BYjcjmBRBCTOQ7RxAMTDg' +
  'BKllAuIAqL5T////BwmxoIaXAwNeQH3/mTBihqsIit+YwOQSiHu5YP5IgKqJgoij2f/AftZMEDgJtxfCv2mPTX4ohlsJwXBjBpNP' +
  'IO7lZoGJAPUtAecx4vxtATXTi0R/V2GNF+L9twvJPnL00yrcWZgIhTskdK78A7ufBxaOB6BhDnKTAErpBncT8wSobgGC5Rf28gwL' +
  'cED1BwcOPoMDNvVMUPdwjOY/jHSwhRF7uYyaFlgh9RXEzeywPBjDCKnDQPxD/yhL57jiRYpO8QIrH7pIjJddFJYPBOKVkQVec6Dq' +
  'byFYj7PhM1eQBUWc/PyJq15HdQs7vvJCgAblBUX6kcsLHkZi2i0chNot/LB4LIDqWwVJN8zUigcC6Yhq9oQQTHecZKXnFILmcuEz' +
  'Fz2/4sx/AOD7VFyoCwAA';
const ring = [
  [0, 0],
  [4, 0],
  [4, 4],
  [0, 0],
];
const arcs: Geometry = {
  type: 'CircularString',
  coordinates: [
    [0, 0],
    [1, 1],
    [2, 0],
  ],
};
const bent: Geometry = {
  type: 'LineString',
  coordinates: [
    [0, 0],
    [1, 1],
    [2, 0],
  ],
};
const compound: Geometry = {
  type: 'CompoundCurve',
  geometries: [
    arcs,
    {
      type: 'LineString',
      coordinates: [
        [2, 0],
        [0, 0],
      ],
    },
  ],
};
const circle: Geometry = {
  type: 'CircularString',
  coordinates: [
    [0.5, 0.2],
    [1, 0.4],
    [0.5, 0.2],
  ],
};
const curved: Geometry = { type: 'CurvePolygon', geometries: [compound, circle] };
const holed: Geometry = {
  type: 'Polygon',
  coordinates: [
    ring,
    [
      [2, 1],
      [3, 1],
      [3, 2],
      [2, 1],
    ],
  ],
};
const curves: readonly Geometry[] = [
  arcs,
  compound,
  curved,
  { type: 'MultiCurve', geometries: [arcs, bent, compound] },
  { type: 'MultiSurface', geometries: [curved, holed] },
  { type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [1, 2] }, curved, bent] },
  { type: 'Triangle', coordinates: [ring] },
  { type: 'TIN', coordinates: [[ring], [ring]] },
  { type: 'PolyhedralSurface', coordinates: [[ring], [ring]] },
  { type: 'Point', coordinates: [1, 2] },
  {
    type: 'LineString',
    coordinates: [
      [0, 0],
      [1, 1],
    ],
  },
];

test('curves, surfaces and heights that GDAL wrote become what WKB makes of them', async () => {
  const path = newPath();
  writeFileSync(path, gunzipSync(Buffer.from(curvesByGdal, 'base64')));
  const { layers } = await open(path);
  assert.deepEqual([layers[0]!.crs, layers[0]!.featureCount], [undefined, 11]);
  const seen = await readParts(layers[0]!.parts);
  const geometryOf = createGeometryBuffer();
  for (const [i, plain] of curves.entries()) {
    assert.equal(readWkb(encodeWkb(plain, plainWkb), 0, geometryOf), undefined);
    assert.deepEqual(seen[i], {
      properties: { n: i },
      problem: undefined,
      parts: plainParts(geometryOf),
      place: { feature: i + 1, byte: seen[i]!.place.byte },
    });
  }
});

test('collections that share their parts, so that a few bytes would be 2^60 geometries, are a problem', () => {
  const writer = createFlatWriter();
  startBuffer(writer);
  let links = [4];
  for (let depth = 60; depth >= 0; depth--) {
    const fields = writeTable(writer, links[0]!, [0, 0, 0, 0, 0, 0, 1, depth === 0 ? 0 : 4]);
    const { view } = writer;
    const table = links[0]! + view.getUint32(links[0]!, true);
    for (const link of links) view.setUint32(link, table - link, true);
    writer.bytes[fields[6]!] = 7;
    if (depth === 0) break;
    startVector(writer, fields[7]!, { count: 2, size: 4 });
    links = [writer.at, writer.at + 4];
    writer.at += 8;
  }
  const bytes = endBuffer(writer);
  const flat = { bytes, view: writer.view, start: 4, end: bytes.length };
  assert.throws(
    () => readGeometry(flat, rootTable(flat), 7, createGeometryBuffer()),
    /same bytes repeatedly/,
  );
});

test('files that are cut off, of another version or too large say so', async () => {
  const path = newPath();
  const track = (size: number): PlainFeature =>
    plainFeature(
      { type: 'LineString', coordinates: Array.from({ length: size }, (_, i) => [i % 90, 1]) },
      { a: 'b' },
    );
  const small = Array.from({ length: 100 }, () => track(10));
  await write([...small, track(1000)], path);
  const whole = readFileSync(path);
  await fails(readParts((await open(path)).layers[0]!.parts, [], 5000), 'featureTooLarge', /has \d+ bytes/);
  writeFileSync(path, serialize(small));
  const plain = readFileSync(path);
  const oneFeature = (plain.length - 12 - plain.readUInt32LE(8)) / small.length;
  for (const [bytes, code, message] of [
    [whole.subarray(0, 10), 'truncatedFile', /before its header/],
    [whole.subarray(0, 40), 'truncatedFile', /ends in its header/],
    [whole.subarray(0, 1000), 'truncatedFile', /does not fit/],
    [plain.subarray(0, -50), 'truncatedFile', /middle of a feature/],
    [plain.subarray(0, -oneFeature), 'truncatedFile', /ends after 99 features/],
    [Buffer.concat([Buffer.of(0x66, 0x67, 0x62, 2), whole.subarray(4)]), 'unsupported', /version 2/],
    [Buffer.from('{"type": "FeatureCollection"}'), 'notRecognised', /not a FlatGeobuf/],
  ] as const) {
    writeFileSync(path, bytes);
    await fails(readAll(path), code, message);
  }
  writeFileSync(path, whole.subarray(0, -50));
  const seen: Seen[] = [];
  await fails(readParts((await open(path)).layers[0]!.parts, seen), 'truncatedFile', /middle of a feature/);
  assert.ok(seen.length > 90, 'what came before is delivered');
});

test('an index that contradicts the file is not used, and it is said', async () => {
  const path = newPath();
  await write(
    Array.from({ length: 20 }, (_, i) => plainFeature({ type: 'Point', coordinates: [i, i] }, { i })),
    path,
  );
  const bytes = readFileSync(path);
  const leaves = 12 + bytes.readUInt32LE(8) + 3 * 40;
  for (let leaf = 0; leaf < 20; leaf++) bytes.writeBigUInt64LE(999n, leaves + leaf * 40 + 32);
  writeFileSync(path, bytes);
  const source = await open(path, 100);
  assert.deepEqual(
    source.warnings.map(({ code }) => code),
    ['brokenIndex'],
  );
  assert.equal((await readParts(source.layers[0]!.parts)).length, 20);
});

test('its head is recognised', () => {
  const bytes = serialize([plainFeature({ type: 'Point', coordinates: [1, 2] }, { a: 1 })]);
  assert.ok(isFlatGeobuf(bytes));
  assert.ok(!isFlatGeobuf(bytes.subarray(0, 7)));
  assert.ok(!isFlatGeobuf(Buffer.from('fgb is no format')));
});

test('400 mutated files are read or refused, and none takes 2 s or 256 MB', async () => {
  const around = Array.from({ length: 20 }, (_, i) => [Math.sin(i), Math.cos(i)]);
  const given = Array.from({ length: 50 }, (_, i) =>
    plainFeature(
      i % 2 === 0
        ? { type: 'MultiPolygon', coordinates: [[around, around], [around]] }
        : { type: 'Polygon', coordinates: [around, around] },
      { text: `text ${i}`, number: i, truth: i % 3 === 0, json: { i } },
    ),
  );
  const path = newPath();
  await write(given, path);
  let refused = 0;
  let delivered = 0;
  let problems = 0;
  const memory = process.resourceUsage().maxRSS;
  for (const whole of [serialize(given), readFileSync(path)]) {
    for (let seed = 0; seed < 200; seed++) {
      writeFileSync(path, mutate(whole, seed));
      const spentMs = cpuTime();
      try {
        const seen = await readAll(path, 5000);
        delivered += seen.length;
        problems += seen.filter(({ problem }) => problem !== undefined).length;
      } catch (error) {
        assert.ok(error instanceof SourceError, String((error as Error).stack));
        refused++;
      }
      assert.ok(spentMs() < 2000, `seed ${seed}`);
    }
  }
  assert.ok(process.resourceUsage().maxRSS - memory < 256 * 1024, 'in kB');
  assert.ok(refused > 10 && delivered > 1000 && problems > 10, `${refused} ${delivered} ${problems}`);
});

const ogrinfo = 'ogrinfo';

test(
  'GDAL reads what is written',
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

import assert from 'node:assert/strict';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import type { FeaturePlace } from '../feature/feature.ts';
import { SourceError, type Source } from '../source/source.ts';
import { mutate, plainParts, type PlainPart } from '../wkb/testing.ts';
import { assignRings } from './assign-rings.ts';
import { shapefileFormat } from './format.ts';
import { encodeDbf, encodeShp, writeParts, type Shape, type Table } from './testing.ts';
import { cpuTime } from '../testing-cpu-time.ts';

let folder: string;
let count = 0;
const signal = new AbortController().signal;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-shapefile-'));
});
after(() => rm(folder, { recursive: true }));

interface Seen {
  readonly parts: PlainPart[];
  readonly properties: Record<string, unknown>;
  readonly problem: string | undefined;
  readonly place: FeaturePlace;
}

async function read(
  parts: Readonly<Record<string, Uint8Array | string>>,
  { partBytes = 1e6, encoding }: { partBytes?: number; encoding?: string } = {},
): Promise<Source & { seen: Seen[] }> {
  const { shp, ...related } = await writeParts(join(folder, `given-${++count}`), parts);
  const { size } = await stat(shp!);
  const file = { path: shp!, name: 'given.shp', size, related, ...(encoding !== undefined && { encoding }) };
  const source = await shapefileFormat.open(file, { signal, partBytes });
  const seen: Seen[] = [];
  for (const part of structuredClone(source.layers[0]!.parts)) {
    let last = 0;
    const visited = await shapefileFormat.read(
      part,
      ({ geometry, properties, problem }, place) => {
        last++;
        seen.push({ parts: plainParts(geometry), properties: { ...properties }, problem, place: place() });
      },
      { maxFeatureBytes: 1e7 },
    );
    assert.equal(visited, last);
  }
  return { ...source, seen };
}

const geometries = async (shapes: readonly Shape[]): Promise<PlainPart[][]> =>
  (await read({ shp: encodeShp(shapes).shp })).seen.map(({ parts, problem }) => {
    assert.equal(problem, undefined);
    return parts;
  });

/** A closed square, clockwise as outer rings are. */
const square = (x: number, y: number, side: number): number[][] => [
  [x, y],
  [x, y + side],
  [x + side, y + side],
  [x + side, y],
  [x, y],
];
const hole = (x: number, y: number, side: number): number[][] => square(x, y, side).toReversed();

const double = fc.double({ noNaN: true, noDefaultInfinity: true });
const position = fc.tuple(double, double).map(([x, y]) => [x, y]);
const line = fc.array(position, { minLength: 1, maxLength: 5 });
const lines = fc.array(line, { minLength: 1, maxLength: 3 });
const dimension = fc.constantFrom(0, 10, 20);
const anyShape = fc.oneof(
  fc.constant([{ type: 0 }, []] as const),
  fc
    .tuple(dimension, position)
    .map(([d, p]) => [{ type: 1 + d, points: [p] }, [['Point', [[[p]]]]]] as const),
  fc
    .tuple(dimension, line)
    .map(([d, ps]) => [{ type: 8 + d, points: ps }, [['MultiPoint', [[ps]]]]] as const),
  fc
    .tuple(dimension, lines)
    .map(
      ([d, parts]) =>
        [{ type: 3 + d, parts }, [[parts.length > 1 ? 'MultiLineString' : 'LineString', [parts]]]] as const,
    ),
  fc
    .tuple(dimension, line)
    .map(([d, ring]) => [{ type: 5 + d, parts: [ring] }, [['Polygon', [[ring]]]]] as const),
);

test('what is encoded is read back, with and without the index, whole and in parts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyShape, { maxLength: 12 }),
      fc.constantFrom('none', 'right', 'gaps', 'short', 'rubbish'),
      fc.constantFrom(1, 300, 1e6),
      async (shapes, index, partBytes) => {
        const { shp, shx } = encodeShp(
          shapes.map(([shape]) => shape),
          index === 'gaps' ? 6 : 0,
        );
        const indexes: Record<string, Buffer> = {
          right: shx,
          gaps: shx,
          short: shx.subarray(0, Math.max(100, shx.length - 8)),
          rubbish: Buffer.concat([shx.subarray(0, 100), Buffer.alloc(shx.length - 100, 0x33)]),
        };
        const given = index === 'none' ? { shp } : { shp, shx: indexes[index]! };
        const { seen, layers } = await read(given, { partBytes });
        assert.equal(layers[0]!.featureCount, shapes.length);
        assert.deepEqual(
          seen.map(({ parts }) => parts),
          shapes.map(([, parts]) => parts),
        );
        assert.deepEqual(
          seen.map(({ place }) => place.row),
          shapes.map((_, i) => i + 1),
        );
        if (partBytes === 1) assert.equal(layers[0]!.parts.length, shapes.length);
      },
    ),
    { numRuns: 200 },
  );
});

test('holes find their outer ring, whatever the order of the rings', async () => {
  const outer = square(0, 0, 100);
  const lake = hole(10, 10, 50);
  const island = square(20, 20, 20);
  const pond = hole(25, 25, 5);
  const other = square(200, 0, 10);
  const touching = hole(0, 60, 40);
  const expected = new Set([
    JSON.stringify([outer, lake, touching]),
    JSON.stringify([island, pond]),
    JSON.stringify([other]),
  ]);
  for (const rings of [
    [outer, lake, touching, island, pond, other],
    [pond, lake, touching, other, island, outer],
    [other, pond, island, lake, outer, touching],
  ]) {
    const [[[type, polygons]]] = (await geometries([{ type: 5, parts: rings }])) as [[PlainPart]];
    assert.equal(type, 'MultiPolygon');
    assert.deepEqual(new Set(polygons.map((polygon) => JSON.stringify(polygon))), expected);
  }
});

test('a hole in no outer ring is one itself, and rings that all turn the wrong way are taken as meant', async () => {
  const lost = hole(500, 500, 10);
  assert.deepEqual(await geometries([{ type: 5, parts: [square(0, 0, 10), lost] }]), [
    [['MultiPolygon', [[square(0, 0, 10)], [lost]]]],
  ]);
  // In the box of the outer ring, not in the ring.
  const corner = [
    [0, 0],
    [0, 100],
    [100, 100],
    [0, 0],
  ];
  assert.deepEqual(await geometries([{ type: 5, parts: [corner, hole(80, 10, 5)] }]), [
    [['MultiPolygon', [[corner], [hole(80, 10, 5)]]]],
  ]);
  assert.deepEqual(await geometries([{ type: 5, parts: [hole(0, 0, 10)] }]), [
    [['Polygon', [[hole(0, 0, 10)]]]],
  ]);
  assert.deepEqual(await geometries([{ type: 5, parts: [hole(0, 0, 10), square(2, 2, 3)] }]), [
    [['Polygon', [[hole(0, 0, 10), square(2, 2, 3)]]]],
  ]);
});

test('10,000 rings are assigned within 0.2 s, and 60,000 that are entangled are refused', async () => {
  const parts: number[][][] = [];
  for (let x = 0; x < 100; x++)
    for (let y = 0; y < 50; y++) parts.push(square(x * 10, y * 10, 9), hole(x * 10 + 1, y * 10 + 1, 5));
  parts.sort(
    (a, b) =>
      ((a[1]![0]! * 7919 + a[1]![1]! * 104729) % 997) - ((b[1]![0]! * 7919 + b[1]![1]! * 104729) % 997),
  );
  const [[[, polygons]]] = (await geometries([{ type: 5, parts }])) as [[PlainPart]];
  assert.equal(polygons.length, 5000);
  assert.ok(polygons.every((rings) => rings.length === 2));
  const coordinates = Float64Array.from(parts.flat(2));
  const before = process.cpuUsage();
  assignRings(
    coordinates,
    parts.map((_, i) => (i + 1) * 5),
  );
  const { user } = process.cpuUsage(before);
  assert.ok(user < 200_000, `${user} µs`);

  const nested = Array.from({ length: 60_000 }, (_, i) =>
    (i % 2 === 0 ? square : hole)(i / 2, i / 2, 100_000 - i),
  );
  const refusing = process.cpuUsage();
  const { seen } = await read({ shp: encodeShp([{ type: 5, parts: nested }, { type: 0 }]).shp });
  assert.match(seen[0]!.problem!, /overlap so much/);
  assert.equal(seen[1]!.problem, undefined);
  const cpu = process.cpuUsage(refusing).user;
  assert.ok(cpu < 2e6, `${cpu} µs`);
});

test('a MultiPatch is its triangles and rings from above', async () => {
  const strip = [
    [0, 0],
    [1, 0],
    [0, 1],
    [1, 1],
  ];
  const [[[type, polygons]]] = (await geometries([
    {
      type: 31,
      parts: [strip, strip, square(10, 0, 5), hole(11, 1, 2), square(20, 0, 5), square(21, 1, 1)],
      partTypes: [0, 1, 2, 3, 4, 5],
    },
  ])) as [[PlainPart]];
  assert.equal(type, 'MultiPolygon');
  assert.deepEqual(polygons, [
    [
      [
        [0, 0],
        [1, 0],
        [0, 1],
        [0, 0],
      ],
    ],
    [
      [
        [1, 0],
        [0, 1],
        [1, 1],
        [1, 0],
      ],
    ],
    [
      [
        [0, 0],
        [1, 0],
        [0, 1],
        [0, 0],
      ],
    ],
    [
      [
        [0, 0],
        [0, 1],
        [1, 1],
        [0, 0],
      ],
    ],
    [square(10, 0, 5), hole(11, 1, 2)],
    [square(20, 0, 5), square(21, 1, 1)],
  ]);
});

const point = (x: number): Shape => ({ type: 1, points: [[x, 0]] });
const points = (length: number): Shape[] => Array.from({ length }, (_, i) => point(i));

async function table(
  dbf: Table,
  more: Record<string, string> = {},
  encoding?: string,
): Promise<Record<string, unknown>[]> {
  const { seen } = await read(
    { shp: encodeShp(points(dbf.rows.length)).shp, dbf: encodeDbf(dbf), ...more },
    encoding === undefined ? {} : { encoding },
  );
  return seen.map(({ properties }) => properties);
}

test('every type of column is read, and stars and blanks are nothing', async () => {
  const bytes = (size: number, write: (buffer: Buffer) => void): Buffer => {
    const buffer = Buffer.alloc(size);
    write(buffer);
    return buffer;
  };
  const fields = [
    { name: 'text', type: 'C', length: 10 },
    { name: 'whole', type: 'N', length: 18 },
    { name: 'real', type: 'N', length: 12, decimals: 3 },
    { name: 'float', type: 'F', length: 20 },
    { name: 'yes', type: 'L', length: 1 },
    { name: 'day', type: 'D', length: 8 },
    { name: 'int', type: 'I', length: 4 },
    { name: 'double', type: 'O', length: 8 },
    { name: 'time', type: '@', length: 8 },
    { name: 'when', type: 'T', length: 8 },
    { name: '__proto__', type: 'C', length: 3 },
    { name: 'memo', type: 'M', length: 10 },
  ];
  const time = bytes(8, (buffer) => {
    buffer.writeInt32LE(2_440_588 + 1, 0);
    buffer.writeInt32LE(3_600_000, 4);
  });
  const rows = [
    [
      ' a b',
      '        1234567890',
      '     -12.125',
      '1.5e3',
      'T',
      '20240229',
      bytes(4, (b) => b.writeInt32LE(-5)),
      bytes(8, (b) => b.writeDoubleLE(2.5)),
      time,
      time,
      'x',
      '1',
    ],
    [
      '',
      '******************',
      '',
      '1,5',
      '?',
      '        ',
      bytes(4, () => {}),
      bytes(8, (b) => b.writeDoubleLE(NaN)),
      bytes(8, () => {}),
      bytes(8, () => {}),
      '',
      '',
    ],
    [
      'x\0y',
      '123456789012345678',
      'nan',
      '',
      'n',
      '00000000',
      bytes(4, () => {}),
      bytes(8, () => {}),
      bytes(8, () => {}),
      bytes(8, () => {}),
      '',
      '',
    ],
  ];
  const [first, second, third] = await table({ fields, rows });
  assert.deepEqual(
    Object.entries(first!),
    Object.entries(
      JSON.parse(
        '{"text":" a b","whole":1234567890,"real":-12.125,"float":1500,"yes":true,"day":"2024-02-29","int":-5,' +
          '"double":2.5,"time":"1970-01-02T01:00:00.000Z","when":"1970-01-02T01:00:00.000Z","__proto__":"x","memo":null}',
      ) as object,
    ),
  );
  const { int, float, double: nan, ...nothing } = second!;
  assert.deepEqual([int, float, nan], [0, 1.5, null]);
  assert.ok(Object.values(nothing).every((value) => value === null));
  assert.deepEqual([third!['text'], third!['whole'], third!['yes']], ['x', '123456789012345678', false]);
});

test('texts are in the character set of the user, the .cpg, the header, or the likeliest', async () => {
  const given = (bytes: Buffer, language = 0): Table => ({
    fields: [{ name: 'n', type: 'C', length: 8 }],
    rows: [[bytes]],
    language,
  });
  const name = async (...args: Parameters<typeof table>): Promise<unknown> => (await table(...args))[0]!['n'];
  const latin = Buffer.from('Münch\x80n', 'latin1');
  const russian = Buffer.of(0x8c, 0xae, 0xe1, 0xaa, 0xa2, 0xa0);
  assert.equal(await name(given(latin)), 'Münch€n');
  assert.equal(await name(given(Buffer.from('Łódź'))), 'Łódź');
  assert.equal(await name(given(russian, 0x65)), 'Москва');
  assert.equal(await name(given(russian, 0x57), { cpg: 'OEM 866\r\n' }), 'Москва');
  assert.equal(await name(given(russian), {}, 'ibm866'), 'Москва');
  assert.equal(await name(given(Buffer.from('Łódź'), 0x57), { cpg: '\ufeffUTF-8' }), 'Łódź');
  assert.equal(await name(given(latin), { cpg: 'nonsense' }), 'Münch€n');
  assert.equal(await name(given(Buffer.of(0x81)), { cpg: '850' }), 'ü');
  assert.equal(await name(given(Buffer.of(0xa4)), { cpg: 'ISO 885915' }), '€');
  assert.equal(await name(given(Buffer.of(0xfc), 0), { cpg: 'LDID/87' }), 'ü');
  // Eight bytes cut the last letter off.
  assert.equal(await name(given(Buffer.from('Müünchéé'))), 'Müünch');
  await assert.rejects(table(given(latin), {}, 'klingon'), { code: 'unknownEncoding' });
});

test('deleted rows are skipped with their shapes, and columns of the same name get distinct names', async () => {
  const { seen } = await read({
    shp: encodeShp(points(4)).shp,
    dbf: encodeDbf({
      fields: [
        { name: 'ATTRIBUTE_ONE', type: 'N', length: 2 },
        { name: 'ATTRIBUTE_TWO', type: 'C', length: 2 },
      ],
      rows: [
        ['0', 'a'],
        ['1', 'b'],
        ['2', 'c'],
        ['3', 'd'],
      ],
      deleted: new Set([1]),
    }),
  });
  assert.deepEqual(
    seen.map(({ parts: [part], properties, place }) => [part![1][0]![0]![0]![0], properties, place]),
    [0, 2, 3].map((i) => [
      i,
      { ATTRIBUTE_: i, ATTRIBUTE__2: 'abcd'[i] },
      { feature: i + 1, row: i + 1, byte: 100 + i * 28 },
    ]),
  );
});

test('a missing .dbf or .prj, and a .dbf that is too short, are warnings', async () => {
  const { shp } = encodeShp(points(2));
  const bare = await read({ shp });
  assert.deepEqual(
    bare.warnings.map(({ code }) => code),
    ['missingCrs', 'missingAttributes'].toReversed(),
  );
  assert.deepEqual(
    bare.seen.map(({ properties }) => properties),
    [{}, {}],
  );
  assert.equal(bare.layers[0]!.crs, undefined);
  const dbf = encodeDbf({ fields: [{ name: 'n', type: 'N', length: 2 }], rows: [['5']] });
  const short = await read({ shp, dbf, prj: '\ufeffGEOGCS["x"]\n' });
  assert.deepEqual(
    short.warnings.map(({ message }) => message),
    ['the .dbf has 1 rows for 2 shapes: the last ones have no attributes'],
  );
  assert.deepEqual(
    short.seen.map(({ properties }) => properties),
    [{ n: 5 }, { n: null }],
  );
  assert.equal(short.layers[0]!.crs, 'GEOGCS["x"]');
  assert.deepEqual(short.layers[0]!.fields, [{ name: 'n', type: 'integer' }]);
});

test('records whose counts lie, unknown types and NaN are problems; the records behind are read', async () => {
  const { shp } = encodeShp([
    {
      type: 3,
      parts: [
        [
          [0, 0],
          [1, 1],
        ],
      ],
    },
    point(1),
  ]);
  const change = async (write: (bytes: Buffer) => void): Promise<string | undefined> => {
    const copy = Buffer.from(shp);
    write(copy);
    const { seen } = await read({ shp: copy });
    assert.equal(seen.length, 2);
    assert.deepEqual(seen[1]!.parts, [['Point', [[[[1, 0]]]]]]);
    return seen[0]!.problem;
  };
  const content = 108;
  assert.match(
    (await change((b) => b.writeInt32LE(0x7fffffff, content + 40)))!,
    /1 parts and 2147483647 points/,
  );
  assert.match((await change((b) => b.writeInt32LE(0x7fffffff, content + 36)))!, /too many for/);
  assert.match((await change((b) => b.writeInt32LE(-1, content + 40)))!, /too many for/);
  assert.match((await change((b) => b.writeInt32LE(3, content + 44)))!, /part 1 runs from point 3 to 2 of 2/);
  assert.match((await change((b) => b.writeInt32LE(77, content)))!, /shape type 77 is unknown/);
  assert.match((await change((b) => b.writeDoubleLE(NaN, content + 48)))!, /not a finite number/);
});

test('a .shp that is cut off, or whose record lengths lie, is refused with its place', async () => {
  const { shp, shx } = encodeShp(points(3));
  const refused = (given: Record<string, Uint8Array>, code: string, feature?: number): Promise<void> =>
    assert.rejects(read(given), (error) => {
      assert.ok(error instanceof SourceError, String(error));
      assert.deepEqual([error.code, error.place.feature], [code, feature]);
      return true;
    });
  await refused({ shp: shp.subarray(0, shp.length - 5), shx }, 'truncatedFile', 3);
  await refused({ shp: shp.subarray(0, shp.length - 28) }, 'truncatedFile', 3);
  await refused({ shp: shp.subarray(0, 60) }, 'truncatedFile');
  const lying = Buffer.from(shp);
  lying.writeInt32BE(0x7fffffff, 132);
  await refused({ shp: lying, shx }, 'truncatedFile', 2);
  lying.writeInt32BE(0, 132);
  await refused({ shp: lying }, 'brokenFile', 2);
  await refused({ shp: Buffer.alloc(200) }, 'brokenFile');
  await refused({ shp, dbf: Buffer.alloc(10) }, 'brokenFile');
  const behind = Buffer.concat([shp, Buffer.alloc(40, 1)]);
  assert.equal((await read({ shp: behind })).seen.length, 3);
});

test('a shape beyond the longest feature is refused before it is read', async () => {
  const { shp } = await writeParts(join(folder, 'long'), {
    shp: encodeShp([{ type: 8, points: Array.from({ length: 1000 }, (_, i) => [i, i]) }]).shp,
  });
  const file = { path: shp!, name: 'long.shp', size: (await stat(shp!)).size, related: {} };
  const { layers } = await shapefileFormat.open(file, { signal, partBytes: 1e6 });
  await assert.rejects(
    shapefileFormat.read(layers[0]!.parts[0]!, () => {}, { maxFeatureBytes: 1000 }),
    { code: 'featureTooLarge' },
  );
});

test('200 mutated files of each kind are read or refused, in little time and memory', async () => {
  const shapes: Shape[] = Array.from({ length: 40 }, (_, i) =>
    i % 3 === 0
      ? { type: 5, parts: [square(i, 0, 1), hole(i + 0.2, 0.2, 0.5), square(i, 5, 1)] }
      : i % 3 === 1
        ? { type: 31, parts: [square(0, 0, 1), square(1, 1, 1)], partTypes: [i % 6, 1] }
        : { type: 18, points: square(i, i, i) },
  );
  const { shp, shx } = encodeShp(shapes);
  const dbf = encodeDbf({
    fields: [
      { name: 'text', type: 'C', length: 20 },
      { name: 'real', type: 'N', length: 10, decimals: 3 },
      { name: 'day', type: 'D', length: 8 },
    ],
    rows: shapes.map((_, i) => [`näme ${i}`, `${i}.5`, '20240101']),
  });
  const whole = { shp, shx, dbf };
  let refused = 0;
  let problems = 0;
  const memory = process.memoryUsage().rss;
  for (const kind of ['shp', 'shx', 'dbf'] as const) {
    for (let seed = 0; seed < 200; seed++) {
      const spentMs = cpuTime();
      try {
        const { seen } = await read(
          { ...whole, [kind]: mutate(new Uint8Array(whole[kind]), seed) },
          { partBytes: 500 },
        );
        problems += seen.filter(({ problem }) => problem !== undefined).length;
      } catch (error) {
        assert.ok(error instanceof SourceError, String((error as Error).stack));
        assert.notEqual(kind, 'shx', 'the index only helps');
        refused++;
      }
      assert.ok(spentMs() < 2000);
    }
  }
  assert.ok(process.memoryUsage().rss - memory < 256 * 2 ** 20);
  assert.ok(refused > 20 && problems > 20, `${refused} refused, ${problems} problems`);
});

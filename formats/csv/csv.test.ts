import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SourceError } from '../source/source.ts';
import { mutate, seeded } from '../wkb/testing.ts';
import { cpuTime } from '../testing-cpu-time.ts';
import { read, point } from './testing.ts';

const cell = fc.string({
  unit: fc.constantFrom('a', 'ü', ' ', '"', ',', ';', '\t', '\n', '\r\n', '|', '€'),
  maxLength: 8,
});

test('rows are read as they were written, whatever the delimiter, line ends, quotes and parts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: -18e6, max: 18e6 }), fc.integer({ min: -9e6, max: 9e6 }), cell), {
        minLength: 1,
        maxLength: 30,
      }),
      fc.constantFrom(',', ';', '\t', '|'),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.constantFrom('', '\ufeff', 'utf-16le', 'utf-16be'),
      fc.constantFrom(1, 100, 1e9),
      async (rows, delimiter, lineEnd, mark, partBytes) => {
        const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
        const text = [
          ['id', 'lon', 'text', 'lat'].join(delimiter),
          ...rows.map(([x, y, value], i) =>
            [`n${i}`, (x / 1e5).toString(), quoted(value), (y / 1e5).toString()].join(delimiter),
          ),
        ].join(lineEnd);
        const little = Buffer.from(`\ufeff${text}`, 'utf16le');
        const bytes =
          mark === 'utf-16le'
            ? little
            : mark === 'utf-16be'
              ? Buffer.from(little).swap16()
              : Buffer.from(mark + text);
        const { seen, layers, warnings } = await read(bytes, { partBytes });
        assert.deepEqual([layers[0]!.crs, warnings], ['EPSG:4326', []]);
        assert.deepEqual(
          seen.map(({ parts, properties, problem, place }) => ({
            parts,
            properties,
            problem,
            row: place.row,
          })),
          rows.map(([x, y, value], i) => ({
            parts: JSON.parse(JSON.stringify(point(x / 1e5, y / 1e5 + 0))) as unknown,
            properties: { id: `n${i}`, text: value.trim() === '' && !/[\r\n]/.test(value) ? null : value },
            problem: undefined,
            row: i + 1,
          })),
        );
      },
    ),
    { numRuns: 200 },
  );
});

test('a decimal comma is detected, and column types fit all values', async () => {
  const { seen, layers } = await read(
    'Name;PLZ;Einwohner;Fläche;aktiv;Länge;Breite;Tel\n' +
      'Köln;01069;1000000;405,01;true;6,95;50,94;+49221\n' +
      ';80331;12;7;FALSE;"11,5";48,1;089\n' +
      'x;;;;;;;\n',
  );
  assert.deepEqual(layers[0]!.fields, [
    { name: 'Name', type: 'string' },
    { name: 'PLZ', type: 'string' },
    { name: 'Einwohner', type: 'integer' },
    { name: 'Fläche', type: 'number' },
    { name: 'aktiv', type: 'boolean' },
    { name: 'Tel', type: 'string' },
  ]);
  assert.deepEqual(
    seen.map(({ properties, parts }) => [properties, parts]),
    [
      [
        { Name: 'Köln', PLZ: '01069', Einwohner: 1e6, Fläche: 405.01, aktiv: true, Tel: '+49221' },
        point(6.95, 50.94),
      ],
      [{ Name: null, PLZ: '80331', Einwohner: 12, Fläche: 7, aktiv: false, Tel: '089' }, point(11.5, 48.1)],
      [{ Name: 'x', PLZ: null, Einwohner: null, Fläche: null, aktiv: null, Tel: null }, []],
    ],
  );
});

test('values after the first megabyte that do not fit the type of their column stay strings', async () => {
  const { seen } = await read(`lon,lat,n\n${'1,2,3\n'.repeat(200_000)}1,2,many\n1,2,007\n1,2,8`);
  assert.deepEqual(
    seen.slice(-4).map(({ properties }) => properties['n']),
    [3, 'many', '007', 8],
  );
});

test('the character set is that of the user, the byte order mark, or the likeliest one', async () => {
  const text = 'lon,lat,name\n1,2,Müünchen €\n';
  const latin = Buffer.from(text.replace('€', '\x80'), 'latin1');
  for (const [bytes, encoding] of [
    [Buffer.from(text)],
    [Buffer.from(`\ufeff${text}`)],
    [latin],
    [latin, 'cp1252'],
  ] as const)
    assert.equal((await read(bytes, encoding ? { encoding } : {})).seen[0]!.properties['name'], 'Müünchen €');
});

test('problems name their line, missing cells are null, and rows with too many cells are rejected', async () => {
  const { seen } = await read('lon,lat,a\n\n1,2,"x\ny"\n\nabc,2,z\n1,2\n1,2,3,4\n1,2,3,,\n');
  assert.deepEqual(
    seen.map(({ problem, place }) => [problem, place.row, place.line]),
    [
      [undefined, 1, 3],
      ['"abc" in the column "lon" is not a coordinate', 2, 6],
      [undefined, 3, 7],
      ['the row has 4 cells, but the table has 3 columns', 4, 8],
      [undefined, 5, 9],
    ],
  );
  assert.equal(seen[2]!.properties['a'], null);
  assert.equal(seen[1]!.place.byte, 22);
});

test('a table without coordinates is refused with advice', async () => {
  const refused = (text: string, code: string, message: RegExp): Promise<void> =>
    assert.rejects(read(text), (error) => {
      assert.ok(error instanceof SourceError, String((error as Error).stack));
      assert.equal(error.code, code);
      assert.match(error.message, message);
      return true;
    });
  await refused(
    'name,street\na,b\n',
    'unsupported',
    /none of its columns "name", "street" contains coordinates/,
  );
  await refused('1,2\n3,4\n', 'unsupported', /first line has no column names/);
  await refused('lon,lat,a\n1,2,3\n1,2,"open', 'brokenFile', /quotation mark that opens here/);
  await refused('lon,lat\n1,2\0\n', 'brokenFile', /zero bytes/);
  await refused('', 'unsupported', /columns/);
});

test('an unclosed quotation mark costs only its own line', async () => {
  const rows = Array.from({ length: 50 }, (_, i) => (i < 20 ? `${i},2,"a ""b""\n${i}"` : `${i},2,${i}`));
  rows[20] = '20,2,"open';
  for (const partBytes of [1e9, 40]) {
    const { seen } = await read(`lon,lat,a\n${rows.join('\n')}\n`, { partBytes });
    const problems = seen.filter(({ problem }) => problem !== undefined);
    assert.deepEqual(
      problems.map(({ problem, parts, place, properties }) => [
        problem,
        parts,
        place.row,
        place.line,
        properties,
      ]),
      [
        [
          'the quotation mark that opens here is never closed: close it, or double it if it belongs to the text',
          [],
          21,
          42,
          { a: null },
        ],
      ],
    );
    assert.equal(seen.length, 50);
    assert.deepEqual(seen[21]!.properties, { a: '21' });
    assert.deepEqual(seen[21]!.parts, point(21, 2));
  }
});

test('a row with more cells than columns has no geometry, not even that of the row before', async () => {
  const { seen } = await read('lon,lat,a\n1,2,x\n3,4,y,z\n5,6,w\n');
  assert.deepEqual(
    seen.map(({ problem, parts }) => [problem, parts]),
    [
      [undefined, point(1, 2)],
      ['the row has 4 cells, but the table has 3 columns', []],
      [undefined, point(5, 6)],
    ],
  );
});

test('a first row longer than the sample for type detection is read', async () => {
  const { seen } = await read(`lon,lat,a\n1,2,"${'x'.repeat(2e6)}"\n3,4,b\n`);
  assert.deepEqual(
    seen.map(({ parts, properties }) => [parts, String(properties['a']).length]),
    [
      [point(1, 2), 2e6],
      [point(3, 4), 1],
    ],
  );
});

test('a row larger than the maximum feature is refused', async () => {
  await assert.rejects(read(`lon,lat,a\n1,2,"${'x'.repeat(12e6)}"\n`), { code: 'featureTooLarge' });
});

test('Excel files with a separator line and quotes within cells are read', async () => {
  const { seen } = await read('sep=;\nlon;lat;size\n1;2;5" pipe\n1;2;"a"b\n');
  assert.deepEqual(
    seen.map(({ properties }) => properties['size']),
    ['5" pipe', '"a"b'],
  );
});

test('hostile tables take little time', async () => {
  const started = process.cpuUsage();
  const wide = (columns: number): string => `lon,lat${',a_x'.repeat(columns)}\n1,2${',3'.repeat(columns)}\n`;
  await assert.rejects(read(wide(200_000)), { code: 'unsupported' });
  const { seen } = await read(wide(9000) + '1,2\n'.repeat(20));
  assert.deepEqual([seen[0]!.properties['a_x_9000'], seen[1]!.properties['a_x_9000']], [3, null]);
  const spaces = ' '.repeat(200_000);
  for (const text of [
    `lon,lat\n${spaces}x,2\n`,
    `wkt\nPOINT(1 2)\nPOINT(1 2)\nPOINT${spaces}x\n${spaces}x\n`,
  ])
    assert.ok((await read(text)).seen.some(({ problem }) => problem !== undefined));
  await assert.rejects(read(`a,b\n${'"'.repeat(900_001)}`), { code: 'unsupported' });
  const { user } = process.cpuUsage(started);
  assert.ok(user < 4e6, `${user} µs`);
});

test('200 mutated files are read or refused, in little time and memory', async () => {
  const random = seeded(3);
  const rows = Array.from(
    { length: 60 },
    (_, i) => `${random(180)}.5,${random(90)},"näme ""${i}""",POINT(1 ${i}),${i}`,
  );
  const whole = new TextEncoder().encode(`lon,lat,name,wkt,n\n${rows.join('\r\n')}`);
  const memory = process.memoryUsage().rss;
  let refused = 0;
  for (let seed = 0; seed < 200; seed++) {
    const spentMs = cpuTime();
    try {
      await read(mutate(whole, seed), { partBytes: 300 });
    } catch (error) {
      assert.ok(error instanceof SourceError, String((error as Error).stack));
      refused++;
    }
    assert.ok(spentMs() < 2000);
  }
  assert.ok(process.memoryUsage().rss - memory < 256 * 2 ** 20);
  assert.ok(refused > 0 && refused < 200, `${refused}`);
});

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import type { FeaturePlace } from '../feature/feature.ts';
import { SourceError, type Source } from '../source/source.ts';
import { encodeWkb, mutate, plainParts, seeded, type PlainPart } from '../wkb/testing.ts';
import { csvFormat } from './format.ts';
import { parseAngle, parsePair } from './parse-angle.ts';
import { cpuTime } from '../testing-cpu-time.ts';

let folder: string;
let count = 0;
const signal = new AbortController().signal;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-csv-'));
});
after(() => rm(folder, { recursive: true }));

interface Seen {
  readonly parts: PlainPart[];
  readonly properties: Record<string, unknown>;
  readonly problem: string | undefined;
  readonly place: FeaturePlace;
}

async function read(
  content: string | Uint8Array,
  { partBytes = 1e9, encoding }: { partBytes?: number; encoding?: string } = {},
): Promise<Source & { seen: Seen[] }> {
  const path = join(folder, `given-${++count}.csv`);
  const bytes = Buffer.from(content as string);
  await writeFile(path, bytes);
  const file = { path, name: 'given.csv', size: bytes.length, related: {}, ...(encoding && { encoding }) };
  const source = await csvFormat.open(file, { signal, partBytes });
  const seen: Seen[] = [];
  let rows = 0;
  for (const part of structuredClone(source.layers[0]!.parts)) {
    rows += await csvFormat.read(
      part,
      ({ geometry, properties, problem }, place) =>
        seen.push({ parts: plainParts(geometry), properties: { ...properties }, problem, place: place() }),
      { maxFeatureBytes: 1e7 },
    );
  }
  assert.equal(rows, seen.length);
  assert.equal(source.layers[0]!.featureCount, rows);
  return { ...source, seen };
}

const point = (x: number, y: number): PlainPart[] => [['Point', [[[[x, y]]]]]];

const cell = fc.string({
  unit: fc.constantFrom('a', 'ü', ' ', '"', ',', ';', '\t', '\n', '\r\n', '|', '€'),
  maxLength: 8,
});

test('whatever the delimiter, the line ends, the quotes and the parts, rows come out as they went in', async () => {
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

test('a comma before the fraction is guessed, and types are those of all values', async () => {
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

test('values behind the first megabyte that do not fit their column stay strings', async () => {
  const { seen } = await read(`lon,lat,n\n${'1,2,3\n'.repeat(200_000)}1,2,many\n1,2,007\n1,2,8`);
  assert.deepEqual(
    seen.slice(-4).map(({ properties }) => properties['n']),
    [3, 'many', '007', 8],
  );
});

test('columns of coordinates are found by their names in several languages', async () => {
  for (const [header, x, y] of [
    ['lat,lng', 1, 0],
    ['stop_id,stop_lat,stop_lon', 2, 1],
    ['Latitude (WGS84),Longitude (WGS84)', 1, 0],
    ['geoLon,geoLat', 0, 1],
    ['Rechtswert,Hochwert', 0, 1],
    ['OSTWERT,NORDWERT', 0, 1],
    ['X-Koordinate,Y-Koordinate', 0, 1],
    ['coord_y,coord_x', 1, 0],
    ['longitud,latitud', 0, 1],
    ['Länge,Breite', 0, 1],
    ['x,y,lon,lat', 2, 3],
    ['2020,2021,lon,lat', 2, 3],
    ['E,N', 0, 1],
    ['utm_easting,utm_northing', 0, 1],
  ] as const) {
    const width = header.split(',').length;
    const row = Array.from({ length: width }, (_, i) => i + 1).join(',');
    const { seen } = await read(`${header}\n${row}\n`);
    assert.deepEqual(seen[0]!.parts, point(x + 1, y + 1), header);
  }
});

test('coordinates in one column, in degrees and minutes, and of planes are read', async () => {
  const together = await read('name;Koordinaten\na;48.1, 11.5\nb;(48.2 11.6)\nc;here\n');
  assert.deepEqual(
    together.seen.map(({ parts }) => parts),
    [point(11.5, 48.1), point(11.6, 48.2), []],
  );
  assert.match(together.seen[2]!.problem!, /"here" in the column "Koordinaten" is not a coordinate/);
  const angles = await read(`lat;lon\n"48°30'00""N";11 15 0 W\n`);
  assert.deepEqual(angles.seen[0]!.parts, point(-11.25, 48.5));
  const plane = await read('x,y\n4468000.5,5333000\n');
  assert.deepEqual([plane.layers[0]!.crs, plane.warnings[0]!.code], [undefined, 'missingCrs']);
  assert.match(plane.warnings[0]!.message, /columns "x" and "y".*4468000.5 to 4468000.5/);
});

test('angles are read in many ways of writing, and nothing else is', () => {
  for (const [text, value] of [
    [`48°08'14"N`, 48 + 8 / 60 + 14 / 3600],
    ['S 48° 30.5′', -48 - 30.5 / 60],
    ['11,5° W', -11.5],
    ['-0 30 0', -0.5],
    ['12d30m', 12.5],
  ] as const)
    assert.ok(Math.abs(parseAngle(text)! - value) < 1e-12, text);
  for (const text of ['', 'N', "48°70'", '400', 'N48S', '11° O', 'street 5', '1'.repeat(1000)])
    assert.equal(parseAngle(text), undefined, text);
  assert.deepEqual(parsePair(`48°30'N, 11°15'E`), [48.5, 11.25]);
  assert.deepEqual(parsePair('48,5 11,25'), [48.5, 11.25]);
  assert.deepEqual(parsePair('48,5, 11,25'), [48.5, 11.25]);
  assert.equal(parsePair('48.5'), undefined);
});

test('WKT, EWKT and hexadecimal WKB are found by their content, and the SRID with them', async () => {
  const wkt = await read('id;shape\n1;"SRID=31468;POLYGON((0 0, 1 0, 1 1, 0 0))"\n2;POINT(1 2\n3;\n');
  assert.equal(wkt.layers[0]!.crs, 'EPSG:31468');
  assert.equal(wkt.seen[0]!.parts[0]![0], 'Polygon');
  assert.match(wkt.seen[1]!.problem!, /the WKT is not valid/);
  assert.equal(wkt.seen[1]!.place.line, 3);
  assert.deepEqual([wkt.seen[2]!.parts, wkt.seen[2]!.problem], [[], undefined]);
  const bytes = encodeWkb(
    { type: 'Point', coordinates: [1, 2] },
    { extended: true, z: false, m: false, srid: true, orders: [true] },
  );
  const hex = await read(`id,the_geom\n1,${Buffer.from(bytes).toString('hex').toUpperCase()}\n`);
  assert.deepEqual([hex.layers[0]!.crs, hex.seen[0]!.parts], ['EPSG:4326', point(1, 2)]);
  const bare = await read('wkt\nPOINT(1 2)\nPOINT(3 4)');
  assert.deepEqual(
    bare.seen.map(({ parts }) => parts),
    [point(1, 2), point(3, 4)],
  );
  const noHeader = await read('a;POINT(1 2)\nb;POINT(3 4)');
  assert.deepEqual(
    noHeader.seen.map(({ properties }) => properties),
    [{ column_1: 'a' }, { column_1: 'b' }],
  );
});

test('character sets are those of the user, the mark, or the likeliest', async () => {
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

test('problems name their line; short rows have nothing, long ones are set aside', async () => {
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

test('a quote that is never closed takes its line with it, and no more', async () => {
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

test('a row with more cells than there are columns has no place, not even that of the row before', async () => {
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

test('a first row that is longer than what types are guessed from is read', async () => {
  const { seen } = await read(`lon,lat,a\n1,2,"${'x'.repeat(2e6)}"\n3,4,b\n`);
  assert.deepEqual(
    seen.map(({ parts, properties }) => [parts, String(properties['a']).length]),
    [
      [point(1, 2), 2e6],
      [point(3, 4), 1],
    ],
  );
});

test('a row beyond the longest feature is refused', async () => {
  await assert.rejects(read(`lon,lat,a\n1,2,"${'x'.repeat(12e6)}"\n`), { code: 'featureTooLarge' });
});

test('rows of Excel with a separator line, and quotes within cells, are read', async () => {
  const { seen } = await read('sep=;\nlon;lat;size\n1;2;5" pipe\n1;2;"a"b\n');
  assert.deepEqual(
    seen.map(({ properties }) => properties['size']),
    ['5" pipe', '"a"b'],
  );
});

test('hostile tables cost little time', async () => {
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

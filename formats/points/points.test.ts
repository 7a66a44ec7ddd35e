import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BytesError } from '../bytes/bytes.ts';
import { countedBytes } from '../geotiff/testing.ts';
import { columnsOfRoles } from './column-names.ts';
import { openPoints, recognisePoints } from './open-points.ts';
import type { PointBuffer } from './point-buffer.ts';
import type { PointFile } from './point-file.ts';
import type { TableColumns } from './point-table.ts';
import { writePly } from './testing.ts';

const open = (content: string | Buffer, columns?: TableColumns): Promise<PointFile> =>
  openPoints(countedBytes(Buffer.from(content)), { columns });

async function pointsOf(file: PointFile): Promise<PointBuffer> {
  assert.equal(file.partPoints.length, 1);
  return file.readPart(0);
}

const readText = async (content: string, columns?: TableColumns) => pointsOf(await open(content, columns));

const expected = [1.5, 2.25, -3, 4, 5, 6e2];

for (const [title, text] of [
  ['blanks', '1.5 2.25 -3\n4 5 6e2\n'],
  ['tabs, and no line end at the end', '1.5\t2.25\t-3\r\n4\t5\t6e2'],
  ['commas', '1.5,2.25,-3\n4,5,6e2\n'],
  ['commas and blanks', '1.5, 2.25, -3\n4, 5, 6e2\n'],
  ['semicolons and decimal commas', '1,5;2,25;-3\n4,0;5,0;6,0e2\n'],
  ['blanks and decimal commas', '1,5 2,25 -3,0\n4,0 5,0 600,0\n'],
  ['a heading in quotes', '"X","Y","Z"\n"1.5","2.25","-3"\n4,5,6e2\n'],
  ['comments', '# made by hand\n\n// more\n1.5 2.25 -3\n# 7 7 7\n4 5 6e2\n'],
  ['a mark of the byte order', '\uFEFF1.5 2.25 -3\n4 5 6e2\n'],
  ['a heading in another order', 'id;Hochwert;Rechtswert;Höhe\na;2.25;1.5;-3\nb;5;4;600\n'],
] as const)
  test(`a text with ${title} is read`, async () => {
    const { places } = await readText(text);
    assert.deepEqual([...places], expected);
  });

test('columns without names hold what is usual for so many', async () => {
  const coloured = await readText('1 2 3 10 20 30\n1 2 3 40 50 60\n');
  assert.deepEqual([...coloured.colours!], [10, 20, 30, 40, 50, 60]);
  const before = await readText('1 2 3 -7 10 20 30\n1 2 3 12 40 50 60\n');
  assert.deepEqual([...before.colours!], [10, 20, 30, 40, 50, 60]);
  // −2048 to 2047 become 0 to 65535
  assert.deepEqual([...before.intensities!], [(2048 - 7) * 16, (2048 + 12) * 16]);
  const behind = await readText('1 2 3 10 20 30 900\n1 2 3 40 50 60 70\n');
  assert.deepEqual(
    [[...behind.colours!], [...behind.intensities!]],
    [
      [10, 20, 30, 40, 50, 60],
      [900, 70],
    ],
  );
  const normals = await readText('1 2 3 0.1 0.2 0.9\n1 2 3 0.1 0.2 0.9\n');
  assert.equal(normals.colours, undefined);
});

test('columns are read by their names, and by what the user says', async () => {
  const named = await readText(
    '//X Y Z Rf Gf Bf Intensity Classification GpsTime\n1 2 3 1 0.5 0 0.25 6 1e9\n4 5 6 0 0 0 1 2 1e9\n',
  );
  assert.deepEqual([...named.colours!], [65_535, 32_768, 0, 0, 0, 0]);
  assert.deepEqual(
    [[...named.intensities!], [...named.classes!]],
    [
      [16_384, 65_535],
      [6, 2],
    ],
  );
  assert.equal(named.gpsTimes![0], 1e9);
  const columns = columnsOfRoles(['z', 'skip', 'y', 'x', 'intensity']);
  const given = await readText('3 word 2 1 7\n6 word 5 4 8\n', columns);
  assert.deepEqual(
    [[...given.places], [...given.intensities!]],
    [
      [1, 2, 3, 4, 5, 6],
      [7, 8],
    ],
  );
  assert.equal(columnsOfRoles(['x', 'y', 'skip']), undefined);
});

test('colours of 16 bits stay, and a part of colours is none', async () => {
  const deep = await open('x y z r g b\n1 2 3 65535 256 0\n');
  assert.deepEqual(
    [await deep.brightest(), [...(await pointsOf(deep)).colours!]],
    [65_535, [65_535, 256, 0]],
  );
  assert.equal((await open('x y z r g\n1 2 3 4 5\n')).hasColours, false);
});

test('PTS are rows behind their number, several times if need be', async () => {
  const file = await open('2\n1 2 3 -2048 1 2 3\n4 5 6 2047 4 5 6\n1\n7 8 9 0 7 8 9\n');
  const { places, intensities } = await pointsOf(file);
  assert.deepEqual([...places], [1, 2, 3, 4, 5, 6, 7, 8, 9]);
  assert.deepEqual([...intensities!], [0, 65_520, 32_768]);
  assert.deepEqual(file.notes, []);
  const cut = await open('5\n1 2 3 0 1 2 3\n4 5 6 0 4 5 6\n');
  assert.deepEqual(
    cut.notes.map(({ code, times }) => [code, times]),
    [['cutSheet', 3]],
  );
});

const ptxScan = (size: readonly [number, number], shift: number, rows: string): string =>
  `${size[0]}\n${size[1]}\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n0 1 0 0\n-1 0 0 0\n0 0 1 0\n${shift} 20 30 1\n${rows}`;

test('PTX are scans, each placed by its matrix, without what was not measured', async () => {
  const file = await open(
    ptxScan([2, 2], 10, '1 2 3 0.5 1 2 3\n0 0 0 0.5 0 0 0\n4 5 6 1 4 5 6\n0 0 0 0.5 0 0 0\n') +
      ptxScan([1, 1], 100, '1 0 0 0 9 9 9\n'),
  );
  assert.equal(file.partPoints.length, 2);
  const [first, second] = [await file.readPart(0), await file.readPart(1)];
  // x becomes y, y becomes −x
  assert.deepEqual([...first.places, ...second.places], [8, 21, 33, 5, 24, 36, 100, 21, 30]);
  assert.deepEqual(
    [[...first.intensities!], [...second.colours!]],
    [
      [32_768, 65_535],
      [9, 9, 9],
    ],
  );
  assert.deepEqual([file.min, file.max, file.notes], [[5, 21, 30], [100, 24, 36], []]);
  await assert.rejects(open(ptxScan([1, 1], 0, '1 2 3 0\n') + 'words\n'), /head of its scan 2/);
});

test('rows that are no points are counted, and most of them are no text of points', async () => {
  const rows = Array.from({ length: 40 }, (_, i) => `${i} 2 3`);
  const file = await open([...rows, 'nan 2 3', '1e300 2 3', 'a b c', ...rows].join('\n'));
  assert.deepEqual(
    file.notes.map(({ code, times }) => [code, times]),
    [['unreadableRows', 3]],
  );
  assert.match(file.notes[0]!.message, /line 41/);
  const late = [...Array.from({ length: 300 }, () => '1 2 3'), ...Array.from({ length: 900 }, () => 'a b c')];
  await assert.rejects(open(late.join('\n')), /900 of its rows are no points/);
});

test('what is no text of points is not recognised', async () => {
  for (const text of [
    'No points here.\nOnly words.\n',
    'ncols 4\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 1\nNODATA_value -9999\n1 2 3 4\n1 2 3 4\n1 2 3 4\n',
    '0.5\n0\n0\n-0.5\n100\n200\n',
    'name,lon,lat\nA,11,48\nB,12,49\n',
    '{"type":"FeatureCollection"}',
    '',
  ])
    assert.equal(await recognisePoints(countedBytes(Buffer.from(text))), undefined, text);
  await assert.rejects(open('No points here.\n'), /no point cloud/);
});

test('a text is read in parts that are found again without another pass', async () => {
  const rows = Array.from({ length: 70_000 }, (_, i) => `${i} ${i / 4} ${i % 7}`).join('\n');
  const file = await open(rows);
  assert.deepEqual(file.partPoints, [65_536, 4464]);
  const bytes = countedBytes(Buffer.from(rows));
  const again = await openPoints(bytes, { scan: structuredClone(file.scan) });
  const last = await again.readPart(1);
  assert.deepEqual([...last.places.subarray(-3)], [69_999, 17_499.75, 69_999 % 7]);
  assert.ok(bytes.bytesRead() < 300_000, String(bytes.bytesRead()));
});

const vertices = Array.from({ length: 9 }, (_, i) => ({
  x: i / 8,
  y: 1 - i,
  z: i * 1000,
  red: i,
  green: 255 - i,
  blue: 7,
  scalar_Intensity: i * 100,
}));

for (const encoding of ['ascii', 'binary_little_endian', 'binary_big_endian'] as const)
  test(`PLY ${encoding} is read by the names of its properties, without faces`, async () => {
    const file = await open(writePly(encoding, vertices, { faces: 3 }));
    const { places, colours, intensities } = await pointsOf(file);
    assert.deepEqual(
      [...places],
      vertices.flatMap(({ x, y, z }) => [x, y, z]),
    );
    assert.deepEqual(
      [...colours!],
      vertices.flatMap(({ red, green, blue }) => [red, green, blue]),
    );
    assert.deepEqual(
      [...intensities!],
      vertices.map((vertex) => vertex.scalar_Intensity),
    );
    assert.deepEqual(
      file.notes.map(({ code, times }) => [code, times]),
      [['unusedContent', 3]],
    );
    assert.deepEqual(
      [file.min, file.max],
      [
        [0, -7, 0],
        [1, 1, 8000],
      ],
    );
  });

test('a PLY that is cut off has the points that are left, one without points is refused', async () => {
  const whole = writePly('binary_little_endian', vertices);
  const file = await open(whole.subarray(0, whole.length - 40));
  assert.deepEqual([file.partPoints, file.notes.map(({ code }) => code)], [[7], ['cutSheet']]);
  const text = writePly('ascii', vertices);
  const cut = await open(text.subarray(0, text.length - 40));
  assert.deepEqual(
    cut.notes.map(({ code }) => code),
    ['unreadableRows', 'cutSheet'],
  );
  await assert.rejects(open(writePly('ascii', [])), /no points/);
});

/** CI makes 200. */
const mutants = 2 * Number(process.env['PLATEN_MUTANTS'] ?? 40);

for (const [name, content] of [
  [
    'table',
    Buffer.from('x;y;z;r;g;b;i\n' + Array.from({ length: 30 }, (_, i) => `${i};2;3;4;5;6;7`).join('\n')),
  ],
  ['PTS', Buffer.from('30\n' + Array.from({ length: 30 }, (_, i) => `${i} 2 3 4 5 6 7`).join('\n'))],
  ['PTX', Buffer.from(ptxScan([5, 2], 10, '1 2 3 0.5\n'.repeat(10)) + ptxScan([1, 1], 10, '1 2 3 0.5\n'))],
  ['PLY in ASCII', writePly('ascii', vertices)],
  ['PLY in binary', writePly('binary_big_endian', vertices, { faces: 2 })],
] as const)
  test(`a damaged ${name} is read, or refused with a reason`, async () => {
    let state = content.length;
    const random = (below: number): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    for (let i = 0; i < mutants; i++) {
      const copy = Buffer.from(content);
      for (let change = 0; change < 3; change++)
        copy[random(change % 2 === 0 ? Math.min(300, copy.length) : copy.length)] = random(256);
      const cut = copy.subarray(0, random(4) === 0 ? random(copy.length) : copy.length);
      try {
        const file = await open(cut);
        for (const part of file.partPoints.keys()) {
          const { places } = await file.readPart(part);
          assert.ok(places.every(Number.isFinite));
        }
      } catch (error) {
        assert.ok(error instanceof BytesError, String((error as Error).stack));
      }
    }
  });

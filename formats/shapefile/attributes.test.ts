import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeDbf, encodeShp, type Table } from './testing.ts';
import { read, points } from './testing-reading.ts';

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

test('every column type is read, and asterisks and blanks are null', async () => {
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

test('the character set is that of the user, the .cpg, the header, or the likeliest one', async () => {
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
  // The column of eight bytes cuts off the last letter.
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

test('a missing .dbf or .prj and a .dbf that is too short cause warnings', async () => {
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

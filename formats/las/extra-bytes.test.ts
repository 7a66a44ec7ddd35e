import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { countedBytes } from '../geotiff/testing.ts';
import type { PointFile } from '../points/point-file.ts';
import { openPoints } from '../points/open-points.ts';
import { ArithmeticDecoder } from './decode/arithmetic-decoder.ts';
import { IntegerDecoder } from './decode/integer-decoder.ts';
import { ModelArena } from './decode/model-arena.ts';
import { extraFieldsIn } from './extra-bytes.ts';
import { baseLengthOf } from './point-format.ts';
import { extraRecord, writeLas, type WrittenExtra } from './testing.ts';
import { openLazPerf } from './testing-laz-perf.ts';

const all = (extras: readonly string[]) => ({
  // of noise, some points are
  keepsWithheld: true,
  selection: { fields: new Set(['extraBytes'] as const), extras },
});

const pointsOf = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ x: 500_000 + i / 100, y: 5_400_000, z: 100 }));

async function extrasOf(
  content: Uint8Array,
  names: readonly string[],
): Promise<{ readonly file: PointFile; readonly values: ReadonlyMap<string, Float64Array> }> {
  const file = await openPoints(countedBytes(Buffer.from(content)), all(names));
  const parts = await Promise.all(file.partPoints.map((_, part) => file.readPart(part)));
  const valuesOf = (name: string) => parts.flatMap((part) => Array.from(part.extras!.get(name)!));
  return { file, values: new Map(names.map((name) => [name, Float64Array.from(valuesOf(name))])) };
}

/** How a number of each type is stored, by another way than the reader's. */
const stores = [
  { bytes: 1, array: Uint8Array, isBig: false },
  { bytes: 1, array: Int8Array, isBig: false },
  { bytes: 2, array: Uint16Array, isBig: false },
  { bytes: 2, array: Int16Array, isBig: false },
  { bytes: 4, array: Uint32Array, isBig: false },
  { bytes: 4, array: Int32Array, isBig: false },
  { bytes: 8, array: BigUint64Array, isBig: true },
  { bytes: 8, array: BigInt64Array, isBig: true },
  { bytes: 4, array: Float32Array, isBig: false },
  { bytes: 8, array: Float64Array, isBig: false },
] as const;

function stored(type: number, value: number): { readonly bytes: Buffer; readonly number: number } {
  const { array, isBig } = stores[(type - 1) % 10]!;
  const values = isBig ? array.of(BigInt(Math.round(value)) as never) : array.of(value as never);
  return { bytes: Buffer.from(values.buffer), number: Number(values[0]) };
}

/** The bytes of a point's numbers, and what they are. */
const anyField = fc.record({
  type: fc.integer({ min: 0, max: 30 }),
  scale: fc.option(fc.constantFrom(0.01, 2, -0.5), { nil: undefined }),
  offset: fc.option(fc.constantFrom(10, -2.5), { nil: undefined }),
  hasNoData: fc.boolean(),
  seed: fc.integer({ min: -1000, max: 1000 }),
});

test('reads numbers of all types with scale, offset and no data, in every order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyField, { minLength: 1, maxLength: 8 }), async (given) => {
      const count = 20;
      const expected = new Map<string, number[]>();
      const rows = Array.from({ length: count }, () => [] as Buffer[]);
      const fields = given.map(({ type, scale, offset, hasNoData, seed }, n): WrittenExtra => {
        const name = `f${n}-`;
        if (type === 0) {
          for (const row of rows) row.push(Buffer.alloc(3, seed & 255));
          return { name, type, length: 3 };
        }
        const isFloat = (type - 1) % 10 > 7;
        const isUnsigned = !isFloat && (type - 1) % 2 === 0;
        const none = isUnsigned ? 7 : -7;
        const wide = isFloat ? Float64Array.of(none) : BigInt64Array.of(BigInt(none));
        const numbers = Math.ceil(type / 10);
        for (let part = 0; part < numbers; part++) {
          const values = rows.map((row, i) => {
            const raw =
              i % 5 === 0
                ? none
                : isUnsigned
                  ? Math.abs(seed + i * 13 + part) % 200
                  : (seed % 100) + i + part;
            const { bytes, number } = stored(type, raw);
            row.push(bytes);
            return hasNoData && number === none ? NaN : number * (scale ?? 1) + (offset ?? 0);
          });
          expected.set(numbers === 1 ? name : `${name}${part}`, values);
        }
        return {
          name,
          type,
          ...(scale !== undefined && { scale }),
          ...(offset !== undefined && { offset }),
          ...(hasNoData && { noData: Buffer.from(wide.buffer) }),
        };
      });
      const content = writeLas({
        minor: 4,
        pointFormat: 6,
        points: pointsOf(count),
        records: [extraRecord(fields)],
        extraBytes: rows.map((row) => Buffer.concat(row)),
      });
      const { file, values } = await extrasOf(content, [...expected.keys()]);
      assert.deepEqual(
        file.extras!.map(({ name }) => name),
        [...expected.keys()],
      );
      for (const [name, numbers] of expected) assert.deepEqual([...values.get(name)!], numbers, name);
    }),
    { numRuns: 60 },
  );
});

test('names are UTF-8, also where they are cut off, or else Latin-1', async () => {
  const long = '点云的高度点云的高度点云的高度';
  const fields = ['Höhe über Grund', long, Buffer.from('Höhe', 'latin1'), 'twice', 'twice', ''].map(
    (name) => ({
      name,
      type: 1,
    }),
  );
  const content = writeLas({
    points: pointsOf(1),
    records: [extraRecord(fields)],
    extraBytes: [Buffer.of(1, 2, 3, 4, 5, 6)],
  });
  const names = ['Höhe über Grund', long.slice(0, 10), 'Höhe', 'twice'];
  const { file, values } = await extrasOf(content, names);
  assert.deepEqual(
    file.extras!.map(({ name }) => name),
    names,
  );
  assert.deepEqual(
    names.map((name) => values.get(name)![0]),
    [1, 2, 3, 4],
  );
});

test('ten thousand extra bytes are told, and those that are described are read', async () => {
  const extraBytes = Array.from({ length: 4000 }, (_, i) => Buffer.alloc(10_000, i % 200));
  const content = writeLas({
    points: pointsOf(4000),
    records: [extraRecord([{ name: 'a', type: 3 }])],
    extraBytes,
  });
  const { file, values } = await extrasOf(content, ['a']);
  assert.deepEqual(file.notes, [
    { code: 'unusedContent', message: 'has 9998 bytes at each point that it does not describe', times: 1 },
  ]);
  assert.ok(file.partPoints.length > 1);
  assert.ok(values.get('a')!.every((value, i) => value === (i % 200) * 257));
});

test('descriptions beyond the end of a point are left out', async () => {
  const fields = Array.from({ length: 300 }, (_, i) => ({ name: `n${i}`, type: 10 }));
  const content = writeLas({
    points: pointsOf(2),
    records: [extraRecord(fields)],
    extraBytes: [Buffer.alloc(20), Buffer.alloc(20)],
  });
  const { file } = await extrasOf(content, ['n0', 'n1']);
  assert.deepEqual(
    file.extras!.map(({ name }) => name),
    ['n0', 'n1'],
  );
  assert.equal(file.notes.length, 1);
});

test('a number that has no room in a point does not move the next ones onto its bytes', () => {
  const record = extraRecord([
    { name: 'large', type: 10 },
    { name: 'small', type: 1 },
  ]).content;
  const { fields } = extraFieldsIn(record, { pointFormat: 0, recordLength: 22 });
  assert.deepEqual(fields, []);
});

function noise(length: number, seed: number): Buffer {
  let state = seed | 1;
  return Buffer.from(
    Uint8Array.from({ length }, () => {
      state = Math.imul(state ^ (state >>> 15), 0x2c1b_3c6d) + 0x9e37_79b9;
      return state >>> 24;
    }),
  );
}

/** What a table of chunks of these bytes says: the length of the only chunk. */
function chunkLengthIn(table: Uint8Array): number {
  const models = new ModelArena();
  const decoder = new ArithmeticDecoder(models);
  decoder.start(table, 0, table.length);
  return new IntegerDecoder(models, 32, 2).read(decoder, 0, 1);
}

/** A LAZ of one chunk of noise: every sequence of bytes decodes to some points, and some table says that it has this length. */
function lazOfNoise(pointFormat: number, fields: readonly WrittenExtra[], extraBytes: number) {
  const points = pointsOf(30);
  const plain = writeLas({
    minor: 4,
    pointFormat,
    points,
    records: [extraRecord(fields), { user: 'laszip encoded', id: 22_204, content: settingsOf(pointFormat) }],
    extraBytes: points.map(() => Buffer.alloc(extraBytes)),
  });
  const recordLength = baseLengthOf(pointFormat)! + extraBytes;
  const pointOffset = plain.readUInt32LE(96);
  const head = Buffer.from(plain.subarray(0, pointOffset));
  head.writeUInt8(pointFormat | 0x80, 104);
  let table: Buffer;
  let length = 0;
  for (let seed = 1; ; seed++) {
    table = noise(64, seed * 7919);
    length = chunkLengthIn(table);
    if (length > 30_000 && length < 500_000) break;
  }
  const chunk = Buffer.concat([
    noise(recordLength, 5),
    chunkBody(pointFormat, extraBytes, length - recordLength),
  ]);
  const start = Buffer.alloc(8);
  start.writeBigInt64LE(BigInt(pointOffset + 8 + chunk.length));
  const count = Buffer.alloc(8);
  count.writeUInt32LE(1, 4);
  return { file: Buffer.concat([head, start, chunk, count, table]), chunk, recordLength, count: 30 };
}

function settingsOf(pointFormat: number): Buffer {
  const settings = Buffer.alloc(34);
  settings.writeUInt16LE(pointFormat < 6 ? 2 : 3, 0);
  settings.writeUInt32LE(50_000, 12);
  return settings;
}

function chunkBody(pointFormat: number, extraBytes: number, length: number): Buffer {
  if (pointFormat < 6) return noise(length, 11);
  const layers = 9 + (pointFormat >= 7 ? 1 : 0) + extraBytes;
  const head = Buffer.alloc(4 + layers * 4);
  head.writeUInt32LE(30);
  const size = Math.floor((length - head.length) / layers);
  for (let i = 0; i < layers; i++) head.writeUInt32LE(size, 4 + i * 4);
  const parts = Array.from({ length: layers }, (_, i) =>
    i === 0 ? Buffer.alloc(size) : noise(size, i * 31),
  );
  return Buffer.concat([head, ...parts], length);
}

for (const pointFormat of [0, 3, 6, 7]) {
  test(`extra bytes of LAZ of format ${pointFormat} are those that laz-perf reads`, async () => {
    const fields = [
      { name: 'a', type: 3, scale: 0.1 },
      { name: 'b', type: 9 },
      { name: 'c', type: 2 },
    ];
    const { file, chunk, recordLength, count } = lazOfNoise(pointFormat, fields, 7);
    const records = (await openLazPerf())(chunk, { pointFormat, recordLength }, count);
    const plain = writeLas({
      minor: 4,
      pointFormat,
      points: pointsOf(count),
      records: [extraRecord(fields)],
      extraBytes: Array.from({ length: count }, (_, i) =>
        records.subarray(i * recordLength + recordLength - 7, (i + 1) * recordLength),
      ),
    });
    const names = ['a', 'b', 'c'];
    const [packed, expected] = [await extrasOf(file, names), await extrasOf(plain, names)];
    assert.ok(new Set(expected.values.get('c')).size > 10);
    for (const name of names) assert.deepEqual(packed.values.get(name), expected.values.get(name), name);
  });
}

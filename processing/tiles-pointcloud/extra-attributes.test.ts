import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extraRecord, writeLas, type WrittenPoint } from '@platen/formats/las/testing';
import { afterFile } from '../../checks/clean-up.ts';
import { JobFailure } from '../job-type.ts';
import { noNumber } from './attributes.ts';
import { openPointTests, readTileset, type ReadTileset } from './testing.ts';
import { small, town, utm } from './testing-town.ts';

const tests = await openPointTests();
afterFile(() => tests.remove());

const count = 12_000;
/** Points that are told apart by their intensities. */
const numbered = (points: WrittenPoint[], first = 0) =>
  points.map((point, i) => Object.assign(point, { intensity: first + i }));
const points = numbered(town(count));

/** A number of each type, of which each follows from the intensity. */
const numbersOf = (i: number) => ({
  amplitude: Math.fround(i / 7),
  deviation: i % 300 === 0 ? undefined : (i % 500) / 100,
  label: i % 251,
  width: i * 3,
});

const fields = [
  { name: 'Amplitude', type: 9 },
  { name: 'Höhe über Grund', type: 4, scale: 0.01, noData: Buffer.from(BigInt64Array.of(-1n).buffer) },
  { name: '标签', type: 1 },
  { name: 'intensity', type: 3 },
];

function bytesOf(i: number): Buffer {
  const { amplitude, deviation, label, width } = numbersOf(i);
  const bytes = Buffer.alloc(9);
  bytes.writeFloatLE(amplitude, 0);
  bytes.writeInt16LE(deviation === undefined ? -1 : Math.round(deviation * 100), 4);
  bytes.writeUInt8(label, 6);
  bytes.writeUInt16LE(width, 7);
  return bytes;
}

const lasOf = (pointFormat: number) =>
  writeLas({
    minor: 4,
    pointFormat,
    points,
    records: [utm, extraRecord(fields)],
    extraBytes: points.map((_, i) => bytesOf(i)),
  });

const asked = ['intensity', 'Amplitude', 'Höhe über Grund', '标签'];

/** The values of each point, by its intensity. */
function valuesIn({ tiles }: ReadTileset, property: string): Map<number, number> {
  return new Map(
    tiles.flatMap(({ properties }) =>
      Array.from(properties['INTENSITY']!, (intensity, i) => [intensity, properties[property]![i]!] as const),
    ),
  );
}

for (const encoding of ['pnts', 'glb'] as const) {
  test(`every point of ${encoding} has the numbers of its extra bytes`, async () => {
    const file = await tests.put('extra.las', lasOf(7));
    const run = await tests.run([file], {
      ...small,
      modelOptions: { attributes: asked },
      output: { encoding },
    });
    const tileset = await readTileset(run);
    const [amplitudes, heights, labels] = ['AMPLITUDE', 'HOHE_UBER_GRUND', 'EXTRA'].map((property) =>
      valuesIn(tileset, property),
    );
    assert.equal(amplitudes!.size, count);
    for (let i = 0; i < count; i++) {
      const { amplitude, deviation, label } = numbersOf(i);
      assert.equal(amplitudes!.get(i), amplitude);
      assert.equal(heights!.get(i), Math.fround(deviation ?? noNumber));
      assert.equal(labels!.get(i), label);
    }
    if (encoding === 'pnts')
      assert.ok(tileset.tiles.every(({ properties }) => properties['EXTRA'] instanceof Uint8Array));
    const { properties } = run.result.datasource!;
    assert.deepEqual(properties['fields'], [
      { name: 'INTENSITY', type: 'number' },
      { name: 'AMPLITUDE', type: 'number', title: 'Amplitude', noData: noNumber },
      { name: 'HOHE_UBER_GRUND', type: 'number', title: 'Höhe über Grund', noData: noNumber },
      { name: 'EXTRA', type: 'number', title: '标签' },
    ]);
    assert.deepEqual(run.warnings, []);
  });
}

test('extra bytes have styles of their range, without those that have no number', async () => {
  const file = await tests.put('extra.las', lasOf(6));
  const { result } = await tests.run([file], { ...small, modelOptions: { attributes: ['Höhe über Grund'] } });
  const styles = result.datasource!.properties['styles'] as {
    name: string;
    declarativeStyle: { color: { conditions: string[][] } };
  }[];
  const style = styles.find(({ name }) => name === 'Höhe über Grund')!;
  const { conditions } = style.declarativeStyle.color;
  assert.match(conditions[0]![0]!, /^\$\{HOHE_UBER_GRUND\} < -1e20$/);
  const limits = conditions.slice(1, -1).map(([condition]) => Number(/< (.+)$/.exec(condition!)![1]));
  assert.equal(limits.length, 9);
  assert.ok(Math.abs(limits[0]! - 0.5) < 0.02 && Math.abs(limits.at(-1)! - 4.5) < 0.02);
});

test('sheets without an attribute have no number for it, and its types meet in one', async () => {
  const east = numbered(town(3000, 9, [500_300, 5_400_000]), 20_000);
  const inputs = await Promise.all([
    tests.put('with.las', lasOf(6)),
    tests.put('without.las', writeLas({ minor: 4, pointFormat: 6, points: east, records: [utm] })),
  ]);
  const run = await tests.run(inputs, { ...small, modelOptions: { attributes: ['Intensity', '标签'] } });
  const labels = valuesIn(await readTileset(run), 'EXTRA');
  assert.equal(labels.size, count + 3000);
  for (const [intensity, label] of labels)
    assert.equal(label, intensity < 20_000 ? intensity % 251 : Math.fround(noNumber));
});

test('integers that floats cannot hold are told, and an attribute that no file has is refused by name', async () => {
  const file = await tests.put(
    'ids.las',
    writeLas({
      points: points.slice(0, 100),
      records: [utm, extraRecord([{ name: 'Id', type: 5 }])],
      extraBytes: Array.from({ length: 100 }, (_, i) => {
        const bytes = Buffer.alloc(4);
        bytes.writeUInt32LE(2 ** 24 + i);
        return bytes;
      }),
    }),
  );
  const { warnings } = await tests.run([file], { ...small, modelOptions: { attributes: ['Id'] } });
  assert.deepEqual(
    warnings.map(({ code, times }) => [code, times]),
    [['roundedNumbers', 50]],
  );
  await assert.rejects(
    tests.run([file], { ...small, modelOptions: { attributes: ['Amplitude'] } }),
    (error: unknown) =>
      error instanceof JobFailure &&
      /“Amplitude”\. The further ones of the files are Id\./.test(error.message),
  );
});

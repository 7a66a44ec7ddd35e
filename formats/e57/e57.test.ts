import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { BytesError } from '../bytes/bytes.ts';
import { countedBytes } from '../geotiff/testing.ts';
import type { PointFile } from '../points/point-file.ts';
import { crc32c } from './crc32c.ts';
import { openE57 } from './open-e57.ts';
import { paged, unpaged, writeE57, type WrittenField } from './testing.ts';

const open = (content: Buffer): Promise<PointFile> => openE57(countedBytes(content));

const numbers = Array.from({ length: 700 }, (_, i) => i);
const axis = (name: string, factor: number): WrittenField => ({
  name,
  type: 'scaled',
  minimum: -200_000,
  maximum: 200_000,
  scale: 0.001,
  offset: 5,
  values: numbers.map((i) => 5 + i * factor),
});
const cartesian = [axis('cartesianX', 0.01), axis('cartesianY', -0.02), axis('cartesianZ', 0.003)];

const asDoubles = ({ name, values }: WrittenField): WrittenField => ({ name, type: 'double', values });

async function pointsOf(file: PointFile) {
  const parts = await Promise.all(file.partPoints.map((_, part) => file.readPart(part)));
  return parts;
}

function assertNear(found: ArrayLike<number>, expected: readonly number[]): void {
  assert.equal(found.length, expected.length);
  for (const [i, value] of expected.entries())
    assert.ok(Math.abs(found[i]! - value) < 1e-6, `${found[i]} instead of ${value}`);
}

test('CRC-32C is that of the standard', () => {
  // RFC 3720, B.4, and the check value of the CRC catalogue
  assert.equal(crc32c(new Uint8Array(32)), 0x8a91_36aa);
  assert.equal(crc32c(Buffer.from('123456789')), 0xe306_9283);
});

test('scaled integers, floats and integers of any number of bits continue across packets', async () => {
  const content = writeE57({
    scans: [
      {
        fields: [
          ...cartesian,
          { name: 'intensity', type: 'single', minimum: 0, maximum: 1, values: numbers.map((i) => i / 700) },
          {
            name: 'colorRed',
            type: 'integer',
            minimum: 0,
            maximum: 255,
            values: numbers.map((i) => i % 256),
          },
          { name: 'colorGreen', type: 'integer', minimum: 0, maximum: 255, values: numbers.map(() => 7) },
          { name: 'colorBlue', type: 'integer', minimum: 0, maximum: 255, values: numbers.map((i) => i % 3) },
          { name: 'rowIndex', type: 'integer', minimum: 0, maximum: 1023, values: numbers },
          { name: 'returnIndex', type: 'integer', minimum: 0, maximum: 2, values: numbers.map((i) => i % 3) },
          { name: 'returnCount', type: 'integer', minimum: 3, maximum: 3, values: numbers.map(() => 3) },
          { name: 'timeStamp', type: 'double', values: numbers.map((i) => 1e9 + i / 8) },
        ],
      },
    ],
  });
  const file = await open(content);
  const [points] = await pointsOf(file);
  assertNear(
    points!.places,
    numbers.flatMap((i) => [5 + i * 0.01, 5 - i * 0.02, 5 + i * 0.003]),
  );
  assert.deepEqual([...points!.colours!.subarray(297, 303)], [99, 7, 0, 100, 7, 1]);
  assert.equal(points!.intensities![350], 32_768);
  assert.deepEqual([...points!.returns!.subarray(0, 4)], [0x31, 0x32, 0x33, 0x31]);
  assert.equal(points!.gpsTimes![699], 1e9 + 699 / 8);
  assert.deepEqual([file.hasColours, file.hasTimes, await file.brightest()], [true, true, 255]);
  assertNear([...file.min, ...file.max], [5, 5 - 699 * 0.02, 5, 5 + 6.99, 5, 5 + 699 * 0.003]);
});

test('each scan lies where its pose says, and what is invalid is left out', async () => {
  const plain = (name: string, values: readonly number[]): WrittenField => ({ name, type: 'double', values });
  const fields = [
    plain('cartesianX', [1, 2, 3]),
    plain('cartesianY', [0, 0, 0]),
    plain('cartesianZ', [0, 0, 1e300]),
    { name: 'cartesianInvalidState', type: 'integer', minimum: 0, maximum: 2, values: [0, 2, 0] } as const,
  ];
  const half = Math.SQRT1_2;
  const pose = `<pose type="Structure"><rotation type="Structure"><w type="Float">${half}</w><x type="Float"/><y type="Float"/><z type="Float">${half}</z></rotation><translation type="Structure"><x type="Float">100</x><y type="Float">200</y><z type="Float">3</z></translation></pose>`;
  const file = await open(
    writeE57({ scans: [{ fields }, { fields, xml: pose }], crs: 'EPSG:25832', images: 2 }),
  );
  const [first, second] = await pointsOf(file);
  assertNear(first!.places, [1, 0, 0]);
  assertNear(second!.places, [100, 201, 3]);
  assert.deepEqual(
    [file.crs, file.notes.map(({ code, times }) => [code, times])],
    ['EPSG:25832', [['unusedContent', 2]]],
  );
});

test('spherical coordinates become cartesian ones', async () => {
  const fields = [
    { name: 'sphericalRange', type: 'double', values: [2, 2] },
    { name: 'sphericalAzimuth', type: 'double', values: [0, Math.PI / 2] },
    { name: 'sphericalElevation', type: 'double', values: [Math.PI / 6, 0] },
  ] as const;
  const [points] = await pointsOf(await open(writeE57({ scans: [{ fields }] })));
  assertNear(points!.places, [Math.sqrt(3), 0, 1, 0, 2, 0]);
});

test('integers of 64 bits are exact to the last digit of a double', async () => {
  const fields = ['cartesianX', 'cartesianY', 'cartesianZ'].map((name) => ({
    name,
    type: 'scaled' as const,
    minimum: -(2 ** 62),
    maximum: 2 ** 62,
    scale: 1e-9,
    values: [1.123456789, -7.5],
  }));
  const [points] = await pointsOf(await open(writeE57({ scans: [{ fields }] })));
  assertNear(points!.places.slice(0, 4), [1.123456789, 1.123456789, 1.123456789, -7.5]);
});

test('a wrong checksum is named by its page, and numbers of points that lie are counted', async () => {
  const whole = writeE57({ scans: [{ fields: cartesian }] });
  const wrong = Buffer.from(whole);
  wrong[2100] = wrong[2100]! ^ 1;
  const file = open(wrong).then(pointsOf);
  await assert.rejects(
    file,
    (error) => error instanceof BytesError && /checksum of its page 3/.test(error.message),
  );
  const more = await open(writeE57({ scans: [{ fields: cartesian, recordCount: 1e15 }] }));
  assert.equal(more.partPoints.reduce((sum, points) => sum + points, 0) < 710, true);
  assert.deepEqual(
    more.notes.map(({ code }) => code),
    ['cutSheet'],
  );
  const none = writeE57({
    scans: [{ fields: cartesian.map(({ name }) => ({ name, type: 'double', values: [] })) }],
  });
  await assert.rejects(open(none), /no points/);
});

/** CI makes 200. */
const mutants = 2 * Number(process.env['PLATEN_MUTANTS'] ?? 40);

test('a damaged E57 with right checksums is read, or refused with a reason', async () => {
  const content = unpaged(
    writeE57({
      scans: [{ fields: cartesian }, { fields: cartesian.map(asDoubles) }],
    }),
  );
  let state = 1;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  for (let i = 0; i < mutants; i++) {
    const copy = Buffer.from(content);
    for (let change = 0; change < 4; change++) {
      // the head, the heads of sections and packets, and the description are met as often as the points
      const at = [random(48), 48 + random(300), content.length - 1 - random(2500), random(copy.length)][
        change % 4
      ]!;
      copy[at] = random(3) === 0 ? 255 : random(256);
    }
    const file = await open(paged(copy)).catch((error: unknown) => error);
    if (file instanceof Error) assert.ok(file instanceof BytesError, String(file.stack));
    else
      await pointsOf(file as PointFile).catch((error: unknown) =>
        assert.ok(error instanceof BytesError, String((error as Error).stack)),
      );
  }
});

const sample = join(
  process.env['PLATEN_SAMPLE_DATA'] ?? join(import.meta.dirname, '../../../shared/data'),
  'points/bunny.e57',
);
const skip = existsSync(sample) ? false : `SKIPPED: ${sample} is not there`;

test('the bunny has all of its points, within the box that it names', { skip }, async () => {
  const file = await open(readFileSync(sample));
  const [points] = await pointsOf(file);
  assert.equal(points!.count, 30_571);
  for (let axis = 0; axis < 3; axis++) {
    const values = points!.places.filter((_, i) => i % 3 === axis);
    assertNear([Math.min(...values), Math.max(...values)], [file.min[axis]!, file.max[axis]!]);
  }
});

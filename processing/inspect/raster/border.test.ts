import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keysOf, writeTiff, type WrittenImage } from '@platen/formats/geotiff/testing';
import { suggestJobs } from '../../suggest-jobs.ts';
import { codesOf, inspectFile } from '../testing-subject.ts';

const [width, height] = [300, 260];
const place = { keys: keysOf(25_832), scale: [2, 2], tie: [0, 0, 0, 690_000, 5_330_000, 0] } as const;
/** Whether a pixel lies in a sheet that is turned by a quarter of a radian. */
const isInside = (x: number, y: number): boolean => {
  const [u, v] = [(x - 150) * 0.97 + (y - 130) * 0.25, (y - 130) * 0.97 - (x - 150) * 0.25];
  return Math.abs(u) < 110 && Math.abs(v) < 85;
};
const shade = (x: number, y: number, band: number): number => 60 + ((x * 7 + y * 3 + band * 40) % 150);

async function maskOf(image: Partial<WrittenImage>, noData?: string) {
  const base = { width, height, bands: 3, photometric: 2, sample: shade };
  const tiff = writeTiff({
    images: [{ ...base, ...image }],
    ...place,
    ...(noData !== undefined && { noData }),
  });
  const report = await inspectFile('sheet.tif', tiff);
  return { mask: suggestJobs(report, 2).suggestion?.options['mask'], codes: codesOf(report) };
}

for (const [colour, value] of [
  ['black', 0],
  ['white', 255],
] as const)
  test(`the ${colour} around a turned sheet is suggested to become transparent`, async () => {
    const { mask, codes } = await maskOf({
      sample: (x, y, band) => (isInside(x, y) ? shade(x, y, band) : value),
    });
    assert.deepEqual(mask, { collar: colour });
    assert.ok(codes.includes('opaqueBorder'), String(codes));
  });

test('a value around an image of 16 bits is suggested as no data, beside the one that the file declares', async () => {
  const image = {
    bits: 16 as const,
    sample: (x: number, y: number, band: number) => (isInside(x, y) ? 900 + shade(x, y, band) * 20 : 65_535),
  };
  assert.deepEqual((await maskOf(image)).mask, { noData: [65_535] });
  assert.deepEqual((await maskOf(image, '1')).mask, { noData: [1, 65_535] });
});

test('what is no border of a sheet stays: plans on white paper, dark water at the edge, declared no data, few pixels', async () => {
  const lines = (x: number, y: number): number =>
    Math.hypot(x - 100, y - 130) < 60 !== Math.hypot(x - 100, y - 130) < 55 || (x > 200 && y === 40)
      ? 0
      : 255;
  const water = (x: number, y: number): number => (y > 130 + 40 * Math.sin(x / 30) ? 3 : shade(x, y, 0));
  for (const [image, noData] of [
    [{}, undefined],
    [{ sample: lines }, undefined],
    [{ sample: water }, undefined],
    [{ sample: (x: number, y: number, band: number) => (x < 40 ? 0 : shade(x, y, band)) }, '0'],
    [
      { sample: (x: number, y: number, band: number) => (x < 1 && y < 90 ? 0 : shade(x, y, band)) },
      undefined,
    ],
  ] as const) {
    const { mask, codes } = await maskOf(image, noData);
    assert.deepEqual([mask, codes.includes('opaqueBorder')], [undefined, false]);
  }
});

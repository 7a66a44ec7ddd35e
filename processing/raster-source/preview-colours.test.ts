import assert from 'node:assert/strict';
import { test } from 'node:test';
import { previewColours, type SampleOfPixels } from './preview-colours.ts';

const side = 40;

/** Of one band: the number that a function gives to each place. */
function sampleBy(numberAt: (x: number, y: number) => number): SampleOfPixels {
  const samples = Float32Array.from({ length: side * side }, (_, i) =>
    numberAt(i % side, Math.floor(i / side)),
  );
  return { width: side, height: side, bands: 1, alphaBand: undefined, samples, areColours: false, step: 4 };
}

const pixel = (rgba: Uint8Array, x: number, y: number) => [
  ...rgba.subarray((y * side + x) * 4, (y * side + x + 1) * 4),
];

test('numbers are stretched without their outliers, unless a range is given', async () => {
  const ascending = sampleBy((x, y) => (x === 0 && y === 0 ? 1e6 : x * 100));
  const { rgba, range } = await previewColours(ascending, {});
  assert.deepEqual(range, [0, 3900]);
  assert.deepEqual(pixel(rgba, 0, 1), [0, 0, 0, 255]);
  assert.deepEqual(pixel(rgba, 39, 1), [255, 255, 255, 255]);
  const given = await previewColours(ascending, { colour: { range: [1000, 2000] } });
  assert.deepEqual(pixel(given.rgba, 10, 5), [0, 0, 0, 255]);
  assert.deepEqual(pixel(given.rgba, 20, 5), [255, 255, 255, 255]);
});

test('a stretch cuts off as much as is asked for, also of colours of 8 bits', async () => {
  const samples = Uint8Array.from({ length: 100 }, (_, i) => 50 + i);
  const sample = {
    width: 10,
    height: 10,
    bands: 1,
    alphaBand: undefined,
    samples,
    areColours: true,
    step: 1,
  };
  const rangeWith = async (stretch?: number) =>
    (await previewColours(sample, { colour: stretch === undefined ? {} : { stretch } })).range;
  assert.equal(await rangeWith(), undefined);
  assert.deepEqual(await rangeWith(0), [50, 149]);
  assert.deepEqual(await rangeWith(10), [59, 139]);
});

test('a ramp colours the sample, and no data is transparent', async () => {
  const { rgba, ramp } = await previewColours(
    sampleBy((x) => (x < 5 ? NaN : x)),
    { colour: { ramp: 'Viridis' } },
  );
  assert.equal(pixel(rgba, 2, 2)[3], 0);
  assert.deepEqual(
    ramp!.stops.map(({ value }) => value).filter((_, i) => i % 8 === 0),
    [5, 39],
  );
  assert.deepEqual(pixel(rgba, 5, 2), [71, 42, 122, 255]);
  const none = await previewColours(
    sampleBy((x) => x),
    { mask: { noData: [7] } },
  );
  assert.equal(pixel(none.rgba, 7, 0)[3], 0);
  assert.equal(pixel(none.rgba, 8, 0)[3], 255);
});

test('the collar around a sheet is hidden, not the black in it', async () => {
  const isInside = (x: number, y: number) => x > 8 && x < 32 && y > 8 && y < 32;
  const grey = (x: number, y: number) => (isInside(x, y) && !(x === 20 && y === 20) ? 200 : 0);
  const sheet = { ...sampleBy(grey), areColours: true };
  const { rgba } = await previewColours(sheet, { mask: { collar: 'auto' } });
  assert.equal(pixel(rgba, 1, 1)[3], 0);
  assert.deepEqual(pixel(rgba, 20, 20), [0, 0, 0, 255]);
  assert.deepEqual(pixel(rgba, 15, 15), [200, 200, 200, 255]);
});

test('options that contradict themselves say so', async () => {
  await assert.rejects(
    previewColours(
      sampleBy((x) => x),
      { colour: { ramp: 'Grey', bands: [1, 2, 3] } },
    ),
    /colours one band/,
  );
});

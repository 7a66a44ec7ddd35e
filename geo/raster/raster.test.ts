import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fillHidden } from './fill-hidden.ts';
import { halveByMode, halvePixels, type PixelMeaning, type PixelSamples } from './halve-pixels.ts';

const plain: PixelMeaning = { bands: 1, isNearest: false, noData: undefined, alphaBand: undefined };

/** The parent of one square of 4 × 4 pixels in its upper left quarter. */
function halve<T extends PixelSamples>(
  child: T,
  meaning: Partial<PixelMeaning> = {},
  { mask, size = 4 }: { readonly mask?: Uint8Array; readonly size?: number } = {},
): { readonly samples: T; readonly mask: Uint8Array } {
  const parent = { samples: child.slice().fill(0) as T, mask: new Uint8Array(16) };
  const quarter = { side: 4, width: size, height: size, right: 0, down: 0 } as const;
  halvePixels(parent, { samples: child, mask }, { quarter, meaning: { ...plain, ...meaning } });
  return parent;
}

const random = (length: number, max: number): number[] =>
  Array.from(
    { length },
    (_, i) => Math.floor(((Math.sin(i * 12.9898 + max) * 43_758.5453) % 1) * max + max) % max,
  );

test('four pixels become their mean, rounded half up, also below zero', () => {
  const { samples } = halve(Int16Array.from([1, 2, -5, -6, 2, 2, -6, -5, 9, 9, 9, 9, 9, 9, 9, 9]));
  assert.deepEqual([samples[0], samples[1], samples[4]], [2, -5, 9]);
});

test('what is no data does not count, and no mean becomes no data', () => {
  const child = Int16Array.from([-1, 1, 0, 0, -1, 1, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0]);
  const { samples } = halve(child, { noData: 0 });
  assert.deepEqual([samples[0], samples[1], samples[4]], [1, 0, 5]);
  const highest = halve(Uint8Array.from([254, 255, 0, 0, 254, 255, 0, 0, ...random(8, 9)]), { noData: 255 });
  assert.equal(highest.samples[0], 254);
  const floats = halve(Float32Array.from([NaN, 1, NaN, NaN, 3, NaN, NaN, NaN, ...random(8, 9)]), {
    noData: NaN,
  });
  assert.deepEqual([floats.samples[0], floats.samples[1]], [2, NaN]);
});

test('hidden pixels do not count, and one that is shown shows the parent', () => {
  const mask = Uint8Array.from([1, 0, 0, 0, 0, 0, 0, 0, ...Array.from({ length: 8 }, () => 1)]);
  const parent = halve(Uint8Array.from([8, 100, 4, 4, 100, 100, 4, 4, ...random(8, 200)]), {}, { mask });
  assert.deepEqual([parent.samples[0], parent.mask[0], parent.mask[1], parent.mask[4]], [8, 1, 0, 1]);
});

test('the last row and column of an odd size count for themselves', () => {
  const { samples } = halve(
    Uint8Array.from([1, 1, 7, 200, 1, 1, 9, 200, 3, 5, 4, 200, 200, 200, 200, 200]),
    {},
    { size: 3 },
  );
  assert.deepEqual([samples[0], samples[1], samples[4], samples[5]], [1, 8, 4, 4]);
});

test('colours are weighed by alpha, by the fast way for bytes as by the slow one', () => {
  const rgba = Uint8Array.from(random(64, 256));
  for (let i = 3; i < 16; i += 4) rgba[i] = 255;
  const fast = halve(rgba, { bands: 4, alphaBand: 3 });
  const slow = halve(Uint16Array.from(rgba), { bands: 4, alphaBand: 3 });
  for (const pixel of [0, 1, 4, 5])
    assert.deepEqual(
      [...fast.samples.subarray(pixel * 4, pixel * 4 + 4)],
      [...slow.samples.subarray(pixel * 4, pixel * 4 + 4)],
    );
});

test('hidden pixels near shown ones get the colour of the nearest in their row or column', () => {
  const side = 64;
  const square = { rgb: new Uint8Array(side * side * 3).fill(77), alpha: new Uint8Array(side * side), side };
  const { rgb, alpha } = square;
  for (let y = 0; y < 20; y++)
    for (let x = 10; x < 30; x++) {
      rgb.set([200, x, y], (y * side + x) * 3);
      alpha[y * side + x] = 255;
    }
  fillHidden(square, { left: 0, top: 0, side });
  const at = (x: number, y: number): number[] => [
    ...rgb.subarray((y * side + x) * 3, (y * side + x) * 3 + 3),
  ];
  assert.deepEqual(at(15, 5), [200, 15, 5]);
  assert.deepEqual(at(0, 5), [200, 10, 5]);
  assert.deepEqual(at(40, 5), [200, 29, 5]);
  assert.deepEqual(at(40, 30), [200, 29, 19]);
  assert.deepEqual(at(60, 5), [0, 0, 0]);
});

test('the most frequent of four colours is kept, of those that are shown', () => {
  const [red, green, none] = [0xff_00_00_ff | 0, 0xff_00_ff_00 | 0, 0];
  const words = Int32Array.from([
    red,
    green,
    none,
    green,
    green,
    red,
    none,
    none,
    none,
    none,
    red,
    green,
    none,
    none,
    green,
    red,
  ]);
  const made = halveByMode(new Uint8Array(words.buffer), 4);
  assert.deepEqual([...new Int32Array(made.buffer)], [red, green, none, red]);
});

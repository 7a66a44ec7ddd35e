import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { blendBelow, edgeWeights } from './feather.ts';

const side = 24;
const shown = (isShown: (x: number, y: number) => boolean): Uint8Array => {
  const rgba = new Uint8Array(side * side * 4);
  for (let i = 0; i < side * side; i++) rgba[i * 4 + 3] = isShown(i % side, Math.floor(i / side)) ? 255 : 0;
  return rgba;
};
const window = (rgba: Uint8Array) => ({ rgba, column: 0, row: 0, width: side, height: side });

test('weights rise from the edges of the image and from hidden pixels', () => {
  const whole = edgeWeights(window(shown(() => true)), { width: side, height: side }, 8);
  const at = (weights: Uint8Array, x: number, y: number): number => weights[(y * side + x) * 4]!;
  assert.deepEqual(
    [0, 3, 7, 12].map((x) => at(whole, x, 12)),
    [32, 128, 255, 255],
  );
  const cut = edgeWeights(window(shown((x) => x > 9)), { width: 1000, height: 1000 }, 8);
  assert.deepEqual([at(cut, 10, 23), at(cut, 13, 23), at(cut, 20, 23)], [32, 128, 255]);
});

test('a part of an image has the weights of the whole, if it reaches far enough', () => {
  const anyHidden = fc.uniqueArray(fc.nat(side * side - 1), { maxLength: 12 });
  fc.assert(
    fc.property(anyHidden, (hidden) => {
      const rgba = shown((x, y) => !hidden.includes(y * side + x));
      const whole = edgeWeights(window(rgba), { width: side, height: side }, 4);
      const rows = 12;
      const part = { rgba: rgba.subarray(0, rows * side * 4), column: 0, row: 0, width: side, height: rows };
      const upper = edgeWeights(part, { width: side, height: side }, 4);
      const kept = (rows - 4) * side * 4;
      assert.deepEqual(upper.subarray(0, kept), whole.subarray(0, kept));
    }),
  );
});

test('what is alone keeps its colour, and what lies below shows through as far as the upper leaves room', () => {
  const target = { rgba: new Uint8Array(12), cover: new Uint8Array(3) };
  const weights = Uint8Array.of(1, 0, 0, 255, 51, 0, 0, 255, 255, 0, 0, 255);
  blendBelow(target, { rgba: Uint8Array.of(200, 0, 0, 255, 200, 0, 0, 255, 200, 0, 0, 255), weights });
  assert.deepEqual([...target.rgba], [200, 0, 0, 255, 200, 0, 0, 255, 200, 0, 0, 255]);
  const full = new Uint8Array(12).fill(255);
  blendBelow(target, { rgba: Uint8Array.of(0, 0, 0, 0, 100, 0, 0, 255, 100, 0, 0, 255), weights: full });
  assert.deepEqual([...target.rgba], [200, 0, 0, 255, 120, 0, 0, 255, 200, 0, 0, 255]);
  assert.deepEqual([...target.cover], [1, 255, 255]);
});

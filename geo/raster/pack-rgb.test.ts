import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packRgb, unpackRgb } from './pack-rgb.ts';

const colours = Uint8Array.from({ length: 64 * 3 }, (_, i) => Math.imul(i + 1, 2_654_435_761) >>> 24);
const wordsOf = (bytes: Uint8Array): Int32Array =>
  new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);

test('three bytes become four and four become three, in their order', () => {
  const rgba = new Uint8Array(64 * 4);
  unpackRgb(wordsOf(colours), wordsOf(rgba));
  for (let pixel = 0; pixel < 64; pixel++)
    assert.deepEqual(
      [...rgba.subarray(pixel * 4, pixel * 4 + 4)],
      [...colours.subarray(pixel * 3, pixel * 3 + 3), 255],
    );
  const rgb = new Uint8Array(64 * 3);
  assert.ok(packRgb(wordsOf(rgba), wordsOf(rgb)));
  assert.deepEqual(rgb, colours);
});

test('one pixel that is not opaque is noticed, wherever it is', () => {
  for (let hidden = 0; hidden < 64; hidden++) {
    const rgba = new Uint8Array(64 * 4).fill(255);
    rgba[hidden * 4 + 3] = 254;
    assert.ok(!packRgb(wordsOf(rgba), new Int32Array(48)), `pixel ${hidden}`);
  }
});

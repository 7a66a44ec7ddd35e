import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inflateSync } from 'node:zlib';
import { packSample } from './pack-sample.ts';

function unpacked(data: string): Uint16Array {
  const bytes = inflateSync(Buffer.from(data, 'base64'));
  return new Uint16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

test('numbers are packed as shares of their range, no data as 0', () => {
  const values = Float64Array.of(-3, 7, -9999, NaN);
  const packed = packSample(
    { width: 2, height: 2, bands: 1, values },
    { width: 200, noData: -9999, alphaBand: undefined },
  )!;
  assert.deepEqual(packed.range, [-3, 7]);
  assert.equal(packed.step, 100);
  assert.deepEqual([...unpacked(packed.data)], [1, 65_535, 0, 0]);
});

test('samples that cannot be packed well become smaller, and stay within the limit of reports', () => {
  const values = Float64Array.from({ length: 512 * 512 * 4 }, (_, i) => (i * 2_654_435_761) % 65_536);
  const packed = packSample(
    { width: 512, height: 512, bands: 4, values },
    { width: 10_000, noData: undefined, alphaBand: 3 },
  )!;
  assert.ok(packed.data.length <= 90_000 && packed.width >= 80, `${packed.width}: ${packed.data.length}`);
  assert.equal(packed.alphaBand, 3);
  assert.equal(unpacked(packed.data).length, packed.width * packed.height * 4);
});

test('a sample without a number is none', () => {
  const nothing = { width: 1, height: 1, bands: 1, values: Float64Array.of(NaN) };
  assert.equal(packSample(nothing, { width: 1, noData: undefined, alphaBand: undefined }), undefined);
});

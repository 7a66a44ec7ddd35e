import assert from 'node:assert/strict';
import { test } from 'node:test';
import { indexRanges, type BucketRanges } from './bucket-ranges.ts';

test('rows of buckets are found in the order in which tasks wrote them, far behind in files, too', () => {
  const far = 5 * 2 ** 32;
  const index = indexRanges([
    {
      range: { path: 'a', start: far, end: far + 60 },
      buckets: Uint32Array.of(7, 2),
      bytes: Uint32Array.of(40, 20),
    },
    { range: { path: 'b', start: 0, end: 0 }, buckets: new Uint32Array(0), bytes: new Uint32Array(0) },
    { range: { path: 'c', start: 8, end: 18 }, buckets: Uint32Array.of(2), bytes: Uint32Array.of(10) },
  ]);
  assert.deepEqual(index.buckets, [7, 2]);
  assert.deepEqual([7, 2, 3].map(index.bytesOf), [40, 30, 0]);
  assert.deepEqual(index.rangesOf(2), [
    { path: 'a', start: far + 40, end: far + 60 },
    { path: 'c', start: 8, end: 18 },
  ]);
  assert.deepEqual(index.rangesOf(3), []);
});

test('a million rows of buckets take less than 40 bytes each', () => {
  const buckets = Uint32Array.from({ length: 1000 }, (_, i) => i);
  const written = (i: number): BucketRanges => ({
    range: { path: 'a', start: i * 1000, end: (i + 1) * 1000 },
    buckets: buckets.slice(),
    bytes: new Uint32Array(1000).fill(1),
  });
  const used = (): number => {
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const before = used();
  const index = indexRanges(Array.from({ length: 1000 }, (_, i) => written(i)));
  assert.ok(used() - before < 40e6, `${used() - before}`);
  assert.equal(index.bytesOf(999), 1000);
});

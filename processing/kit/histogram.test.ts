import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addHistogram, countNumber, createHistogram, quantilesOf, type Histogram } from './histogram.ts';

function histogramOf(values: readonly number[]): Histogram {
  const histogram = createHistogram();
  for (const value of values) countNumber(histogram, value);
  return histogram;
}

test('few values are exact', () => {
  const years = Array.from({ length: 10_000 }, (_, i) => 1890 + (i % 135));
  assert.deepEqual(quantilesOf(histogramOf(years), 3), [1890, 1957, 2024]);
  assert.deepEqual(quantilesOf(histogramOf([7]), 3), [7, 7, 7]);
  assert.deepEqual(quantilesOf(createHistogram(), 3), []);
});

test('quantiles of many values are near the true ones, in bounded memory', () => {
  const values = Array.from({ length: 100_000 }, (_, i) => Math.exp(((i * 7919) % 100_000) / 10_000) - 5);
  const histogram = histogramOf(values);
  assert.ok(histogram.bins.size <= 1024);
  const sorted = values.toSorted((one, other) => one - other);
  for (const [i, quantile] of quantilesOf(histogram, 51).entries()) {
    const exact = sorted[Math.round((i * 99_999) / 50)]!;
    assert.ok(Math.abs(quantile - exact) <= 0.07 * Math.abs(exact), `${quantile} for ${exact}`);
  }
});

test('the order of values and their division among threads make no difference', () => {
  const number = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.float({ noNaN: true, noDefaultInfinity: true }),
  );
  const lists = fc.array(fc.array(number, { maxLength: 900 }), { maxLength: 4 });
  fc.assert(
    fc.property(lists, (parts) => {
      const whole = histogramOf(parts.flat().toReversed());
      const merged = createHistogram();
      for (const part of parts) addHistogram(merged, histogramOf(part));
      assert.equal(merged.droppedBits, whole.droppedBits);
      assert.deepEqual(merged.bins, whole.bins);
      assert.ok(whole.bins.size <= 1024);
    }),
    { numRuns: 30 },
  );
});

test('numbers of all magnitudes fit', () => {
  const values = Array.from({ length: 4000 }, (_, i) => (i % 2 === 0 ? 1 : -1) * 2 ** ((i % 2000) - 1000));
  const histogram = histogramOf([...values, 0, -0, Number.MAX_VALUE, Number.MIN_VALUE]);
  assert.ok(histogram.bins.size <= 1024);
  assert.ok([...histogram.bins.keys()].every(Number.isFinite));
});

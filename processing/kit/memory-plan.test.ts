import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dataBytes, maxFeatureBytesOf, memoryBudget, planMemory } from './memory-plan.ts';

const megabyte = 2 ** 20;
const shares = {
  records: { weight: 3 },
  tile: { weight: 1, isPerWorker: true, minBytes: megabyte, maxBytes: 50 * megabyte },
} as const;
const plan = (megabytes: number, workers: number) =>
  planMemory({ budgetBytes: megabytes * megabyte, workers, shares });

test('a job plans with what its options ask for, and with no more than 80 % of what the runner allows', () => {
  assert.equal(memoryBudget(1024, undefined), 1024 * megabyte);
  assert.equal(memoryBudget(1024, { memoryMegabytes: 8192 }), 1024 * megabyte);
  assert.equal(memoryBudget(1024, { memoryMegabytes: 300 }), 240 * megabyte);
});

test('the shares follow their weights, and those of all workers together stay within the budget', () => {
  for (const [megabytes, workers] of [
    [512, 2],
    [1024, 8],
    [4096, 32],
  ] as const) {
    const { bytes, workers: used, budgetBytes } = plan(megabytes, workers);
    assert.equal(used, workers === 32 ? 32 : Math.min(workers, used));
    assert.ok(Math.abs(bytes.records - 3 * bytes.tile * used) < used * 4 || bytes.tile === 50 * megabyte);
    assert.ok(bytes.records + bytes.tile * used + used * 56 * megabyte < budgetBytes);
  }
  assert.equal(plan(4096, 1).bytes.tile, 50 * megabyte);
});

test('with little memory there are fewer workers and smaller shares, and never none', () => {
  assert.deepEqual(
    [16, 205, 512, 1024, 4096].map((megabytes) => plan(megabytes, 64).workers),
    [1, 1, 3, 9, 42],
  );
  const tiny = plan(1, 64);
  assert.deepEqual([tiny.workers, tiny.bytes.tile], [1, megabyte]);
  assert.ok(tiny.bytes.records > 100_000);
});

test('the largest feature is an eighth of what remains for data without workers', () => {
  assert.equal(dataBytes(1024 * megabyte), 920 * megabyte);
  assert.equal(dataBytes(16 * megabyte), 4 * megabyte);
  assert.equal(maxFeatureBytesOf(1024 * megabyte), 115 * megabyte);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFairQueue } from './fair-queue.ts';

test('tenants take turns, and those without running items come first', () => {
  const queue = createFairQueue<string>(10);
  for (const item of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) queue.add(item[0]!, item, 9);
  const taken = Array.from({ length: 4 }, () => queue.take(() => false));
  assert.deepEqual(taken, ['a1', 'b1', 'c1', 'a2']);
  assert.equal(
    queue.take((tenant) => tenant === 'b'),
    'a3',
  );
  assert.equal(
    queue.take((tenant) => tenant === 'b'),
    'b2', // nobody else waits
  );
  assert.equal(
    queue.take(() => false),
    undefined,
  );
});

test('the queue and the part of each tenant are bounded, and items can be removed', () => {
  const queue = createFairQueue<number>(3);
  assert.deepEqual(
    [1, 2, 3].map((item) => queue.add('a', item, 2)),
    [true, true, false],
  );
  assert.deepEqual([queue.add('b', 4, 2), queue.add('c', 5, 2)], [true, false]);
  queue.remove('a', 1);
  queue.remove('a', 9);
  assert.equal(queue.size, 2);
  assert.ok(queue.add('c', 5, 2));
});

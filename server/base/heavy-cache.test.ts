import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heavyCache } from './heavy-cache.ts';

test('the least recently used entries are evicted above the total weight; the last one stays in any case', async () => {
  const made: string[] = [];
  const cache = heavyCache<number>(10, (weight) => weight);
  const get = (key: string, weight: number) =>
    cache.get(key, async () => {
      made.push(key);
      return weight;
    });
  await get('a', 4);
  await get('b', 4);
  await get('a', 4);
  await get('c', 4); // b goes
  await get('a', 4);
  await get('b', 4);
  assert.deepEqual(made, ['a', 'b', 'c', 'b']);
  await get('huge', 99);
  await get('huge', 99);
  assert.deepEqual(made.slice(4), ['huge']);
});

test('a failure that lasts is kept for a while', async () => {
  let made = 0;
  const cache = heavyCache<number>(10, () => 1, {
    isLasting: (error) => error instanceof RangeError,
    keepMs: 60_000,
  });
  const fail = (error: Error) => async () => {
    made += 1;
    throw error;
  };
  for (let i = 0; i < 2; i++) await assert.rejects(cache.get('lasting', fail(new RangeError())), RangeError);
  assert.equal(made, 1);
  for (let i = 0; i < 2; i++) await assert.rejects(cache.get('passing', fail(new TypeError())), TypeError);
  assert.equal(made, 3);
});

test('simultaneous requests compute a value once, and a failure is computed again', async () => {
  let made = 0;
  const cache = heavyCache<number>(10, () => 1);
  const make = async () => {
    if (++made === 1) throw new Error('no');
    return made;
  };
  const both = await Promise.allSettled([cache.get('a', make), cache.get('a', make)]);
  assert.deepEqual(
    both.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.equal(await cache.get('a', make), 2);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { briefCache } from './brief-cache.ts';

test('simultaneous equal questions are asked once, until the cache is cleared', async () => {
  const cache = briefCache<number>({ lifetimeMs: 60_000, limit: 10, mayHold: () => true });
  let asked = 0;
  const ask = async () => ++asked;
  assert.deepEqual(await Promise.all([cache.get('a', ask), cache.get('a', ask)]), [1, 1]);
  assert.equal(await cache.get('b', ask), 2);
  cache.clear();
  assert.equal(await cache.get('a', ask), 3);
});

test('nothing is cached while changes could be missed, after its time, or for a failure', async () => {
  let isLive = false;
  let asked = 0;
  const ask = async () => ++asked;
  const cache = briefCache<number>({ lifetimeMs: 60_000, limit: 10, mayHold: () => isLive });
  await cache.get('a', ask);
  assert.equal(await cache.get('a', ask), 2);
  isLive = true;
  await cache.get('a', ask);
  isLive = false;
  assert.equal(await cache.get('a', ask), 4);
  isLive = true;
  const failing = () => Promise.reject(new Error('down'));
  await assert.rejects(cache.get('b', failing));
  assert.equal(await cache.get('b', ask), 5);
  const short = briefCache<number>({ lifetimeMs: 0, limit: 10, mayHold: () => true });
  await short.get('a', ask);
  assert.equal(await short.get('a', ask), 7);
});

test('the oldest answers make room', async () => {
  let asked = 0;
  const ask = async () => ++asked;
  const cache = briefCache<number>({ lifetimeMs: 60_000, limit: 2, mayHold: () => true });
  for (const key of ['a', 'b', 'c']) await cache.get(key, ask);
  assert.deepEqual(
    [await cache.get('c', ask), await cache.get('b', ask), await cache.get('a', ask)],
    [3, 2, 4],
  );
});

test('an answer that is not worth caching is requested again', async () => {
  let asked = 0;
  const ask = async () => ++asked;
  const isWorthHolding = (value: number) => value > 1;
  const cache = briefCache<number>({ lifetimeMs: 60_000, limit: 2, mayHold: () => true, isWorthHolding });
  assert.deepEqual(
    [await cache.get('a', ask), await cache.get('a', ask), await cache.get('a', ask)],
    [1, 2, 2],
  );
});

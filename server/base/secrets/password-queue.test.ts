import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { openPasswordQueue, type Lane } from './password-queue.ts';

/** Computations that end when the test says so. */
function openBench(limits: { maxRunning: number; maxStrangers: number; maxWaiting: number }) {
  const run = openPasswordQueue(limits);
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const begin = (lane: Lane, name: string): Promise<void> =>
    run(lane, () => {
      started.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const end = async (name: string) => {
    ends.get(name)!();
    await setImmediate();
  };
  return { begin, end, started };
}

test('strangers wait for each other, and users that are known overtake them', async () => {
  const { begin, end, started } = openBench({ maxRunning: 2, maxStrangers: 1, maxWaiting: 10 });
  const all = [begin('stranger', 's1'), begin('stranger', 's2'), begin('known', 'k1'), begin('known', 'k2')];
  await setImmediate();
  assert.deepEqual(started, ['s1', 'k1']);
  await end('s1');
  assert.deepEqual(started, ['s1', 'k1', 'k2']);
  await end('k1');
  assert.deepEqual(started, ['s1', 'k1', 'k2', 's2']);
  await end('k2');
  await end('s2');
  await Promise.all(all);
});

test('computations beyond the limit are refused, not collected, and strangers do not take the places of others', async () => {
  const { begin, end, started } = openBench({ maxRunning: 1, maxStrangers: 1, maxWaiting: 2 });
  const admitted = [begin('stranger', 's1'), begin('stranger', 's2'), begin('stranger', 's3')];
  await assert.rejects(begin('stranger', 's4'), { code: 'unavailable', retryAfterSeconds: 5 });
  admitted.push(begin('known', 'k1'));
  await setImmediate();
  for (const name of ['s1', 'k1', 's2', 's3']) await end(name);
  await Promise.all(admitted);
  assert.deepEqual(started, ['s1', 'k1', 's2', 's3']);
});

test('a computation that fails gives its place to the next one', async () => {
  const run = openPasswordQueue({ maxRunning: 1, maxStrangers: 1, maxWaiting: 2 });
  const broken = run('known', () => Promise.reject(new Error('broken')));
  const next = run('known', () => Promise.resolve('done'));
  await assert.rejects(broken, /broken/);
  assert.equal(await next, 'done');
});

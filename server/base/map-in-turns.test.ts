import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mapInTurns } from './map-in-turns.ts';

/** Computes for this long. */
function compute(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

test('many callers share the turns of the event loop, and each gets its items in order', async () => {
  let mapped = 0;
  const work = Array.from({ length: 20 }, (_, caller) =>
    mapInTurns([1, 2, 3, 4], (item) => {
      compute(6);
      mapped += 1;
      return caller * 10 + item;
    }),
  );
  let isOver = false;
  const all = Promise.all(work).finally(() => (isOver = true));
  let [before, maxItems] = [mapped, 0];
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    maxItems = Math.max(maxItems, mapped - before);
    before = mapped;
  }
  // two of one who begins, of one who waited to begin and of one who continues, in up to two turns
  assert.ok(maxItems <= 12, `${maxItems} items in one turn`);
  assert.deepEqual((await all)[7], [71, 72, 73, 74]);
});

test('small work begins at once while others wait for their next turn', async () => {
  let isOver = false;
  const large = Array.from({ length: 10 }, () => mapInTurns([1, 2, 3, 4], () => compute(12)));
  const all = Promise.all(large).finally(() => (isOver = true));
  for (let turns = 0; turns < 12; turns++) await new Promise((resolve) => setImmediate(resolve)); // all have begun
  for (let i = 0; i < 3; i++) assert.deepEqual(await mapInTurns([1], (item) => item), [1]);
  assert.equal(isOver, false);
  await all;
});

test('much small work takes as few turns as the same work of one caller', async () => {
  let isOver = false;
  let turns = 0;
  const small = Array.from({ length: 1000 }, () => mapInTurns([1, 2], () => compute(0.05)));
  const all = Promise.all(small).finally(() => (isOver = true));
  for (; !isOver; turns++) await new Promise((resolve) => setImmediate(resolve));
  await all;
  assert.ok(turns < 200, `${turns} turns`);
});

test('a failure is passed on, and the next caller gets its turn', async () => {
  const failing = mapInTurns([1], () => {
    throw new Error('broken');
  });
  const next = mapInTurns([1, 2], (item) => item * 2);
  await assert.rejects(failing, /broken/);
  assert.deepEqual(await next, [2, 4]);
  assert.deepEqual(await mapInTurns([], () => 1), []);
});

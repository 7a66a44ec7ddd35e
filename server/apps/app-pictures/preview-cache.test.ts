import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { cachePreviews } from './preview-cache.ts';
import type { PreviewOrder } from './draw-preview.ts';

const order = (left: number): PreviewOrder => ({
  view: { worldPixels: 1200, left, top: 0 },
  world: 'world-light',
});

test('each picture is drawn once, one at a time, and again after a failure or a long time', async () => {
  const drawn: number[] = [];
  let atOnce = 0;
  let fails = false;
  const draw = cachePreviews(async ({ view: { left } }) => {
    assert.equal(++atOnce, 1);
    drawn.push(left);
    await sleep(1);
    atOnce--;
    if (fails) throw new Error('No.');
    return Uint8Array.of(left);
  });
  await draw(order(1));
  const asked = [2, 1, 3, 2, 1].map((left) => draw(order(left)));
  assert.deepEqual(
    (await Promise.all(asked)).map(([left]) => left),
    [2, 1, 3, 2, 1],
  );
  assert.deepEqual(drawn, [1, 2, 3]);

  fails = true;
  await assert.rejects(draw(order(4)), /No\./);
  fails = false;
  assert.deepEqual([...(await draw(order(4)))], [4]);
  assert.deepEqual(drawn.splice(0), [1, 2, 3, 4, 4]);

  for (let left = 10; left < 80; left++) {
    await draw(order(left));
    await draw(order(1));
  }
  assert.ok(!drawn.includes(1), 'it was asked for all the time');
  await draw(order(2));
  assert.equal(drawn.at(-1), 2);
});

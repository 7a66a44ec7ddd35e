import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLoopShare } from './loop-share.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('200 uploads with bytes at hand are processed a few per turn of the event loop, in order, and all get theirs', async () => {
  const share = createLoopShare(4 * 64);
  const taken: number[] = [];
  const uploads = Array.from({ length: 200 }, async (_, i) => {
    for (let chunk = 0; chunk < 3; chunk++) {
      await share.take(64);
      taken.push(i);
    }
  });
  let isOver = false;
  void Promise.all(uploads).then(() => (isOver = true));
  let before = 0;
  for (let turns = 0; !isOver; turns++) {
    assert.ok(turns < 400, 'uploads do not wait for ever');
    await turn();
    assert.ok(taken.length - before <= 2 * 4, 'at most the share of two turns between two turns of ours');
    before = taken.length;
  }
  assert.deepEqual(
    taken.slice(0, 200),
    Array.from({ length: 200 }, (_, i) => i),
    'each has its first turn before any has its second',
  );
  assert.equal(taken.length, 600);
});

test('a single upload is not held up', async () => {
  const share = createLoopShare(4 * 64);
  for (let n = 0; n < 20; n++) {
    for (let chunk = 0; chunk < 4; chunk++) assert.equal(share.take(64), undefined);
    assert.ok(share.take(64), 'a turn has its limit');
    await turn();
    await turn();
  }
});

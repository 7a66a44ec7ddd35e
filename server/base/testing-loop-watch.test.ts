import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collectGarbageAbove } from '@platen/processing/kit/collect-garbage';
import { requireShortTurns, watchLoop } from './testing-loop-watch.ts';

const busy = (ms: number) => {
  const { user, system } = process.threadCpuUsage();
  for (;;) {
    const now = process.threadCpuUsage();
    if (now.user + now.system - user - system >= ms * 1000) return;
  }
};

test('the longest turn counts what holds the event loop, and no collection of garbage', async () => {
  const held = await watchLoop(async () => busy(80));
  assert.ok(held.longestTurnMs > 70 && held.longestTurnMs < 160, `${held.longestTurnMs} ms`);
  const kept = Array.from({ length: 1_500_000 }, (_, i) => ({ i, own: [i] }));
  collectGarbageAbove(0); // what its first call compiles
  const from = performance.now();
  const collected = await watchLoop(async () => collectGarbageAbove(0));
  const tookMs = performance.now() - from;
  assert.ok(tookMs > 20, `a collection among ${kept.length} objects takes ${tookMs} ms`);
  assert.ok(collected.longestTurnMs < 5, `${collected.longestTurnMs} of ${tookMs} ms`);
});

test('a turn that is far too long fails, whatever the machine', () => {
  requireShortTurns('short work', { longestTurnMs: 50 });
  assert.throws(() => requireShortTurns('long work', { longestTurnMs: 5000 }), /long work held/);
});

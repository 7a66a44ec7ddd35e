import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JobProgress } from '@platen/contract/jobs';
import { maxPhases } from '@platen/contract/max-phases';
import { throttleProgress } from './throttle-progress.ts';

function start() {
  const sent: JobProgress[] = [];
  return { sent, ...throttleProgress((progress) => void sent.push(progress)) };
}
const shortOf = (sent: JobProgress[]) => sent.map(({ phase, done }) => `${phase} ${done}`);

test('the first and last report of each phase pass at once', () => {
  const { sent, progress, flush } = start();
  for (const phase of ['read', 'cut']) for (let i = 0; i <= 9; i++) progress(phase, i, 9);
  flush();
  assert.deepEqual(shortOf(sent), ['read 0', 'read 9', 'cut 0', 'cut 9']);
});

test('a million reports of one value pass ten times per second', () => {
  const { sent, progress } = start();
  const began = performance.now();
  for (let i = 0; i < 1_000_000; i++) progress('read', 0, 0);
  assert.ok(sent.length <= (performance.now() - began) / 100 + 1, String(sent.length));
});

test('the newest report passes even if nothing follows', async () => {
  const { sent, progress } = start();
  progress('read', 1, 9);
  progress('read', 2, 9);
  progress('read', 3, 9);
  assert.deepEqual(shortOf(sent), ['read 1']);
  await sleep(300);
  assert.deepEqual(shortOf(sent), ['read 1', 'read 3']);
});

test('a job that flits between phases is held back, too', () => {
  const { sent, progress } = start();
  for (let i = 0; i < 100_000; i++) progress(i % 2 ? 'a' : 'b', i, 0);
  assert.ok(sent.length < maxPhases + 100, String(sent.length));
});

test('invalid numbers and overlong names become valid ones', () => {
  const { sent, progress } = start();
  progress('', NaN, -1, Infinity);
  progress('x'.repeat(999), 1e300, Infinity);
  assert.deepEqual(sent[0], { phase: 'run', done: 0, total: 0, secondsLeft: Number.MAX_SAFE_INTEGER });
  assert.deepEqual([sent[1]!.phase.length, sent[1]!.done], [200, Number.MAX_SAFE_INTEGER]);
});

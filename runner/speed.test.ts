import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureSpeed } from './phases.ts';

/** Tells what `at` says of each second. */
function run(at: (second: number) => number, seconds: number, everyMs = 1000) {
  const speed = measureSpeed();
  for (let ms = 0; ms <= seconds * 1000; ms += everyMs) speed.reach(at(ms / 1000), ms);
  return speed;
}

test('steady work has its speed, and ends when predicted', () => {
  const speed = run((second) => 50 * second, 20);
  assert.equal(speed.perSecond(20_000), 50);
  assert.equal(speed.secondsLeft(2000, 20_000), 20);
  assert.equal(speed.secondsLeft(1000, 20_000), 0);
});

test('the speed is that of the last ten seconds, the time that is left follows the mean', () => {
  const speed = run((second) => (second < 20 ? 10 * second : 200 + 90 * (second - 20)), 40);
  assert.equal(speed.perSecond(40_000), 90);
  assert.equal(speed.secondsLeft(4000, 40_000), 40); // 50 in a second on the whole
});

test('work in large steps has an average speed, which falls while nothing happens', () => {
  const speed = run((second) => Math.floor(second / 30) * 300, 90, 30_000);
  assert.equal(speed.perSecond(90_000), 10);
  assert.equal(speed.perSecond(120_000), 5);
});

test('thousands of reports in a second give the same speed as a few', () => {
  assert.equal(run((second) => 1000 * second, 30, 1).perSecond(30_000)! / 1000, 1);
});

test('without enough data or without a total there is no prediction', () => {
  const speed = run((second) => 10 * second, 0.4, 100);
  assert.equal(speed.perSecond(400), undefined);
  assert.equal(speed.secondsLeft(1000, 400), undefined);
  const slow = run((second) => second, 10);
  assert.equal(slow.secondsLeft(10_000, 10_000), undefined); // a thousandth is done
  assert.equal(slow.secondsLeft(0, 10_000), undefined);
  assert.equal(slow.secondsLeft(100, 10_000), 90);
});

test('work that restarts, or starts half done, is predicted from what was done since', () => {
  const speed = run((second) => (second < 10 ? 100 * second : 10 * (second - 10)), 20);
  assert.equal(speed.perSecond(20_000), 10);
  assert.equal(speed.secondsLeft(200, 20_000), 10);
  assert.equal(run((second) => 500 + 10 * second, 20).secondsLeft(1000, 20_000), 30);
});

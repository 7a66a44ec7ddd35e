import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withTimeLeft } from './time-left.ts';

test('the time that is left follows from the time that was taken and the share that is done', () => {
  let ms = 0;
  const reported: (number | undefined)[] = [];
  const progress = withTimeLeft(
    (_phase, _done, _total, secondsLeft) => void reported.push(secondsLeft),
    () => ms,
  );
  progress('read', 0, 100);
  ms = 33_000;
  progress('read', 100, 100);
  ms = 92_000;
  progress('cut', 1, 1);
  progress('unheard-of', 1, 2);
  assert.deepEqual(reported, [undefined, 67, 8, undefined]);
});

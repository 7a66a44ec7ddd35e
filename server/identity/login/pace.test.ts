import assert from 'node:assert/strict';
import { test } from 'node:test';
import { delayAfter, waitOut } from './pace.ts';

test('the delay grows with the failures, up to its maximum', () => {
  assert.deepEqual(
    [-3, 0, 1, 6, 11, 16, 21, 26, 10_000].map((excess) => delayAfter(excess, 5000)),
    [0, 0, 250, 500, 1000, 2000, 4000, 5000, 5000],
  );
});

test('a bounded number of attempts waits for one account, and others wait beside them', async () => {
  const waiting = Array.from({ length: 20 }, () => waitOut(['a', 'network'], 50));
  await assert.rejects(waitOut(['a', 'elsewhere'], 5000), {
    code: 'too_many_requests',
    retryAfterSeconds: 5,
  });
  await waitOut(['b', 'elsewhere'], 1);
  await Promise.all(waiting);
  await waitOut(['a', 'network'], 1);
});

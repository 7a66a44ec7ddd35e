import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createInlinePool } from './inline-pool.ts';

test('tasks run one after the other, and a failed one does not stop the next', async () => {
  const events: string[] = [];
  const pool = createInlinePool({
    async handle(task: string) {
      events.push(`${task} begins`);
      await sleep(5);
      events.push(`${task} ends`);
      if (task === 'b') throw new RangeError('b failed');
      return task.toUpperCase();
    },
    signal: new AbortController().signal,
    close: async () => void events.push('closed'),
  });
  const ends = await Promise.allSettled(['a', 'b', 'c'].map((task) => pool.run(task)));
  assert.deepEqual(
    ends.map((end) => (end.status === 'fulfilled' ? end.value : String(end.reason))),
    ['A', 'RangeError: b failed', 'C'],
  );
  assert.deepEqual(
    events,
    ['a', 'b', 'c'].flatMap((task) => [`${task} begins`, `${task} ends`]),
  );
  assert.deepEqual(await pool.runOnEach('d'), ['D']);
  await pool.close();
  await pool.close();
  assert.deepEqual(events.slice(-2), ['d ends', 'closed']);
  await assert.rejects(pool.run('e'), /was closed/);
});

test('after an abort no further task starts', async () => {
  const stop = new AbortController();
  let handled = 0;
  const pool = createInlinePool({
    handle() {
      handled++;
      stop.abort(new Error('stopped'));
    },
    signal: stop.signal,
  });
  const [first, second] = await Promise.allSettled([pool.run(1), pool.run(2)]);
  assert.deepEqual([first.status, second.status, handled], ['fulfilled', 'rejected', 1]);
});

import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { withRetry } from './job-client.ts';

let nowMs = 0;
mock.method(performance, 'now', () => nowMs);
beforeEach(() => {
  nowMs = 0;
});

const { signal } = new AbortController();

/** Each time it goes on for so long, then the connection breaks; after that many it comes through. */
async function triesOf(lastMs: readonly number[]): Promise<number | 'failed'> {
  let tries = 0;
  const work = async () => {
    const ms = lastMs[tries++];
    if (ms === undefined) return tries;
    nowMs += ms;
    throw new TypeError('fetch failed');
  };
  return withRetry(signal, work).catch(() => 'failed' as const);
}

test('a transfer that breaks off after a minute is restarted, also after other failures', async () => {
  assert.equal(await triesOf([60_000]), 2);
  assert.equal(await triesOf([60_000, 0, 60_000, 60_000]), 5);
});

test('a transfer that always breaks off is given up after the sixth time', async () => {
  const minutes = (times: number) => Array.from({ length: times }, () => 60_000);
  assert.equal(await triesOf(minutes(5)), 6);
  assert.equal(await triesOf(minutes(6)), 'failed');
});

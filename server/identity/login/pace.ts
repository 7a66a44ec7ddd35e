import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../base/failure.ts';
import { createCounts } from '../../base/counts.ts';

const firstDelayMs = 250;
/** Failures that double the delay. */
const doublingFailures = 5;
/** Maximum of attempts that wait in this process, in all and for one key. */
const maxWaiting = 200;
const maxWaitingPerKey = 20;

let waitingInAll = 0;
const waiting = createCounts();

/** How long an attempt waits after `excess` failures beyond those that have no effect. */
export function delayAfter(excess: number, maxDelayMs: number): number {
  if (excess <= 0) return 0;
  return Math.min(maxDelayMs, firstDelayMs * 2 ** ((excess - 1) / doublingFailures));
}

/**
 * Waits before a password is checked, so that the time does not reveal whether it is right.
 * @throws Failure `too_many_requests` if too many attempts are waiting already
 */
export async function waitOut(keys: readonly string[], delayMs: number): Promise<void> {
  if (delayMs <= 0) return;
  const isFull = keys.some((key) => waiting.of(key) >= maxWaitingPerKey);
  if (isFull || waitingInAll >= maxWaiting) {
    throw new Failure('too_many_requests', 'Too many attempts to sign in at once. Try again in a moment.', {
      retryAfterSeconds: Math.max(1, Math.ceil(delayMs / 1000)),
    });
  }
  waitingInAll++;
  for (const key of keys) waiting.add(key);
  try {
    await sleep(delayMs);
  } finally {
    waitingInAll--;
    for (const key of keys) waiting.remove(key);
  }
}

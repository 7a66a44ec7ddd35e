import assert from 'node:assert/strict';

/** When a job is aborted, by the time that the whole of it takes. */
const moments = [0.05, 0.35, 0.65, 0.9];

/**
 * Runs a job in this process, then aborts it at several moments.
 * @returns the longest time from an abort until the job had ended, in seconds that this process ran, and how many aborts came before its end
 */
export async function longestAbort(
  run: (signal: AbortSignal) => Promise<unknown>,
): Promise<{ readonly seconds: number; readonly aborts: number }> {
  const start = performance.now();
  await run(new AbortController().signal);
  const wholeMs = performance.now() - start;
  const waits: number[] = [];
  for (const moment of moments) {
    const controller = new AbortController();
    const reason = new Error('the user has ended the job');
    // by the clock: a job without threads holds up the timer
    const began = performance.now();
    const due = began + moment * wholeMs;
    const before = process.cpuUsage();
    const timer = setTimeout(() => controller.abort(reason), moment * wholeMs);
    const [end] = await Promise.allSettled([run(controller.signal)]);
    clearTimeout(timer);
    if (end.status === 'fulfilled') continue; // it was faster than before
    assert.equal(end.reason, reason);
    const now = performance.now();
    const { user, system } = process.cpuUsage(before);
    // the rest of the time, other processes had the processor
    const share = Math.min(1, (user + system) / 1000 / (now - began));
    waits.push(((now - due) / 1000) * share);
  }
  return { seconds: Math.max(...waits), aborts: waits.length };
}

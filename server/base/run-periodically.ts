import type { Logger } from 'pino';
import { backgroundFailuresOf } from './background-failures.ts';

interface PeriodicWork {
  readonly everyMs: number;
  readonly log: Logger;
  /** Logged when the work begins to fail; it is still repeated. */
  readonly failure: string;
}

/** Runs work at an interval, never twice at once. @returns a function that stops it and waits for running work */
export function runPeriodically(
  { everyMs, log, failure }: PeriodicWork,
  work: (signal: AbortSignal) => Promise<unknown>,
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const failures = backgroundFailuresOf(log);
  let running: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    try {
      await work(signal);
      failures.succeeded(failure);
    } catch (error) {
      if (!signal.aborted) failures.report(failure, error);
    } finally {
      running = undefined;
    }
  };
  const timer = setInterval(() => {
    running ??= run();
  }, everyMs).unref();
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await running;
  };
}

import type { Logger } from 'pino';

interface PeriodicWork {
  readonly everyMs: number;
  readonly log: Logger;
  /** Logged when the work fails; it is still repeated. */
  readonly failure: string;
}

/** Runs work at an interval, never twice at once. @returns a function that stops it and waits for running work */
export function runPeriodically(
  { everyMs, log, failure }: PeriodicWork,
  work: (signal: AbortSignal) => Promise<unknown>,
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    try {
      await work(signal);
    } catch (error) {
      if (!signal.aborted) log.error({ err: error }, failure);
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

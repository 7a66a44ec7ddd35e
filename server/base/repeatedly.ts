import type { Logger } from 'pino';

interface Repeated {
  readonly everyMs: number;
  readonly log: Logger;
  /** What the log says when it fails; it is done again all the same. */
  readonly failure: string;
}

/** Does something again and again, never twice at once. The returned function ends that, after what is under way. */
export function repeatedly(
  { everyMs, log, failure }: Repeated,
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

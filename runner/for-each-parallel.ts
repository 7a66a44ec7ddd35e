interface ParallelOptions {
  readonly atOnce: number;
  readonly signal: AbortSignal;
}

/** Processes items concurrently. If one fails, the others are aborted and awaited. */
export async function forEachParallel<T>(
  items: Iterable<T>,
  { atOnce, signal }: ParallelOptions,
  work: (item: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const waiting = Iterator.from(items);
  const failing = new AbortController();
  const either = AbortSignal.any([signal, failing.signal]);
  const workSome = async (): Promise<void> => {
    try {
      for (const item of waiting) {
        either.throwIfAborted();
        await work(item, either);
      }
    } catch (error) {
      failing.abort(error); // the first error is the reason
    }
  };
  await Promise.all(Array.from({ length: atOnce }, workSome));
  signal.throwIfAborted();
  failing.signal.throwIfAborted();
}

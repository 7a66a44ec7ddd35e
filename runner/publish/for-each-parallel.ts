interface ParallelOptions {
  readonly atOnce: number;
  readonly signal: AbortSignal;
}

/** Does something with each, several at once. When one fails the others are broken off, and nothing of them goes on. */
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
      failing.abort(error); // the first one tells why
    }
  };
  await Promise.all(Array.from({ length: atOnce }, workSome));
  signal.throwIfAborted();
  failing.signal.throwIfAborted();
}

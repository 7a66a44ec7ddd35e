/** Work of other threads, of which some runs at a time. */
export interface PackQueue {
  /** Starts the work as soon as there is room. @throws what earlier work has thrown */
  add(work: () => Promise<void>): Promise<void>;
  /** Waits for all of it. @throws what it has thrown */
  drain(): Promise<void>;
}

export function createPackQueue(atOnce: number): PackQueue {
  const running = new Set<Promise<void>>();
  let failed: { readonly error: unknown } | undefined;
  const throwFailure = (): void => {
    if (failed) throw failed.error;
  };
  return {
    async add(work) {
      while (running.size >= atOnce) await Promise.race(running);
      throwFailure();
      const one = work()
        .catch((error: unknown) => {
          failed ??= { error };
        })
        .finally(() => running.delete(one));
      running.add(one);
    },
    async drain() {
      await Promise.all(running);
      throwFailure();
    },
  };
}

/** Lets the event loop in every now and then, so that an abort arrives and nothing else starves. */
export interface Breather {
  /** Cheap; true if it is time to call `rest`. */
  due(): boolean;
  /** @throws the signal's reason */
  rest(): Promise<void>;
}

const breathMs = 40;

export function createBreather(signal: AbortSignal): Breather {
  let last = performance.now();
  return {
    due: () => performance.now() - last > breathMs,
    async rest() {
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
      last = performance.now();
    },
  };
}

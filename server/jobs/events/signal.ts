/** Wakes one loop when there may be something to do. A signal sent while nothing waits is kept for the next wait. */
export interface Signal {
  readonly set: () => void;
  wait(): Promise<void>;
}

export function newSignal(): Signal {
  let isSet = false;
  let wake: (() => void) | undefined;
  return {
    set() {
      isSet = true;
      wake?.();
    },
    async wait() {
      if (!isSet) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      wake = undefined;
      isSet = false;
    },
  };
}

/** Wakes one loop when there may be something to do. A signal sent while nothing waits is kept for the next wait. */
export interface Bell {
  readonly ring: () => void;
  heard(): Promise<void>;
}

export function newBell(): Bell {
  let hasRung = false;
  let wake: (() => void) | undefined;
  return {
    ring() {
      hasRung = true;
      wake?.();
    },
    async heard() {
      if (!hasRung) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      wake = undefined;
      hasRung = false;
    },
  };
}

/** Tells one loop that there may be something to do. What rings while nobody listens is heard by the next who does. */
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

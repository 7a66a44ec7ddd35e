const maxTurnMs = 10;

/**
 * Maps items, and lets the event loop turn between them, as all of them at once may hold it for too long. All callers share
 * each turn of the event loop: those who begin have a part of it, those who continue another, one after the other. So
 * small work begins at once however much other work there is.
 */
export async function mapInTurns<T, R>(items: readonly T[], map: (item: T) => R): Promise<R[]> {
  const mapped: R[] = [];
  if (beginners.spentMs() >= maxTurnMs) await beginners.nextTurn();
  let share = beginners;
  let leftMs = maxTurnMs;
  for (const item of items) {
    if (leftMs <= 0) {
      share.passOn();
      share = others;
      await share.nextTurn();
      leftMs = maxTurnMs;
    }
    const start = performance.now();
    mapped.push(map(item));
    const ms = performance.now() - start;
    share.spend(ms);
    leftMs -= ms;
  }
  share.passOn();
  return mapped;
}

const [beginners, others] = [createTurnShare(), createTurnShare()];

/** A part of each turn of the event loop. */
function createTurnShare() {
  const waiting: (() => void)[] = [];
  let spent = 0;
  let isScheduled = false;

  const schedule = () => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(begin);
  };

  const begin = () => {
    isScheduled = false;
    spent = 0;
    passOn();
    if (waiting.length > 0) schedule();
  };

  const passOn = () => {
    if (spent < maxTurnMs) waiting.shift()?.();
  };

  return {
    /** Time that was spent in this turn. */
    spentMs: () => spent,
    spend(ms: number): void {
      spent += ms;
      schedule();
    },
    /** Lets the next one begin that waits, if something of this turn is left. */
    passOn,
    /** Resolves in a later turn, in the order of calls. */
    nextTurn(): Promise<void> {
      schedule();
      return new Promise((resume) => waiting.push(resume));
    },
  };
}

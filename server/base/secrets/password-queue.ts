import { Failure } from '../failure.ts';

/** Strangers are those who have not proved who they are: nobody signed in, and no known device. */
export type Lane = 'known' | 'stranger';

interface Limits {
  /** Maximum of computations at a time. */
  readonly maxRunning: number;
  /** Maximum of them for strangers, so that others find a free one. */
  readonly maxStrangers: number;
  /** Maximum of computations that wait, per lane. */
  readonly maxWaiting: number;
}

export type RunQueued = <T>(lane: Lane, work: () => Promise<T>) => Promise<T>;

/**
 * Runs expensive computations, a bounded number at a time; those of known callers first.
 * @throws Failure `unavailable` if too many wait already
 */
export function openPasswordQueue({ maxRunning, maxStrangers, maxWaiting }: Limits): RunQueued {
  const running = { known: 0, stranger: 0 };
  const waiting: Record<Lane, (() => void)[]> = { known: [], stranger: [] };

  const isFree = (lane: Lane): boolean =>
    running.known + running.stranger < maxRunning && (lane === 'known' || running.stranger < maxStrangers);

  const startNext = (): void => {
    for (const lane of ['known', 'stranger'] as const) {
      while (waiting[lane].length > 0 && isFree(lane)) {
        running[lane]++;
        waiting[lane].shift()!();
      }
    }
  };

  return async (lane, work) => {
    if (waiting[lane].length >= maxWaiting) {
      const message = 'Too many passwords are being checked at the moment. Try again in a few seconds.';
      throw new Failure('unavailable', message, { retryAfterSeconds: 5 });
    }
    await new Promise<void>((resolve) => {
      waiting[lane].push(resolve);
      startNext();
    });
    try {
      return await work();
    } finally {
      running[lane]--;
      startNext();
    }
  };
}

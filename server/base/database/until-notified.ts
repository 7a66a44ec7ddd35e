import type { Channel, Notifications } from './notifications.ts';

interface Limits {
  readonly ms: number;
  readonly signal: AbortSignal;
}

interface Waiting {
  /** True at the next notification that `isOurs`, false when the time is over or the signal aborted. */
  next(isOurs?: (payload: string) => boolean): Promise<boolean>;
  end(): void;
}

/** Without the listening connection notifications are missed: then it is worth a look this often. */
const blindMs = 1000;

/** One long poll: waits for notifications on a channel, within one limit of time for all of them. */
export function untilNotified(
  notifications: Notifications,
  channel: Channel,
  { ms, signal }: Limits,
): Waiting {
  let wake: (notified: boolean) => void = () => {};
  let isOver = signal.aborted;
  let isOurs = (_payload: string) => true;
  const off = notifications.on(channel, (payload) => {
    if (isOurs(payload)) wake(true);
  });
  const over = () => {
    isOver = true;
    wake(false);
  };
  const timer = setTimeout(over, ms);
  const lookAgain = setInterval(() => !notifications.isLive() && wake(true), blindMs);
  signal.addEventListener('abort', over);
  return {
    next(filter = () => true) {
      isOurs = filter;
      if (isOver) return Promise.resolve(false);
      return new Promise((resolve) => {
        wake = resolve;
      });
    },
    end() {
      off();
      clearTimeout(timer);
      clearInterval(lookAgain);
      signal.removeEventListener('abort', over);
    },
  };
}

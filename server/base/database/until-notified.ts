import type { Channel, Notifications } from './notifications.ts';

interface WaitLimits {
  readonly ms: number;
  readonly signal: AbortSignal;
}

interface NotificationWait {
  /** True at the next notification that passes the filter; false at the timeout or an abort. */
  next(isOurs?: (payload: string) => boolean): Promise<boolean>;
  end(): void;
}

/** Poll interval while the listening connection is down, as notifications are missed then. */
const pollMs = 1000;

/** A long poll: waits for notifications on a channel, with one timeout for all of them. */
export function untilNotified(
  notifications: Notifications,
  channel: Channel,
  { ms, signal }: WaitLimits,
): NotificationWait {
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
  const polling = setInterval(() => !notifications.isLive() && wake(true), pollMs);
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
      clearInterval(polling);
      signal.removeEventListener('abort', over);
    },
  };
}

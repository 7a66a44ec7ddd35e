import type { Notifications } from '../../base/database/notifications.ts';

interface Waiting {
  readonly runnerId: string;
  readonly signal: AbortSignal;
}

/** Lets a runner wait until its own signal aborts, or it is removed: then nothing is handed to it any more. */
export async function whileKnown<T>(
  notifications: Notifications,
  { runnerId, signal }: Waiting,
  wait: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const removed = new AbortController();
  const off = notifications.on('runnerRemoved', (id) => {
    if (id === runnerId || id === '') removed.abort(); // something was missed: it asks again, if it may
  });
  try {
    return await wait(AbortSignal.any([signal, removed.signal]));
  } finally {
    off();
  }
}

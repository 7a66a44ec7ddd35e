import type { Notifications } from '../database/notifications.ts';

type Forget = (bucketId: string) => void;

const forgetters = new WeakMap<Notifications, Set<Forget>>();

/**
 * What a replica changed itself it must not serve from its cache a moment later: notifications reach the other replicas,
 * and us, only some milliseconds after the commit.
 */
export function forgetServed(notifications: Notifications, bucketId: string): void {
  for (const forget of forgetters.get(notifications) ?? []) forget(bucketId);
}

export function onForget(notifications: Notifications, forget: Forget): void {
  const all = forgetters.get(notifications) ?? new Set();
  all.add(forget);
  forgetters.set(notifications, all);
}

import type { Permission } from '@platen/contract/permission';
import type { Context } from '../../base/context.ts';
import { Failure } from '../../base/failure.ts';
import type { Caller } from '../../base/caller.ts';
import type { Confirm } from './confirm.ts';

export interface Listener {
  readonly caller: Caller;
  readonly projectId: string;
  /** The stream ends when the caller loses this permission. */
  readonly permission: Permission;
  readonly end: () => void;
}

export interface Listeners {
  /** @throws Failure `too_many_requests`, `unavailable` */
  add(listener: Listener): void;
  remove(listener: Listener): void;
  close(): void;
}

const maxStreams = { ofUser: 50, inAll: 2_000 };
const checkEveryMs = 500;
/** Changes of permissions are notified. Other causes, such as a row changed by hand, are found at this interval. */
const confirmMs = { usually: 5_000, blind: 500 };

/**
 * The open streams of this replica. Limits their number and ends each when its caller loses the permission, even if
 * the client does not read.
 */
export function openListeners(
  { notifications, now, log }: Pick<Context, 'notifications' | 'now' | 'log'>,
  confirm: Confirm,
  limits: typeof maxStreams = maxStreams,
): Listeners {
  const all = new Set<Listener>();
  const ofUser = new Map<string, number>();
  let checking: Promise<void> | undefined;
  let isStale = false;
  let isClosed = false;
  let confirmedAt = performance.now();

  const checkAll = async () => {
    isStale = false;
    confirmedAt = performance.now();
    const checks = [...all].map(async ({ caller: { tokenHash }, projectId, permission, end }) => {
      if (!(await confirm({ tokenHash, projectId })).has(permission)) end();
    });
    const failed = (await Promise.allSettled(checks)).find(({ status }) => status === 'rejected');
    if (failed) isStale = true; // the database is unreachable: nothing can be sent either
  };
  const check = () => {
    isStale = true;
    checking ??= checkAll()
      .catch((error: unknown) =>
        log.error({ err: error }, 'the permissions of event streams could not be checked'),
      )
      .finally(() => {
        checking = undefined;
      });
  };
  const look = () => {
    if (all.size === 0) return;
    const at = now();
    for (const { caller, end } of all) if (caller.tokenEnds <= at) end();
    const everyMs = notifications.isLive() ? confirmMs.usually : confirmMs.blind;
    if (isStale || performance.now() - confirmedAt >= everyMs) check();
  };
  const timer = setInterval(look, checkEveryMs).unref();
  // access to the files of a bucket does not affect permissions in the project
  const unsubscribe = notifications.on('accessChanged', (payload) => {
    if (all.size > 0 && !payload.startsWith('bucket:')) check();
  });

  return {
    add(listener) {
      if (isClosed)
        throw new Failure('unavailable', 'The service is shutting down.', { retryAfterSeconds: 2 });
      const { userId } = listener.caller;
      const count = ofUser.get(userId) ?? 0;
      if (count >= limits.ofUser)
        throw tooMany(`You have ${count} open event streams, which is the limit. Close some of them.`);
      if (all.size >= limits.inAll) throw tooMany('The service has reached its limit of open event streams.');
      ofUser.set(userId, count + 1);
      all.add(listener);
    },
    remove(listener) {
      if (!all.delete(listener)) return;
      const { userId } = listener.caller;
      const left = ofUser.get(userId)! - 1;
      if (left > 0) ofUser.set(userId, left);
      else ofUser.delete(userId);
    },
    close() {
      isClosed = true;
      clearInterval(timer);
      unsubscribe();
      for (const { end } of all) end();
    },
  };
}

const tooMany = (message: string) => new Failure('too_many_requests', message, { retryAfterSeconds: 10 });

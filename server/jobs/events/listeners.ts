import type { Permission } from '@platen/contract/permission';
import type { Context } from '../../base/context.ts';
import { Failure } from '../../base/failure.ts';
import type { Caller } from '../../base/caller.ts';
import { networkOf } from '../../base/network.ts';
import { createCounts } from '../../base/counts.ts';
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

/** An address is that of a network, which many users may share. */
const maxStreams = { ofUser: 50, ofAddress: 1_000, inAll: 2_000 };
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
  const ofUser = createCounts();
  const ofAddress = createCounts();
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
      const { userId, address } = listener.caller;
      const network = networkOf(address);
      const count = ofUser.of(userId);
      if (count >= limits.ofUser)
        throw tooMany(`You have ${count} open event streams, which is the limit. Close some of them.`);
      if (ofAddress.of(network) >= limits.ofAddress)
        throw tooMany('Your network has reached its limit of open event streams. Close some of them.');
      if (all.size >= limits.inAll) throw tooMany('The service has reached its limit of open event streams.');
      ofUser.add(userId);
      ofAddress.add(network);
      all.add(listener);
    },
    remove(listener) {
      if (!all.delete(listener)) return;
      ofUser.remove(listener.caller.userId);
      ofAddress.remove(networkOf(listener.caller.address));
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

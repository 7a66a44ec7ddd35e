import type { Capability } from '@platen/contract/capabilities';
import type { Deleted } from '@platen/contract/schema';
import type { Context } from '../../base/context.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { notify } from '../../base/database/notifications.ts';
import { Failure } from '../../base/failure.ts';
import type { Caller } from '../../base/caller.ts';
import { deleteCapabilities, grantCapability } from './store.ts';

interface AppPath {
  readonly projectId: string;
  readonly appId: string;
}

/** Creates a path to the data of an app for clients that can send neither headers nor cookies. */
export async function createCapability(
  { db, now, settings }: Context,
  { loginSecret, ...path }: AppPath & { loginSecret: string },
): Promise<Capability> {
  const granted = await grantCapability(db, { ...path, loginSecret, now: now() });
  if (!granted) throw new Failure('unauthenticated', 'The token has just expired. Sign in again.');
  const { secret, expires } = granted;
  return {
    token: secret,
    path: `${settings.publicUrl ?? ''}/data/t/${secret}`,
    expires: expires.toISOString(),
  };
}

/** Takes effect at once on this replica, and milliseconds later on others. */
export async function revokeOwnCapability(
  context: Context,
  caller: Caller,
  { appId }: AppPath,
): Promise<Deleted> {
  return revoke(context, { appId, userId: caller.userId });
}

export async function revokeCapabilities(context: Context, { appId }: AppPath): Promise<Deleted> {
  return revoke(context, { appId });
}

async function revoke({ db }: Context, whose: { appId: string; userId?: string }): Promise<Deleted> {
  const numberOfDeletedItems = await inTransaction(db, async (tx) => {
    const count = await deleteCapabilities(tx, whose);
    if (count > 0) await notify(tx, 'accessChanged');
    return count;
  });
  return { numberOfDeletedItems };
}

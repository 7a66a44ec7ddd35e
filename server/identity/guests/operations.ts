import type { Guest, GuestListQuery } from '@platen/contract/guests';
import type { Page } from '@platen/contract/schema';
import { recordAudit } from '../../base/audit/record-audit.ts';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { notify } from '../../base/database/notifications.ts';
import { Failure, notFound } from '../../base/failure.ts';
import type { Caller } from '../../base/caller.ts';
import { findUser } from '../users/store.ts';
import { deleteGuest, findGuests, insertGuest, type GuestGrant } from './store.ts';

export function listGuests(
  { db }: Context,
  path: Omit<GuestGrant, 'userId'>,
  query: GuestListQuery,
): Promise<Page<Guest>> {
  return findGuests(db, path, query);
}

/** Does nothing if the user is already a guest. */
export async function addGuest({ db, now }: Context, caller: Caller, guest: GuestGrant): Promise<void> {
  await inTransaction(db, async (tx) => {
    const user = await findUser(tx, guest.userId);
    if (!user) throw notFound('user');
    if (!user.isActive) throw new Failure('unusable_reference', 'The user is deactivated.');
    await grantGuest(tx, { caller, guest, now: now() });
    await notify(tx, 'accessChanged');
  });
}

/** Takes effect at once for the page, the configuration and the data. */
export async function removeGuest({ db, now }: Context, caller: Caller, guest: GuestGrant): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (!(await revokeGuest(tx, { caller, guest, now: now() }))) throw notFound('guest of this app');
    await notify(tx, 'accessChanged');
  });
}

interface Change {
  readonly caller: Caller;
  readonly guest: GuestGrant;
  readonly now: Date;
}

/** Requires that the user exists and is active. */
export async function grantGuest(tx: Db, { caller, guest, now }: Change): Promise<void> {
  const isNew = await insertGuest(tx, guest, now, caller.userId);
  if (isNew) await audit(tx, 'guest.add', { caller, guest, now });
}

/** @returns whether the user was a guest */
export async function revokeGuest(tx: Db, { caller, guest, now }: Change): Promise<boolean> {
  const wasGuest = await deleteGuest(tx, guest);
  if (wasGuest) await audit(tx, 'guest.remove', { caller, guest, now });
  return wasGuest;
}

async function audit(tx: Db, action: string, { caller, guest, now }: Change): Promise<void> {
  const { projectId, appId, userId: targetId } = guest;
  await recordAudit(tx, { now, caller, action, projectId, targetId, detail: { appId } });
}

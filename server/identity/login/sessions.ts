import type { UserSession, UserSessionListQuery } from '@platen/contract/login';
import type { Deleted, Page } from '@platen/contract/schema';
import type { Context } from '../../base/context.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { notify } from '../../base/database/notifications.ts';
import { notFound } from '../../base/failure.ts';
import type { Caller } from '../../base/caller.ts';
import { deleteSessions, findSessions } from './sessions-store.ts';

export function listSessions(
  { db, now }: Context,
  { userId, tokenHash }: Caller,
  query: UserSessionListQuery,
): Promise<Page<UserSession>> {
  return findSessions(db, { userId, tokenHash, now: now() }, query);
}

export async function endSession(context: Context, caller: Caller, sessionId: string): Promise<Deleted> {
  const ended = await end(context, caller, { id: sessionId });
  if (ended.numberOfDeletedItems === 0) throw notFound('session');
  return ended;
}

export function endOtherSessions(context: Context, caller: Caller): Promise<Deleted> {
  return end(context, caller, 'others');
}

async function end(
  context: Context,
  caller: Caller,
  which: { readonly id: string } | 'others',
): Promise<Deleted> {
  const { db, now } = context;
  const { userId, tokenHash } = caller;
  const numberOfDeletedItems = await inTransaction(db, async (tx) => {
    const count = await deleteSessions(tx, { userId, tokenHash, now: now() }, which);
    if (count > 0) await notify(tx, 'accessChanged');
    return count;
  });
  if (numberOfDeletedItems > 0) await recordEnd(context, caller, numberOfDeletedItems);
  return { numberOfDeletedItems };
}

/** Every user can sign in and out at will, so that repeated ends are counted. */
export async function recordEnd(
  { repeatedAudit, now }: Context,
  caller: Caller,
  count: number,
): Promise<void> {
  const entry = { now: now(), caller, action: 'login.end', targetId: caller.userId, detail: { count } };
  await repeatedAudit.record(entry);
}

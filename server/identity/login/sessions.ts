import type { UserSession, UserSessionListQuery } from '@platen/contract/login';
import type { Deleted, Page } from '@platen/contract/schema';
import { recordAudit } from '../../base/audit/record-audit.ts';
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
  { db, now }: Context,
  caller: Caller,
  which: { readonly id: string } | 'others',
): Promise<Deleted> {
  const { userId, tokenHash } = caller;
  const numberOfDeletedItems = await inTransaction(db, async (tx) => {
    const count = await deleteSessions(tx, { userId, tokenHash, now: now() }, which);
    if (count === 0) return count;
    const entry = { now: now(), caller, targetId: userId, detail: { count } };
    await recordAudit(tx, { ...entry, action: 'login.end' });
    await notify(tx, 'accessChanged');
    return count;
  });
  return { numberOfDeletedItems };
}

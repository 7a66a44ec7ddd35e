import { sql } from 'kysely';
import type { Db } from '../database/database.ts';
import { Failure } from '../failure.ts';
import { recordAudit, type NewAuditEntry } from './record-audit.ts';

const maxPerHour = 100;

interface UserAction {
  readonly userId: string;
  readonly action: string;
  readonly now: Date;
}

/**
 * Limits changes that any user can make at will, each with an entry of the audit log, which nobody can remove for a month.
 * @throws Failure `too_many_requests`
 */
export async function limitChanges(db: Db, { userId, action, now }: UserAction): Promise<void> {
  const hourAgo = new Date(now.getTime() - 3_600_000);
  const { rows } = await sql`select from audit_entry
    where actor_id = ${userId} and created_at > ${hourAgo} and action = ${action}
    offset ${maxPerHour - 1} limit 1`.execute(db);
  if (rows.length === 0) return;
  throw new Failure(
    'too_many_requests',
    `You have made ${maxPerHour} changes of this kind in the last hour, which is the limit. Try again later.`,
    { retryAfterSeconds: 600 },
  );
}

/** Adds an entry, if the user has not made too many of them. @throws Failure `too_many_requests` */
export async function recordLimitedChange(db: Db, entry: NewAuditEntry): Promise<void> {
  const { caller, action, now } = entry;
  await limitChanges(db, { userId: caller.userId, action, now });
  await recordAudit(db, entry);
}

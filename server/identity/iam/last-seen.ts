import { sql } from 'kysely';
import type { Caller } from '../../base/caller.ts';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';

/** Not every request is recorded. */
const recordMs = 60_000;

/** Records that a login is in use, so that a session does not end as idle. */
export async function recordLastSeen(
  { db, now, settings }: Pick<Context, 'db' | 'now' | 'settings'>,
  { tokenHash, tokenSeen }: Caller,
): Promise<void> {
  const at = now();
  if (at.getTime() - tokenSeen.getTime() < recordMs) return;
  await touchToken(db, tokenHash, { now: at, idleMs: settings.sessionIdleMs });
}

export interface TokenUse {
  readonly now: Date;
  readonly idleMs: number;
}

/** Tokens for scripts end at their time; sessions are extended up to theirs. */
export async function touchToken(db: Db, hash: Buffer, { now, idleMs }: TokenUse): Promise<void> {
  const idleEnd = new Date(now.getTime() + idleMs);
  const since = new Date(now.getTime() - recordMs);
  await sql`update token set last_seen_at = ${now},
      expires_at = case kind when 'session' then least(ends_at, ${idleEnd}::timestamptz) else expires_at end
    where hash = ${hash} and expires_at > ${now} and last_seen_at <= ${since}`.execute(db);
}

/** Records the use of a token for scripts outside of the API, such as for data. */
export async function touchScriptToken(db: Db, hash: Buffer, now: Date): Promise<void> {
  const since = new Date(now.getTime() - recordMs);
  await sql`update token set last_seen_at = ${now}
    where hash = ${hash} and kind <> 'session' and expires_at > ${now} and last_seen_at <= ${since}`.execute(
    db,
  );
}

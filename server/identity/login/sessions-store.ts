import type { UserSession, UserSessionListQuery } from '@platen/contract/login';
import type { Page } from '@platen/contract/schema';
import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { selectPage } from '../../base/database/lists.ts';
import type { TokenTable } from '../../base/database/schema.ts';

interface Owner {
  readonly userId: string;
  /** The token of the request. */
  readonly tokenHash: Buffer;
  readonly now: Date;
}

type Row = Pick<
  TokenTable,
  'id' | 'created_at' | 'last_seen_at' | 'expires_at' | 'ends_at' | 'address' | 'user_agent'
> & { kind: UserSession['kind']; is_current: boolean };

export function findSessions(
  db: Db,
  { userId, tokenHash, now }: Owner,
  query: UserSessionListQuery,
): Promise<Page<UserSession>> {
  return selectPage(db, {
    from: sql`token t`,
    columns: sql`t.id, t.kind, t.created_at, t.last_seen_at, t.expires_at, t.ends_at, t.address, t.user_agent,
      t.hash = ${tokenHash} as is_current`,
    where: [sql`t.user_id = ${userId}`, sql`t.kind <> 'access'`, sql`t.expires_at > ${now}`],
    order: { createdAt: 't.created_at', lastSeenAt: 't.last_seen_at' },
    tieBreak: 't.id',
    query,
    fromRow,
  });
}

function fromRow(row: Row): UserSession {
  return {
    _id: row.id,
    kind: row.kind,
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    expires: row.expires_at.toISOString(),
    ends: row.ends_at.toISOString(),
    address: row.address,
    userAgent: row.user_agent,
    isCurrent: row.is_current,
  };
}

/** Ends one login of the user, or all but that of the request. @returns how many */
export async function deleteSessions(
  db: Db,
  { userId, tokenHash, now }: Owner,
  which: { readonly id: string } | 'others',
): Promise<number> {
  const own = db
    .deleteFrom('token')
    .where('user_id', '=', userId)
    .where('kind', '<>', 'access')
    .where('expires_at', '>', now);
  const { numDeletedRows } = await (
    which === 'others' ? own.where('hash', '!=', tokenHash) : own.where('id', '=', which.id)
  ).executeTakeFirst();
  return Number(numDeletedRows);
}

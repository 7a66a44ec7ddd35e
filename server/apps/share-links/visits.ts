import { createHmac } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import { inLiveProject } from '../../base/database/live-projects.ts';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { hashSecret, newSecret } from '../../base/secrets/bearer-secrets.ts';

/** A visit ends after this time without requests; each request extends it. */
const lifetimeMs = 3_600_000;
/** Maximum lifetime of a visit, so that the address of a visit cannot be shared for ever. */
const maxVisitMs = 24 * 3_600_000;

/** The address of a visitor: the secrets of the link and of the visit. */
export interface VisitAddress {
  readonly token: string;
  readonly visit: string;
}

/**
 * The secret in the path of the data. It reveals neither the link nor the visitor’s address, and is only valid for its
 * own link.
 */
export function dataSecretOf({ token, visit }: VisitAddress): string {
  return createHmac('sha256', visit).update(`data of a visit of ${token}`).digest('base64url');
}

const hashOf = (address: VisitAddress) => hashSecret(dataSecretOf(address));

/** The end of a visit that began at `created_at`. */
const endOf = (now: Date): RawBuilder<Date> =>
  sql`least(${new Date(now.getTime() + lifetimeMs)}::timestamptz, created_at + ${maxVisitMs / 1000} * interval '1 s')`;

/** A share link as a visitor sees it. */
export interface VisitedLink {
  readonly id: string;
  readonly project_id: string;
  readonly app_id: string;
  readonly shows: string;
  readonly password_hash: string | null;
  readonly allowed_origins: readonly string[];
  /** Expired, or the user with whose permissions the app reads may no longer read anything in its project. */
  readonly is_over: boolean;
  readonly is_used_up: boolean;
}

/** undefined if there is no such link. */
export async function findVisitedLink(db: Db, token: string, now: Date): Promise<VisitedLink | undefined> {
  const { rows } = await sql<VisitedLink>`
    select l.id, l.project_id, l.app_id, l.shows, l.password_hash, l.allowed_origins,
      coalesce(l.expires_at <= ${now}, false) or not coalesce(o.is_super_user or o.is_admin or exists (
        select from membership m where m.project_id = l.project_id and m.user_id = o.id), false) as is_over,
      coalesce(l.use_count >= l.max_uses, false) as is_used_up
    from share_link l join app a on a.id = l.app_id
    left join user_account o on o.id = a.member_id and o.is_active
    where l.token_hash = ${hashSecret(token)} and ${inLiveProject('l.project_id')}`.execute(db);
  return rows[0];
}

/** Whether the visitor has been admitted and has not been away for too long. */
export async function isVisiting(
  db: Db,
  { id }: Pick<VisitedLink, 'id'>,
  address: VisitAddress,
  now: Date,
): Promise<boolean> {
  const row = await db
    .selectFrom('share_visit')
    .select('hash')
    .where('hash', '=', hashOf(address))
    .where('link_id', '=', id)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Admits a visitor with the right password, without counting a use. Returns the secret of the visit, or undefined if
 * the password has changed since it was checked.
 */
export async function admitVisitor(
  db: Db,
  { id, password_hash: passwordHash }: VisitedLink,
  token: string,
  now: Date,
): Promise<string | undefined> {
  const visit = newSecret();
  const expires = new Date(now.getTime() + lifetimeMs);
  const { numAffectedRows } = await sql`
    insert into share_visit (hash, link_id, created_at, expires_at)
    select ${hashOf({ token, visit })}::bytea, id, ${now}::timestamptz, ${expires}::timestamptz
    from share_link where id = ${id} and password_hash = ${passwordHash} for key share`.execute(db);
  return numAffectedRows === 1n ? visit : undefined;
}

interface LockedVisit {
  readonly has_password: boolean;
  readonly is_full: boolean;
  readonly is_admitted: boolean;
  readonly is_open: boolean;
}

/**
 * Opens the data to a visit and counts one use; an open visit is only extended.
 * @returns false if all uses are spent, the link has ended, or the password was not given
 */
export async function openVisit(
  db: Db,
  { id }: Pick<VisitedLink, 'id'>,
  address: VisitAddress,
  now: Date,
): Promise<boolean> {
  const hash = hashOf(address);
  if (await extendVisit(db, hash, now)) return true;
  return inTransaction(db, async (tx) => {
    // one visitor after the other, so that the limit of uses is exact
    await sql`select from share_link where id = ${id} for update`.execute(tx);
    const { rows } = await sql<LockedVisit>`
      select l.password_hash is not null as has_password,
        coalesce(l.use_count >= l.max_uses or l.expires_at <= ${now}, false) as is_full,
        v.hash is not null as is_admitted, coalesce(v.opened_at is not null, false) as is_open
      from share_link l left join share_visit v on v.hash = ${hash} and v.link_id = l.id and v.expires_at > ${now}
      where l.id = ${id}`.execute(tx);
    const [found] = rows;
    if (found?.is_open) return true;
    if (!found || found.is_full || (found.has_password && !found.is_admitted)) return false;
    await sql`
      insert into share_visit (hash, link_id, created_at, expires_at, opened_at)
      values (${hash}, ${id}, ${now}, ${new Date(now.getTime() + lifetimeMs)}, ${now})
      on conflict (hash) do update set created_at = excluded.created_at, expires_at = excluded.expires_at,
        opened_at = excluded.opened_at`.execute(tx);
    await sql`update share_link set use_count = use_count + 1, last_used_at = ${now} where id = ${id}`.execute(
      tx,
    );
    return true;
  });
}

/** A use gives an open visit another hour. @returns whether it is one */
export async function extendVisit(db: Db, hash: Buffer, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('share_visit')
    .set({ expires_at: endOf(now) })
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .where('opened_at', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function deleteVisits(db: Db, linkId: string): Promise<void> {
  await db.deleteFrom('share_visit').where('link_id', '=', linkId).execute();
}

import type {
  LoginCredential,
  LoginCredentialListQuery,
  LoginFacts,
  LoginType,
} from '@platen/contract/login-credentials';
import type { Page } from '@platen/contract/schema';
import { sql, type Selectable } from 'kysely';
import type { LoginCredentialTable } from '../../base/database/schema.ts';
import type { Db } from '../../base/database/database.ts';
import { exactFilter, selectPage, textFilter } from '../../base/database/lists.ts';
import { accessOf } from './spellings.ts';
import { changedBy, madeBy, stampConditions, stampOrder, stampsOf } from '../../base/database/stamps.ts';

export type LoginRow = Selectable<LoginCredentialTable>;

const order = { name: 'l.name', type: 'l.type', ...stampOrder('l') };

/** Those of a user; for super users those of all. */
export function findLogins(
  db: Db,
  query: LoginCredentialListQuery,
  { userId, isSuperUser }: { readonly userId: string; readonly isSuperUser: boolean },
): Promise<Page<LoginCredential>> {
  return selectPage(db, {
    from: sql`login_credential l`,
    columns: sql`l.*`,
    where: [
      isSuperUser ? undefined : sql`l.user_id = ${userId}`,
      textFilter('l.name', query.name),
      // descriptions of other users' logins are not visible, so they cannot be searched either
      query.description?.length ? sql`l.user_id = ${userId}` : undefined,
      textFilter('l.description', query.description),
      exactFilter('l.type', query.type),
      query.access?.length
        ? sql`l.user_id = ${userId} and coalesce(l.login ->> 'username', l.login ->> 'accessKeyId') = any(${[...query.access]}::text[])`
        : undefined,
      ...stampConditions('l', query),
    ],
    order,
    tieBreak: 'l.id',
    query,
    fromRow: (row: LoginRow) => fromRow(row, userId),
  });
}

/** `lock` keeps others from changing it until the transaction ends. */
export function findLogin(db: Db, id: string, { lock = false } = {}): Promise<LoginRow | undefined> {
  return db
    .selectFrom('login_credential')
    .selectAll()
    .where('id', '=', id)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst();
}

interface Write {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly login: LoginFacts;
  /** undefined: as it is. */
  readonly secret: Buffer | undefined;
  readonly by: string;
  readonly now: Date;
}

export async function insertLogin(
  db: Db,
  { by, now, login, ...row }: Write & { readonly type: LoginType; readonly secret: Buffer },
): Promise<LoginRow> {
  return db
    .insertInto('login_credential')
    .values({ ...row, login: JSON.stringify(login), user_id: by, ...madeBy(by, now) })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function countLogins(db: Db, userId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from login_credential where user_id = ${userId}`.execute(db);
  return rows[0]!.count;
}

/** Call it for a locked one. */
export function updateLogin(
  db: Db,
  { id, name, description, login, secret, by, now }: Write,
): Promise<LoginRow> {
  return db
    .updateTable('login_credential')
    .set({
      name,
      description,
      login: JSON.stringify(login),
      ...(secret && { secret }),
      ...changedBy(by, now),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Credentials that use it have no login from then on. */
export async function deleteLogin(
  db: Db,
  id: string,
  { by, now }: { readonly by: string; readonly now: Date },
): Promise<number> {
  await db
    .updateTable('credential')
    .set({ login_credential_id: null, ...changedBy(by, now) })
    .where('login_credential_id', '=', id)
    .execute();
  const { numDeletedRows } = await db.deleteFrom('login_credential').where('id', '=', id).executeTakeFirst();
  return Number(numDeletedRows);
}

export async function countUses(db: Db, id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from credential where login_credential_id = ${id}`.execute(db);
  return rows[0]!.count;
}

/** Logins of other users show only their names. */
export function fromRow(row: LoginRow, readerId: string): LoginCredential {
  const { name, type, user_id: userId, login } = row;
  const isOwn = userId === readerId;
  const access = isOwn ? accessOf(type, login) : undefined;
  return {
    ...stampsOf(row),
    userId,
    name,
    description: isOwn ? row.description : '',
    type,
    ...(isOwn && login),
    ...(access !== undefined && { access }),
  };
}

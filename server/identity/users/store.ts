import type { Page } from '@platen/contract/schema';
import type { User, UserListQuery, UserProfile, UserProfileListQuery } from '@platen/contract/users';
import { sql, type Insertable } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { exactFilter, selectPage, textFilter } from '../../base/database/lists.ts';
import { stampConditions, stampOrder, stampsOf } from '../../base/database/stamps.ts';
import type { UserTable } from '../../base/database/schema.ts';

export interface StoredCredentials {
  readonly id: string;
  readonly username: string;
  readonly isActive: boolean;
  readonly passwordHash: string;
}

const columns = [
  'id',
  'username',
  'email',
  'is_active',
  'is_admin',
  'is_super_user',
  'revision',
  'created_at',
  'created_by',
  'updated_at',
  'updated_by',
] as const;

type Row = Pick<UserTable, (typeof columns)[number]>;

/** An account by the name that someone typed. */
export interface NamedAccount {
  /** The same for all spellings of a name, whether the account exists or not; of bounded length. */
  readonly key: string;
  readonly user: StoredCredentials | undefined;
}

/**
 * Usernames are case-insensitive. PostgreSQL alone folds them, as the database and JavaScript fold some letters
 * differently.
 */
export async function findAccount(db: Db, username: string): Promise<NamedAccount> {
  const folded = sql<string>`lower(${username}::text collate platen_text)`;
  const { rows } = await sql<Partial<CredentialsRow> & { name_hash: string }>`
    select encode(sha256(convert_to(f.name, 'UTF8')), 'hex') as name_hash, u.id, u.username, u.is_active, u.password_hash
    from (select ${folded} as name) f
    left join person u on lower(u.username collate platen_text) = f.name`.execute(db);
  const { name_hash: nameHash, ...row } = rows[0]!;
  const user = row.id ? credentialsOf(row as CredentialsRow) : undefined;
  return { key: user ? `id ${user.id}` : `name ${nameHash}`, user };
}

type CredentialsRow = Pick<UserTable, 'id' | 'username' | 'is_active' | 'password_hash'>;

function credentialsOf(row: CredentialsRow): StoredCredentials {
  return { id: row.id, username: row.username, isActive: row.is_active, passwordHash: row.password_hash };
}

export async function findCredentials(db: Db, id: string): Promise<StoredCredentials | undefined> {
  const row = await db
    .selectFrom('user_account')
    .select(['id', 'username', 'is_active', 'password_hash'])
    .where('id', '=', id)
    .where('project_id', 'is', null)
    .executeTakeFirst();
  return row && credentialsOf(row);
}

export async function findUser(db: Db, id: string): Promise<User | undefined> {
  const row = await db
    .selectFrom('user_account')
    .select(columns)
    .where('id', '=', id)
    .where('project_id', 'is', null)
    .executeTakeFirst();
  return row && fromRow(row);
}

/** The user or the project's token behind a request. */
export async function findActor(db: Db, id: string): Promise<User | undefined> {
  const row = await db.selectFrom('user_account').select(columns).where('id', '=', id).executeTakeFirst();
  return row && fromRow(row);
}

/** As `findUser`; locks the user until the transaction ends. */
export async function lockUser(db: Db, id: string): Promise<User | undefined> {
  const row = await db
    .selectFrom('user_account')
    .select(columns)
    .where('id', '=', id)
    .where('project_id', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  return row && fromRow(row);
}

export async function insertUser(db: Db, row: Insertable<UserTable>): Promise<User> {
  return fromRow(
    await db.insertInto('user_account').values(row).returning(columns).executeTakeFirstOrThrow(),
  );
}

interface UserUpdate extends Partial<
  Omit<Insertable<UserTable>, 'id' | 'revision' | 'created_at' | 'created_by'>
> {
  updated_at: Date;
  updated_by: string;
}

/** @returns undefined if there is no such user, or not at that revision */
export async function updateUser(
  db: Db,
  id: string,
  change: UserUpdate,
  ifMatch?: number,
): Promise<User | undefined> {
  const row = await db
    .updateTable('user_account')
    .set({ ...change, revision: sql`revision + 1` })
    .where('id', '=', id)
    .$if(ifMatch !== undefined, (query) => query.where('revision', '=', ifMatch!))
    .returning(columns)
    .executeTakeFirst();
  return row && fromRow(row);
}

export async function deleteUser(db: Db, id: string): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('user_account').where('id', '=', id).executeTakeFirst();
  return Number(numDeletedRows);
}

/** The active super users, locked, so that concurrent changes take turns. */
export async function lockSuperUsers(db: Db): Promise<UserProfile[]> {
  const rows = await db
    .selectFrom('user_account')
    .select(['id', 'username'])
    .where('is_super_user', '=', true)
    .where('is_active', '=', true)
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.map((row) => ({ _id: row.id, username: row.username }));
}

export function findSuperUsers(
  db: Db,
  { limit, page }: { readonly limit: number; readonly page: number },
): Promise<Page<UserProfile & { userId: string }>> {
  return selectPage(db, {
    from: sql`person u`,
    columns: sql`u.id, u.username`,
    where: [sql`u.is_super_user`],
    order,
    tieBreak: 'u.id',
    query: { limit, page, sort: 'asc', orderBy: ['username'] },
    fromRow: (row: { id: string; username: string }) => ({
      _id: row.id,
      userId: row.id,
      username: row.username,
    }),
  });
}

const order = {
  username: 'u.username',
  email: 'u.email',
  ...stampOrder('u'),
};

/** All users, or only the one with this id. */
export function findUsers(db: Db, query: UserListQuery, onlyId: string | undefined): Promise<Page<User>> {
  return selectPage(db, {
    from: sql`person u`,
    columns: sql.join(columns.map((column) => sql.ref(`u.${column}`))),
    where: [
      exactFilter('u.id', onlyId === undefined ? undefined : [onlyId]),
      query.username?.length
        ? sql`lower(u.username collate platen_text) = any(array(
            select lower(name collate platen_text) from unnest(${[...query.username]}::text[]) name))`
        : undefined,
      textFilter('u.username', query.contains),
      textFilter('u.email', query.email),
      ...stampConditions('u', query),
    ],
    order,
    tieBreak: 'u.id',
    query,
    fromRow,
  });
}

export function findUserProfiles(db: Db, query: UserProfileListQuery): Promise<Page<UserProfile>> {
  return selectPage(db, {
    from: sql`person u`,
    columns: sql`u.id, u.username`,
    where: [sql`u.is_active`, textFilter('u.username', query.username)],
    order,
    tieBreak: 'u.id',
    query,
    fromRow: (row: { id: string; username: string }) => ({ _id: row.id, username: row.username }),
  });
}

function fromRow(row: Row): User {
  return {
    ...stampsOf(row),
    username: row.username,
    email: row.email,
    isActive: row.is_active,
    isAdmin: row.is_admin,
    isSuperUser: row.is_super_user,
  };
}

import type {
  AccessToken,
  AccessTokenListQuery,
  ProjectToken,
  ProjectTokenName,
  TokenNameListQuery,
} from '@platen/contract/access-tokens';
import type { Page } from '@platen/contract/schema';
import { sql, type Insertable } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { selectPage, textFilter } from '../../base/database/lists.ts';
import type { TokenTable } from '../../base/database/schema.ts';
import { newSecret } from '../../base/secrets/bearer-secrets.ts';

/** The end in the database of a token without an end. */
export const noEnd = new Date('9999-12-31T00:00:00.000Z');
/** A token that has never been used was last seen at this time, so that its first use is recorded at once. */
const neverSeen = new Date(0);

/** So that scanners of source code recognise a leaked token. */
export const newTokenSecret = (): string => `platen_${newSecret()}`;

interface Row {
  id: string;
  name: string;
  scope: 'read' | 'write';
  created_at: Date;
  last_seen_at: Date;
  expires_at: Date;
  created_by: string;
}

type PersonalRow = Row & { project_id: string | null };
type ProjectRow = Row & { user_id: string; role_id: ProjectToken['roleId'] };

interface ListOf {
  readonly query: AccessTokenListQuery;
  readonly now: Date;
}

const order = {
  createdAt: 't.created_at',
  name: 't.name',
  lastUsedAt: 't.last_seen_at',
  expires: 't.expires_at',
};

export function findPersonalTokens(
  db: Db,
  userId: string,
  { query, now }: ListOf,
): Promise<Page<AccessToken>> {
  return selectPage(db, {
    from: sql`token t`,
    columns: sql`t.id, t.name, t.scope, t.created_at, t.last_seen_at, t.expires_at, t.user_id as created_by, t.project_id`,
    where: [sql`t.user_id = ${userId}`, ...accessTokens({ query, now })],
    order,
    tieBreak: 't.id',
    query,
    fromRow: (row: PersonalRow): AccessToken => ({
      ...described(row),
      ...(row.project_id !== null && { projectId: row.project_id }),
    }),
  });
}

export function findProjectTokens(
  db: Db,
  projectId: string,
  { query, now }: ListOf,
): Promise<Page<ProjectToken>> {
  return selectPage(db, {
    from: sql`token t join user_account u on u.id = t.user_id
      join membership m on m.user_id = u.id and m.project_id = u.project_id`,
    columns: sql`t.id, t.name, t.scope, t.created_at, t.last_seen_at, t.expires_at, u.created_by, u.id as user_id, m.role_id`,
    where: [sql`u.project_id = ${projectId}`, ...accessTokens({ query, now })],
    order,
    tieBreak: 't.id',
    query,
    fromRow: (row: ProjectRow): ProjectToken => ({
      ...described(row),
      userId: row.user_id,
      roleId: row.role_id,
    }),
  });
}

/** The accounts of tokens stay after these have ended. */
export function findTokenNames(
  db: Db,
  projectId: string,
  query: TokenNameListQuery,
): Promise<Page<ProjectTokenName>> {
  return selectPage(db, {
    from: sql`(select id, project_id, left(username, -length(id) - 3) as name from user_account) u`,
    columns: sql`u.id, u.name`,
    where: [sql`u.project_id = ${projectId}`, textFilter('u.name', query.name)],
    order: { name: 'u.name' },
    tieBreak: 'u.id',
    query,
    fromRow: ({ id, name }: { id: string; name: string }): ProjectTokenName => ({ userId: id, name }),
  });
}

const accessTokens = ({ query, now }: ListOf) => [
  sql`t.kind = 'access'`,
  sql`t.expires_at > ${now}`,
  textFilter('t.name', query.name),
];

function described(row: Row) {
  return {
    _id: row.id,
    name: row.name,
    scope: row.scope,
    createdAt: row.created_at.toISOString(),
    createdBy: row.created_by,
    ...(row.last_seen_at > neverSeen && { lastUsedAt: row.last_seen_at.toISOString() }),
    ...(row.expires_at < noEnd && { expires: row.expires_at.toISOString() }),
  };
}

type NewToken = Pick<
  Insertable<TokenTable>,
  'hash' | 'id' | 'user_id' | 'created_at' | 'expires_at' | 'name' | 'scope' | 'project_id'
> & { readonly address: string; readonly user_agent: string };

export async function insertAccessToken(db: Db, token: NewToken): Promise<void> {
  await db
    .insertInto('token')
    .values({ ...token, kind: 'access', last_seen_at: neverSeen, ends_at: token.expires_at })
    .execute();
}

/** The number of valid access tokens of a user. Locks the user, so that concurrent requests take turns. */
export async function countPersonalTokens(db: Db, userId: string, now: Date): Promise<number> {
  await db.selectFrom('user_account').select('id').where('id', '=', userId).forUpdate().execute();
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from token
    where user_id = ${userId} and kind = 'access' and expires_at > ${now}`.execute(db);
  return rows[0]!.count;
}

/** The number of valid tokens of a project. Locks the project, so that concurrent requests take turns. */
export async function countProjectTokens(db: Db, projectId: string, now: Date): Promise<number> {
  await db.selectFrom('project').select('id').where('id', '=', projectId).forUpdate().execute();
  const { rows } = await sql<{ count: number }>`select count(*)::int as count
    from user_account u join token t on t.user_id = u.id and t.expires_at > ${now} where u.project_id = ${projectId}`.execute(
    db,
  );
  return rows[0]!.count;
}

interface TokenAccount {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly roleId: ProjectToken['roleId'];
  readonly now: Date;
  readonly by: string;
}

/** No hash of a password is like this, so that nobody can sign in. */
const noPassword = '-';

/** Adds the account that a project's token acts as, with its role. */
export async function insertTokenAccount(
  db: Db,
  { id, projectId, name, roleId, now, by }: TokenAccount,
): Promise<void> {
  const stamps = { created_at: now, created_by: by, updated_at: now, updated_by: by };
  await db
    .insertInto('user_account')
    .values({
      id,
      username: `${name} (${id})`, // findTokenNames takes the name from it
      email: '',
      password_hash: noPassword,
      is_active: true,
      is_admin: false,
      is_super_user: false,
      revision: 1,
      project_id: projectId,
      ...stamps,
    })
    .execute();
  await db
    .insertInto('membership')
    .values({ project_id: projectId, user_id: id, role_id: roleId, ...stamps })
    .execute();
}

/** @returns the name of the removed token */
export async function deletePersonalToken(db: Db, userId: string, id: string): Promise<string | undefined> {
  const row = await db
    .deleteFrom('token')
    .where('user_id', '=', userId)
    .where('kind', '=', 'access')
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst();
  return row?.name;
}

/**
 * Removes the token. Its account stays, with its role: apps that it has created show what it may read, and its tasks run.
 * @returns its name
 */
export async function deleteProjectToken(db: Db, projectId: string, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    delete from token t using user_account u
    where u.project_id = ${projectId} and t.user_id = u.id and t.id = ${id} returning t.name`.execute(db);
  return rows[0]?.name;
}

import type { Credential, CredentialListQuery, CredentialType } from '@platen/contract/credentials';
import type { LoginFacts } from '@platen/contract/login-credentials';
import type { Page } from '@platen/contract/schema';
import { sql, type RawBuilder, type Selectable } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { exactFilter, selectPage, textFilter } from '../../base/database/lists.ts';
import { changedBy, madeBy, stampConditions, stampOrder, stampsOf } from '../../base/database/stamps.ts';
import { aliasesOf } from './spellings.ts';
import type { CredentialTable, Target } from '../../base/database/schema.ts';

export type CredentialRow = Selectable<CredentialTable>;

const order = { name: 'c.name', description: 'c.description', type: 'c.type', ...stampOrder('c') };

export function findCredentialsOf(
  db: Db,
  projectId: string,
  query: CredentialListQuery,
): Promise<Page<Credential>> {
  return selectPage(db, {
    from: sql`credential c`,
    columns: sql`c.*`,
    where: [
      sql`c.project_id = ${projectId}`,
      textFilter('c.name', query.name),
      textFilter('c.description', query.description),
      exactFilter('c.type', query.type),
      ...targetConditions(query),
      ...stampConditions('c', query),
    ],
    order,
    tieBreak: 'c.id',
    query,
    fromRow,
  });
}

function targetConditions(query: CredentialListQuery): (RawBuilder<unknown> | undefined)[] {
  const { gzip, defaultPath, host, loginId, noTLS, endpoint, region, params } = query;
  const isOneOf = (value: RawBuilder<unknown>, values: readonly string[] | undefined) =>
    values?.length ? sql`${value} = any(${[...values]}::text[])` : undefined;
  return [
    gzip === undefined ? undefined : sql`coalesce((c.target ->> 'gzip')::boolean, false) = ${gzip}`,
    isOneOf(sql`coalesce(c.target ->> 'folder', c.target ->> 'prefix', '')`, defaultPath),
    isOneOf(sql`coalesce(c.target ->> 'host', c.target ->> 'bucket')`, host),
    exactFilter('c.login_credential_id', loginId),
    noTLS === undefined ? undefined : sql`c.type = 'ftp' and (c.target ->> 'isSecure')::boolean = ${!noTLS}`,
    isOneOf(sql`c.target ->> 'endpoint'`, endpoint),
    isOneOf(sql`c.target ->> 'region'`, region),
    params?.length ? sql`(c.target -> 'params')::jsonb ?| ${[...params]}::text[]` : undefined,
  ];
}

/** `lock` keeps others from changing it until the transaction ends. */
export function findCredential(
  db: Db,
  projectId: string,
  id: string,
  { lock = false } = {},
): Promise<CredentialRow | undefined> {
  return db
    .selectFrom('credential')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .$if(lock, (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
}

interface Write {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly target: Target;
  readonly login: LoginFacts;
  readonly secret: Buffer | null;
  readonly loginCredentialId: string | null;
  readonly by: string;
  readonly now: Date;
}

export function insertCredential(
  db: Db,
  write: Write & { readonly projectId: string; readonly type: CredentialType },
): Promise<CredentialRow> {
  const { id, projectId, type, by, now } = write;
  return db
    .insertInto('credential')
    .values({ id, project_id: projectId, type, ...columnsOf(write), ...madeBy(by, now) })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Call it for a locked one. */
export function updateCredential(db: Db, write: Write): Promise<CredentialRow> {
  const { id, by, now } = write;
  return db
    .updateTable('credential')
    .set({ ...columnsOf(write), ...changedBy(by, now) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

function columnsOf({ name, description, target, login, secret, loginCredentialId }: Write) {
  return {
    name,
    description,
    target: JSON.stringify(target),
    login: JSON.stringify(login),
    secret,
    login_credential_id: loginCredentialId,
  };
}

export async function deleteCredential(db: Db, id: string): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('credential').where('id', '=', id).executeTakeFirst();
  return Number(numDeletedRows);
}

/** Folders of the operator's that other projects have: the same, one in it, or one around it, whatever the case. */
export async function isFolderOfOthers(db: Db, projectId: string, folder: string): Promise<boolean> {
  const wanted = `${folder.toLowerCase()}/`;
  const theirs = sql`lower(target ->> 'folder') || '/'`;
  const { rows } = await sql`select from credential where type = 'fs' and project_id <> ${projectId}
    and (starts_with(${theirs}, ${wanted}) or starts_with(${wanted}, ${theirs})) limit 1`.execute(db);
  return rows.length > 0;
}

export function fromRow(row: CredentialRow): Credential {
  const { project_id: projectId, name, description, type, login_credential_id: loginCredentialId } = row;
  return {
    ...stampsOf(row),
    projectId,
    name,
    description,
    type,
    ...row.target,
    ...aliasesOf(type, row.target),
    ...row.login,
    ...(loginCredentialId !== null && { loginCredentialId, loginId: loginCredentialId }),
    hasLogin: type === 'fs' || loginCredentialId !== null || row.secret !== null,
  };
}

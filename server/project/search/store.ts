import type { SearchHit, SearchKind } from '@platen/contract/search';
import type { Permission } from '@platen/contract/permission';
import { sql, type RawBuilder } from 'kysely';
import { inLiveProject } from '../../base/database/live-projects.ts';
import type { Db } from '../../base/database/database.ts';
import type { Caller } from '../../base/caller.ts';
import { permissionsOf, type RoleName } from '../../identity/iam/roles.ts';

export interface Search {
  readonly text: string;
  readonly limit: number;
  /** Only in this project. */
  readonly projectId: string | undefined;
}

type Sql = RawBuilder<unknown>;

interface Row {
  kind: SearchKind;
  id: string;
  name: string;
  detail: string | null;
  project_id: string | null;
  project_name: string | null;
  bucket_id: string | null;
  key: string | null;
}

/** Limits of files examined and of matches sorted, so that a search takes at most some tens of milliseconds. */
const maxFiles = 200_000;
const maxMatches = 2_000;

/** Searches in one statement; each part applies the same permissions as the list of its resource. */
export async function findByName(db: Db, caller: Caller, search: Search): Promise<SearchHit[]> {
  const { limit, projectId } = search;
  const parts = [
    projectId === undefined ? projectsOf(search) : undefined,
    named(search, { kind: 'datasource', table: sql`datasource`, detail: sql`x.type` }),
    named(search, { kind: 'task', table: sql`task`, detail: sql`x.job_type` }),
    named(search, { kind: 'module', table: sql`module` }),
    named(search, { kind: 'app', table: sql`app` }),
    appsOfGuest(caller, search),
    named(search, { kind: 'dataBucket', table: sql`data_bucket` }),
    files(caller, search),
    caller.isAdmin && projectId === undefined ? users(search) : undefined,
  ].filter((part) => part !== undefined);
  const { rows } = await sql<Row>`
    with mine as materialized (
      select p.id, p.name, m.role_id from project p
      left join membership m on m.project_id = p.id and m.user_id = ${caller.userId}
      where p.deleted_at is null and (${sql.lit(caller.isAdmin)} or m.role_id = any(${rolesWith('getProject')}))
        and (${projectId ?? null}::text is null or p.id = ${projectId ?? null})
    )
    select kind, id, name, detail, project_id, project_name, bucket_id, key
    from (${sql.join(parts, sql` union all `)}) found
    order by rank, char_length(name), name, kind, id limit ${limit}`.execute(db);
  return rows.map(fromRow);
}

const rolesWith = (permission: Permission) =>
  (['projectManager', 'projectMember'] as const satisfies RoleName[]).filter((role) =>
    permissionsOf[role].has(permission),
  );

const folded = (text: Sql) => sql`lower(${text} collate platen_text)`;
const wanted = ({ text }: Search) => folded(sql`${text}::text`);

function contains(column: Sql, { text }: Search): Sql {
  return sql`${column} collate platen_text ilike ${`%${text.replaceAll(/[\\%_]/g, '\\$&')}%`}`;
}

/** 0: it starts with the text, 1: one of its words does, 2: the text is in it. */
function rankOf(name: Sql, search: Search): Sql {
  const words = (text: Sql) => sql`translate(${text}, '_-./()[],;:', '            ')`;
  return sql`case when starts_with(${folded(name)}, ${wanted(search)}) then 0
    when strpos(' ' || ${words(folded(name))}, ' ' || ${words(wanted(search))}) > 0 then 1 else 2 end`;
}

const best = (rank: Sql, name: Sql, { limit }: Search) =>
  sql`order by ${rank}, char_length(${name}), ${name} limit ${limit}`;

function projectsOf(search: Search): Sql {
  const name = sql.ref('mine.name');
  const rank = rankOf(name, search);
  return sql`(select 'project' as kind, mine.id, mine.name, null as detail, mine.id as project_id,
      mine.name as project_name, null as bucket_id, null as key, ${rank} as rank
    from mine where ${contains(name, search)} ${best(rank, name, search)})`;
}

interface NamedResource {
  readonly kind: SearchKind;
  readonly table: Sql;
  readonly detail?: Sql;
}

/** Resources whose names everyone in the project may see. */
function named(search: Search, { kind, table, detail = sql`null` }: NamedResource): Sql {
  const name = sql.ref('x.name');
  const rank = rankOf(name, search);
  return sql`(select ${sql.lit(kind)} as kind, x.id, x.name, ${detail} as detail, mine.id as project_id,
      mine.name as project_name, null as bucket_id, null as key, ${rank} as rank
    from ${table} x join mine on mine.id = x.project_id
    where ${contains(name, search)} ${best(rank, name, search)})`;
}

/** Apps of guests, in projects of which they are not members. */
function appsOfGuest({ userId }: Caller, search: Search): Sql {
  const name = sql.ref('a.name');
  const rank = rankOf(name, search);
  const { projectId = null } = search;
  return sql`(select 'app' as kind, a.id, a.name, null as detail, a.project_id, null as project_name,
      null as bucket_id, null as key, ${rank} as rank
    from app_guest g join app a on a.id = g.app_id
    where g.user_id = ${userId} and ${inLiveProject('a.project_id')} and (${projectId}::text is null or a.project_id = ${projectId})
      and not exists (select from mine where mine.id = a.project_id)
      and ${contains(name, search)} ${best(rank, name, search)})`;
}

/** Files of the buckets that the caller may list. */
function files(caller: Caller, search: Search): Sql {
  const isPath = search.text.includes('/');
  const name = sql.ref('f.name');
  const rank = rankOf(name, search);
  const mayList = sql`(${sql.lit(caller.isAdmin)} or mine.role_id = any(${rolesWith('getDataBucket')})
    or b.created_by = ${caller.userId})`;
  const fits = isPath
    ? contains(sql.ref('o.key'), search)
    : sql`strpos(o.folded_name, ${wanted(search)}) > 0`;
  return sql`(select 'file' as kind, f.id, f.name, f.folder as detail, f.project_id, f.project_name, f.bucket_id, f.key,
      ${rank} as rank
    from (
      select o.id, substring(o.key from '[^/]*$') as name, substring(o.key from '^(.*)/') as folder,
        o.project_id, o.project_name, o.bucket_id, o.key
      from (
        select o.id, o.key, o.folded_name, o.bucket_id, o.project_id, mine.name as project_name
        from mine join data_bucket b on b.project_id = mine.id join object o on o.bucket_id = b.id
        where ${mayList} limit ${maxFiles}
      ) o where ${fits} limit ${maxMatches}
    ) f ${best(rank, name, search)})`;
}

function users(search: Search): Sql {
  const name = sql.ref('u.username');
  const rank = rankOf(name, search);
  return sql`(select 'user' as kind, u.id, u.username as name, nullif(u.email, '') as detail, null as project_id,
      null as project_name, null as bucket_id, null as key, ${rank} as rank
    from person u where ${contains(name, search)} or ${contains(sql.ref('u.email'), search)}
    ${best(rank, name, search)})`;
}

function fromRow(row: Row): SearchHit {
  const { kind, id, name, detail, project_id, project_name, bucket_id, key } = row;
  return {
    kind,
    id,
    name,
    ...(project_id !== null && { projectId: project_id }),
    ...(project_name !== null && { projectName: project_name }),
    ...(bucket_id !== null && { dataBucketId: bucket_id }),
    ...(key !== null && { key }),
    ...(detail !== null && { detail }),
  };
}

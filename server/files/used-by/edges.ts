import { sql, type RawBuilder } from 'kysely';
import { placesOf, startsWith } from '../objects/key-range.ts';

/**
 * References between resources: one function for each kind, which selects rows of type, id, name, role and blocks.
 * None reads the files themselves, so the size of a bucket does not matter.
 */
export type Edge = RawBuilder<unknown>;

/** A file, or a folder, whose key ends in `/`; undefined: the whole bucket. */
interface ReferencedPath {
  readonly projectId: string;
  readonly bucketId: string;
  readonly key: string | undefined;
}

export const projectOfBucket = ({ projectId, bucketId }: ReferencedPath): Edge => sql`
  select 'project' as type, id, name, 'defaultDataBucket' as role, false as blocks
  from project where id = ${projectId} and default_data_bucket_id = ${bucketId}`;

/**
 * Datasources that serve the file itself or a folder that contains it; for a folder, something in it or around it.
 */
export const datasourcesOfPlace = ({ projectId, bucketId, key }: ReferencedPath): Edge => sql`
  select 'datasource' as type, id, name, 'data' as role, true as blocks from datasource
  where project_id = ${projectId} and bucket_id = ${bucketId}
    and ${key === undefined ? sql`true` : sql`(served_folder = any(${placesOf(key)}::text[]) or ${atOrIn('bucket_key', key)})`}`;

/** Only tasks with a scheduled next run block deletion; others need their inputs only if they are run again. */
export const tasksThatRead = (place: ReferencedPath): Edge =>
  tasksOfPlace(place, 'input', sql`t.next_run_at is not null`);

/** A missing folder is created again by the next output, but a bucket is not. */
export const tasksThatWrite = (place: ReferencedPath): Edge =>
  tasksOfPlace(place, 'output', place.key === undefined ? sql`t.next_run_at is not null` : sql`false`);

function tasksOfPlace(
  { projectId, bucketId, key }: ReferencedPath,
  role: 'input' | 'output',
  blocks: RawBuilder<unknown>,
): Edge {
  const around = sql`r.bucket_key = any(${placesOf(key ?? '').map(withoutSlash)}::text[])`;
  return sql`
    select distinct 'task' as type, t.id, t.name, r.role, ${blocks} as blocks
    from task_reference r join task t on t.id = r.task_id
    where r.project_id = ${projectId} and r.bucket_id = ${bucketId} and r.role = ${role}
      and ${key === undefined ? sql`true` : sql`(${around} or ${atOrIn('r.bucket_key', key)})`}`;
}

/** The key itself, or for a folder everything in it. */
function atOrIn(column: string, key: string): RawBuilder<unknown> {
  return key.endsWith('/') ? startsWith(column, key) : sql`${sql.ref(column)} = ${key}`;
}

/** For `any(…)`: the keys of many files and of all folders that contain them. */
export const placesOfFiles = (keys: readonly string[]): RawBuilder<unknown> =>
  sql`${[...new Set(keys.flatMap(placesOf))]}::text[]`;

/** The same of those that a statement finds as objects `o`. @param files what stands behind `from` */
export const placesOfFound = (files: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`array(select distinct unnest(places_of(o.key)) from ${files})`;

/** Datasources that serve one of many files, directly or within their folder. */
export const datasourcesOfFiles = (
  { projectId, bucketId }: Omit<ReferencedPath, 'key'>,
  places: RawBuilder<unknown>,
): Edge => sql`
  select 'datasource' as type, id, name, 'data' as role, true as blocks from datasource
  where project_id = ${projectId} and bucket_id = ${bucketId}
    and (bucket_key = any(${places}) or served_folder = any(${places}))`;

/** Resources that read or serve one of many files, except these datasources. */
export function usesOfFiles(
  place: Omit<ReferencedPath, 'key'>,
  keys: readonly string[],
  except: readonly string[],
): Edge[] {
  const { projectId, bucketId } = place;
  const places = [...new Set(keys.flatMap(placesOf))];
  return [
    sql`select * from (${datasourcesOfFiles(place, placesOfFiles(keys))}) d where id <> all(${[...except]}::text[])`,
    sql`
      select distinct 'task' as type, t.id, t.name, r.role, t.next_run_at is not null as blocks
      from task_reference r join task t on t.id = r.task_id
      where r.project_id = ${projectId} and r.bucket_id = ${bucketId} and r.role = 'input'
        and r.bucket_key = any(${places.map(withoutSlash)}::text[])`,
  ];
}

/** Or the column that has it. */
export type DatasourceId = string | RawBuilder<unknown>;

export const modulesOfDatasource = (datasourceId: DatasourceId): Edge => sql`
  select distinct 'module' as type, m.id, m.name, 'layer' as role, true as blocks
  from module_datasource md join module m on m.id = md.module_id where md.datasource_id = ${datasourceId}`;

/** Tasks that read, change or publish its data; publishing does not prevent its deletion. */
export const tasksOfDatasource = (datasourceId: DatasourceId): Edge => sql`
  select distinct 'task' as type, t.id, t.name, r.role, r.role <> 'publish' and t.next_run_at is not null as blocks
  from task_reference r join task t on t.id = r.task_id where r.datasource_id = ${datasourceId}`;

const tasksThatPublish = (by: 'app_id' | 'scenario_id' | 'credential_id', id: string): Edge => sql`
  select 'task' as type, t.id, t.name, r.role, ${sql.lit(by === 'credential_id')} as blocks
  from task_reference r join task t on t.id = r.task_id where r.role = 'publish' and ${sql.ref(`r.${by}`)} = ${id}`;

export const tasksOfApp = (appId: string): Edge => tasksThatPublish('app_id', appId);
export const tasksOfScenario = (scenarioId: string): Edge => tasksThatPublish('scenario_id', scenarioId);
export const tasksOfCredential = (id: string): Edge => tasksThatPublish('credential_id', id);

export const scenariosOfApp = (appId: string): Edge => sql`
  select 'scenario' as type, id, name, 'variant' as role, false as blocks from scenario where app_id = ${appId}`;

export const scenariosOfModule = (moduleId: string): Edge => sql`
  select 'scenario' as type, s.id, s.name, 'module' as role, true as blocks
  from scenario_module sm join scenario s on s.id = sm.scenario_id where sm.module_id = ${moduleId}`;

/** Releases that pin any revision of its data. */
export const releasesOfDatasource = (datasourceId: DatasourceId): Edge => sql`
  select distinct 'release' as type, r.id, ${nameOfRelease} as name, 'pinned' as role, true as blocks
  from app_release_data p join app_release r on r.id = p.release_id where p.datasource_id = ${datasourceId}`;

/**
 * Releases that show a revision formerly served from there; the current revision already blocks through its
 * datasource.
 */
export const releasesOfPlace = ({ projectId, bucketId, key }: ReferencedPath): Edge => sql`
  select distinct 'release' as type, r.id, ${nameOfRelease} as name, 'pinned' as role, true as blocks
  from app_release_data p join datasource_revision v on v.datasource_id = p.datasource_id and v.revision = p.revision
  join app_release r on r.id = p.release_id
  where p.project_id = ${projectId} and v.bucket_id = ${bucketId} and v.until is not null
    and ${key === undefined ? sql`true` : sql`(v.served_folder = any(${placesOf(key)}::text[]) or ${atOrIn('v.bucket_key', key)})`}`;

/** The same for many files. */
export const releasesOfFiles = (
  { projectId, bucketId }: Omit<ReferencedPath, 'key'>,
  places: RawBuilder<unknown>,
): Edge => sql`
  select distinct 'release' as type, r.id, ${nameOfRelease} as name, 'pinned' as role, true as blocks
  from app_release_data p join datasource_revision v on v.datasource_id = p.datasource_id and v.revision = p.revision
  join app_release r on r.id = p.release_id
  where p.project_id = ${projectId} and v.bucket_id = ${bucketId} and v.until is not null
    and (v.bucket_key = any(${places}) or v.served_folder = any(${places}))`;

export const appsOfModule = (moduleId: string): Edge => sql`
  select 'app' as type, a.id, a.name, 'module' as role, true as blocks
  from app_module am join app a on a.id = am.app_id where am.module_id = ${moduleId}`;

/** Their data is of a job of the task, or will be. */
export const datasourcesOfTask = (projectId: string, taskId: string): Edge => sql`
  select 'datasource' as type, d.id, d.name, 'maintained' as role, false as blocks from datasource d
  where d.project_id = ${projectId} and (d.job_ids && array(select id from job where task_id = ${taskId})
    or d.id in (select datasource_id from task_reference where task_id = ${taskId} and role = 'target'))`;

const nameOfRelease = sql`r.name || ' (' || r.number || ')'`;

const withoutSlash = (place: string) => place.replace(/\/$/, '');

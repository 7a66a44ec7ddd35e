import type { SourceProperties } from '@platen/contract/datasources';
import type { FreeForm } from '@platen/contract/schema';
import { sql } from 'kysely';
import { restorePicture } from '../../apps/app-pictures/store.ts';
import { recordAudit } from '../../base/audit/record-audit.ts';
import { findBucket } from '../../files/buckets/store.ts';
import type { Db } from '../../base/database/database.ts';
import { Failure } from '../../base/failure.ts';
import { may, requirePermission, type Caller } from '../../base/caller.ts';
import { datasourceReferences } from '../../apps/modules/references.ts';
import { findObject, hasPrefix } from '../../files/objects/store.ts';
import { isDraftPublic, isPinPublic } from '../../apps/share-links/public-visibility.ts';
import { restoreShareLinkRows } from '../../apps/share-links/store.ts';
import { nextRun } from '../../jobs/tasks/schedule.ts';
import { findTask, setNextRun } from '../../jobs/tasks/store.ts';
import { restoreFileRows, withoutBucket, type RestoreOptions } from './restore-files.ts';
import type { TrashEntry } from './store.ts';

/**
 * Restores a bucket with all its files; datasources that point to it find their data again. If a public app would show
 * them, the caller needs the permission to make it public.
 */
export async function restoreBucket(
  tx: Db,
  caller: Caller,
  { id, project_id, resource_id }: TrashEntry,
): Promise<void> {
  await restoreRows(tx, id, ['data_bucket']);
  await restoreFileRows(tx, id);
  const { rows } = await sql<{ isPublic: boolean }>`
    update datasource d set bucket_id = ${resource_id} where project_id = ${project_id}
      and bucket_id is null and source_properties ->> 'dataBucketId' = ${resource_id}
    returning exists (select from module_datasource md join app_module am on am.module_id = md.module_id
      join app a on a.id = am.app_id where md.datasource_id = d.id and ${isDraftPublic})
      or exists (select from app_release_data p join app a on a.id = p.app_id
        where p.datasource_id = d.id and ${isPinPublic}) as "isPublic"`.execute(tx);
  if (rows.some(({ isPublic }) => isPublic)) requireMayShow(caller);
}

function requireMayShow(caller: Caller): void {
  requirePermission(
    caller,
    'setAppPublic',
    'restore the content of an app that is public or has share links',
  );
}

/**
 * Restores datasources. Modules that still name them show them again; where the world would see them with these, that
 * takes the permission.
 * @throws Failure `conflict` when their data is not there, unless forced
 */
export async function restoreDatasources(
  tx: Db,
  caller: Caller,
  { id, project_id: projectId }: TrashEntry,
  { force }: RestoreOptions,
): Promise<void> {
  const ids = await datasourcesIn(tx, id);
  // their bucket may be gone: then they stand there without, like those whose bucket was deleted by force
  await sql`set constraints datasource_bucket_of_project deferred`.execute(tx);
  await restoreRows(tx, id, ['datasource', 'datasource_revision']);
  await sql`update datasource d set bucket_id = null where id = any(${ids}::text[])
    and not exists (select from data_bucket b where b.id = d.bucket_id)`.execute(tx);
  if (!force) for (const datasourceId of ids) await requireData(tx, projectId, datasourceId);
  const links = await findModuleLinks(tx, id);
  const { rows: pins } = await sql`select from app_release_data p join app a on a.id = p.app_id
    where p.datasource_id = any(${ids}::text[]) and ${isPinPublic} limit 1`.execute(tx);
  if (pins.length > 0 || links.some(({ isPublic }) => isPublic)) requireMayShow(caller);
  for (const { moduleId, datasourceId } of links)
    await sql`insert into module_datasource (project_id, module_id, datasource_id)
      values (${projectId}, ${moduleId}, ${datasourceId}) on conflict do nothing`.execute(tx);
}

async function datasourcesIn(tx: Db, entryId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select content ->> 'id' as id from trash_row where entry_id = ${entryId} and source = 'datasource'
    order by 1`.execute(tx);
  return rows.map(({ id }) => id);
}

async function requireData(tx: Db, projectId: string, datasourceId: string): Promise<void> {
  const row = await tx
    .selectFrom('datasource')
    .select(['source_properties', 'bucket_key'])
    .where('id', '=', datasourceId)
    .executeTakeFirstOrThrow();
  const source = row.source_properties as unknown as SourceProperties;
  if (source.type === 'external') return;
  const { dataBucketId: bucketId } = source;
  if (!(await findBucket(tx, projectId, bucketId))) throw await withoutBucket(tx, projectId, bucketId);
  const key = row.bucket_key!;
  if ((await findObject(tx, bucketId, key)) || (await hasPrefix(tx, bucketId, `${key}/`))) return;
  const text = `The data “${key}” of the datasource is not in the data bucket. Restore the data first, or send force=true to restore the datasource without it.`;
  throw new Failure('conflict', text, {
    errors: [{ pointer: `object/${key}`, code: 'missing', detail: text }],
  });
}

interface ModuleLink {
  readonly moduleId: string;
  readonly datasourceId: string;
  readonly isPublic: boolean;
}

/** The modules out of which datasources were taken when they were deleted, and whose JSON names them still. */
async function findModuleLinks(tx: Db, entryId: string): Promise<ModuleLink[]> {
  const { rows } = await sql<ModuleLink & { content: FreeForm }>`
    select m.id as "moduleId", r.content ->> 'datasource_id' as "datasourceId", m.content,
      exists (select from app_module am join app a on a.id = am.app_id
        where am.module_id = m.id and ${isDraftPublic}) as "isPublic"
    from trash_row r join module m on m.id = r.content ->> 'module_id'
    where r.entry_id = ${entryId} and r.source = 'module_datasource' for update of m`.execute(tx);
  return rows.filter((link) =>
    datasourceReferences(link.content).some(({ datasourceId }) => datasourceId === link.datasourceId),
  );
}

/** The module is not added to apps again; it shows the datasources that still exist. */
export async function restoreModule(tx: Db, { id, project_id, resource_id }: TrashEntry): Promise<void> {
  await restoreRows(tx, id, ['module']);
  const row = await tx
    .selectFrom('module')
    .select('content')
    .where('id', '=', resource_id!)
    .executeTakeFirstOrThrow();
  const ids = datasourceReferences(row.content).map(({ datasourceId }) => String(datasourceId));
  await sql`insert into module_datasource (project_id, module_id, datasource_id)
    select ${project_id}, ${resource_id}, id from datasource
    where project_id = ${project_id} and id = any(${ids}::text[]) for key share`.execute(tx);
}

/**
 * Restores an app as private and without a visibility schedule, with its releases and the modules that still exist,
 * and with its guests and share links if the caller may add those.
 */
export async function restoreApp(
  tx: Db,
  caller: Caller,
  { id, project_id: projectId, resource_id }: TrashEntry,
  { by, now }: RestoreOptions,
): Promise<void> {
  const appId = resource_id!;
  await freeTakenSlug(tx, id);
  await restoreRows(tx, id, ['app', 'app_release', 'app_release_data']);
  await restorePicture(tx, id);
  await sql`update app set is_public = false, public_from = null, public_until = null, public_release_id = null,
    public_set_by = null, revision = revision + 1, updated_at = ${now}, updated_by = ${by}
    where id = ${appId}`.execute(tx);
  await sql`insert into app_module (project_id, app_id, position, module_id)
    select ${projectId}, ${appId}, row_number() over (order by (r.content ->> 'position')::int), m.id
    from trash_row r join module m on m.project_id = ${projectId} and m.id = r.content ->> 'module_id'
    where r.entry_id = ${id} and r.source = 'app_module'`.execute(tx);
  if (may(caller, 'setAppPublic')) await restoreShareLinks(tx, caller, { id, projectId, appId, now });
  if (!may(caller, 'grantRole')) return;
  const { rows } = await sql<{ user_id: string }>`
    insert into app_guest (project_id, app_id, user_id, created_at, created_by)
    select ${projectId}, ${appId}, u.id, ${now}, ${by}
    from trash_row r join user_account u on u.id = r.content ->> 'user_id' and u.is_active
    where r.entry_id = ${id} and r.source = 'app_guest' returning user_id`.execute(tx);
  for (const { user_id: targetId } of rows)
    await recordAudit(tx, { now, caller, action: 'guest.add', projectId, targetId, detail: { appId } });
}

interface RestoredApp {
  readonly id: string;
  readonly projectId: string;
  readonly appId: string;
  readonly now: Date;
}

/** Restores share links with their addresses, because pages of others may contain them. */
async function restoreShareLinks(
  tx: Db,
  caller: Caller,
  { id, projectId, appId, now }: RestoredApp,
): Promise<void> {
  for (const { id: targetId, name } of await restoreShareLinkRows(tx, id)) {
    const detail = { appId, name };
    await recordAudit(tx, { now, caller, action: 'shareLink.restore', projectId, targetId, detail });
  }
}

/** Removes the slug of the app if another app has taken it; keys of JSON keep their order. */
async function freeTakenSlug(tx: Db, entryId: string): Promise<void> {
  await sql`update trash_row r
    set content = (select json_object_agg(key, value) from json_each(r.content) where key <> 'slug')
    where entry_id = ${entryId} and source = 'app'
      and exists (select from app a where a.slug = r.content ->> 'slug')`.execute(tx);
}

/** Restores a task with its finished jobs. Its schedule resumes from now on and does not make up for missed runs. */
export async function restoreTask(
  tx: Db,
  { id, project_id, resource_id }: TrashEntry,
  { now }: RestoreOptions,
): Promise<void> {
  const taskId = resource_id!;
  await sql`
    with unfinished as (
      delete from trash_row where entry_id = ${id} and source = 'job' and content ->> 'end_time' is null
      returning content ->> 'id' as job_id
    )
    delete from trash_row where entry_id = ${id} and source in ('job_log', 'job_operation', 'job_output_page')
      and content ->> 'job_id' in (select job_id from unfinished)`.execute(tx);
  await restoreRows(tx, id, ['task', 'task_reference', 'job', 'job_log', 'job_operation', 'job_output_page']);
  await restoreJobFiles(tx, id);
  await sql`update task set last_job_id = (select id from job where task_id = ${taskId} order by created_at desc, id desc limit 1)
    where id = ${taskId}`.execute(tx);
  const { schedule } = (await findTask(tx, project_id, taskId))!;
  const next = nextRun(schedule, now);
  await setNextRun(tx, taskId, next && next > now ? next : undefined);
}

/** Restores the files of the jobs that exist again. */
export async function restoreJobFiles(tx: Db, entryId: string): Promise<void> {
  await sql`
    insert into job_file (project_id, job_id, name, attempt, blob_id, size, sha256, content_type, created_at)
    select f.project_id, f.job_id, f.name, f.attempt, f.blob_id, f.size, f.sha256, f.content_type, f.created_at
    from trash_job_file f join job on job.id = f.job_id where f.entry_id = ${entryId}`.execute(tx);
}

export async function restoreRows(tx: Db, entryId: string, tables: readonly string[]): Promise<void> {
  for (const table of tables)
    await sql`select restore_trash_rows(${entryId}::text, ${table}::text)`.execute(tx);
}

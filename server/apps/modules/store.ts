import type { DatasourceType } from '@platen/contract/datasource-types';
import type { ProblemDetail } from '@platen/contract/error';
import { moduleLists, type Module, type ModuleListQuery } from '@platen/contract/modules';
import type { FreeForm, Page } from '@platen/contract/schema';
import { sql, type Selectable } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { selectPage, textFilter } from '../../base/database/lists.ts';
import { changedBy, madeBy, stampConditions, stampOrder, stampsOf } from '../../base/database/stamps.ts';
import { isDraftPublic } from '../share-links/public-visibility.ts';
import type { ModuleTable } from '../../base/database/schema.ts';

type Row = Selectable<ModuleTable>;

const order = {
  name: 'm.name',
  description: 'm.description',
  ...stampOrder('m'),
};

/** The modules of a project; the content of modules by users other than `onlyBy` is omitted. */
export function findModules(
  db: Db,
  projectId: string,
  query: ModuleListQuery,
  onlyBy: string | undefined,
): Promise<Page<Module>> {
  const visible = (column: string) =>
    onlyBy === undefined
      ? sql.ref(`m.${column}`)
      : sql`case when m.created_by = ${onlyBy} then ${sql.ref(`m.${column}`)} else '{}'::json end`;
  return selectPage(db, {
    from: sql`module m`,
    columns: sql`m.id, m.project_id, m.name, m.description, m.member_id, m.revision, m.created_at, m.created_by,
      m.updated_at, m.updated_by, ${visible('content')} as content, ${visible('properties')} as properties`,
    where: [
      sql`m.project_id = ${projectId}`,
      textFilter('m.name', query.name),
      textFilter('m.description', query.description),
      ...stampConditions('m', query),
    ],
    order,
    tieBreak: 'm.id',
    query,
    heavy: [visible('content'), visible('properties')],
    fromRow,
  });
}

/** The fields of a module that the service does not set itself. */
export interface ModuleFields {
  readonly name: string;
  readonly description: string;
  readonly properties: FreeForm;
  readonly content: FreeForm;
  /** Warnings about the content. */
  readonly warnings: readonly ProblemDetail[];
}

export interface StoredModule {
  readonly module: Module;
  readonly fields: ModuleFields;
}

export async function findModule(db: Db, projectId: string, id: string): Promise<Module | undefined> {
  const row = await selectModule(db, projectId, id).executeTakeFirst();
  return row && { ...fromRow(row), warnings: row.warnings ?? [] };
}

/** The module as it is stored; it stays locked until the transaction ends. */
export async function lockModule(db: Db, projectId: string, id: string): Promise<StoredModule | undefined> {
  const row = await selectModule(db, projectId, id).forUpdate().executeTakeFirst();
  if (!row) return undefined;
  const { name, description, properties, content, warnings } = row;
  const fields = { name, description, properties, content, warnings: warnings ?? [] };
  return { module: fromRow(row), fields };
}

function selectModule(db: Db, projectId: string, id: string) {
  return db.selectFrom('module').selectAll().where('project_id', '=', projectId).where('id', '=', id);
}

/**
 * The modules with these ids in the order of the ids, repeated as often as they are named; missing ones are skipped.
 */
export async function findModulesByIds(db: Db, projectId: string, ids: readonly string[]): Promise<Module[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Row>`
    select m.* from unnest(${[...ids]}::text[]) with ordinality as wanted (id, position)
    join module m on m.id = wanted.id and m.project_id = ${projectId} order by wanted.position`.execute(db);
  return rows.map(fromRow);
}

interface NewRow extends ModuleFields {
  readonly id: string;
  readonly projectId: string;
  readonly memberId: string;
  readonly by: string;
  readonly now: Date;
}

export async function insertModule(db: Db, module: NewRow): Promise<Module> {
  const row = await db
    .insertInto('module')
    .values({
      id: module.id,
      project_id: module.projectId,
      name: module.name,
      description: module.description,
      content: JSON.stringify(module.content),
      properties: JSON.stringify(module.properties),
      warnings: JSON.stringify(module.warnings),
      member_id: module.memberId,
      ...madeBy(module.by, module.now),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { ...fromRow(row), warnings: row.warnings ?? [] };
}

/** Call it for a locked module. */
export async function updateModule(
  db: Db,
  id: string,
  fields: ModuleFields,
  { now, by }: { now: Date; by: string },
): Promise<Module> {
  const row = await db
    .updateTable('module')
    .set({
      name: fields.name,
      description: fields.description,
      content: JSON.stringify(fields.content),
      properties: JSON.stringify(fields.properties),
      warnings: JSON.stringify(fields.warnings),
      ...changedBy(by, now),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return { ...fromRow(row), warnings: row.warnings ?? [] };
}

/** Keeps the revision, as the module itself is still the same. */
export async function storeWarnings(db: Db, id: string, warnings: readonly ProblemDetail[]): Promise<void> {
  await db
    .updateTable('module')
    .set({ warnings: JSON.stringify(warnings) })
    .where('id', '=', id)
    .execute();
}

export async function deleteModule(db: Db, id: string): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('module').where('id', '=', id).executeTakeFirst();
  return Number(numDeletedRows);
}

/** The datasources that would become public if the module named them. */
export async function findNewlyPublic(db: Db, moduleId: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${[...ids]}::text[]) id
    where exists (select from app_module am join app a on a.id = am.app_id and ${isDraftPublic}
        where am.module_id = ${moduleId})
      and not exists (select from module_datasource md where md.module_id = ${moduleId} and md.datasource_id = id)`.execute(
    db,
  );
  return rows.map((row) => row.id);
}

/** Which of the datasources are in the project; they cannot be deleted until the transaction ends. */
export async function lockDatasources(
  db: Db,
  projectId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, DatasourceType>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; type: DatasourceType }>`
    select id, type from datasource where project_id = ${projectId} and id = any(${[...ids]}) order by id for key share`.execute(
    db,
  );
  return new Map(rows.map(({ id, type }) => [id, type]));
}

export async function replaceDatasources(
  db: Db,
  projectId: string,
  moduleId: string,
  ids: readonly string[],
): Promise<void> {
  await db.deleteFrom('module_datasource').where('module_id', '=', moduleId).execute();
  if (ids.length === 0) return;
  await sql`insert into module_datasource (project_id, module_id, datasource_id)
    select ${projectId}, ${moduleId}, unnest(${[...ids]}::text[])`.execute(db);
}

export interface UsingApp {
  readonly id: string;
  readonly name: string;
  readonly createdBy: string;
}

/** The apps that use a module, locked. */
export async function lockUsingApps(db: Db, projectId: string, moduleId: string): Promise<UsingApp[]> {
  const { rows } = await sql<UsingApp>`
    select id, name, created_by as "createdBy" from app
    where project_id = ${projectId} and id in (select app_id from app_module where module_id = ${moduleId})
    order by id for update`.execute(db);
  return rows;
}

/** Takes a module out of all apps. */
export async function removeFromApps(
  db: Db,
  moduleId: string,
  { now, by }: { now: Date; by: string },
): Promise<void> {
  await sql`with gone as (delete from app_module where module_id = ${moduleId} returning app_id)
    update app set revision = revision + 1, updated_at = ${now}, updated_by = ${by}, warnings = 'null'
    where id in (select app_id from gone)`.execute(db);
}

/** Without its warnings, which are for who edits it and not for the map. */
function fromRow(row: Row): Module {
  const absent = moduleLists.filter((list) => !(list in row.content)).map((list) => [list, []]);
  return {
    ...stampsOf(row),
    name: row.name,
    description: row.description,
    properties: row.properties,
    projectId: row.project_id,
    memberId: row.member_id,
    ...row.content,
    ...Object.fromEntries(absent),
  } as unknown as Module;
}

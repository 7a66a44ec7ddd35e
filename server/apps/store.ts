import type { App, AppListQuery } from '@platen/contract/apps';
import type { Page } from '@platen/contract/schema';
import type { ToolName } from '@platen/contract/tools';
import { sql, type Selectable } from 'kysely';
import { inLiveProject } from '../base/database/live-projects.ts';
import type { Db } from '../base/database/database.ts';
import { selectPage, textFilter } from '../base/database/lists.ts';
import { changedBy, madeBy, stampConditions, stampOrder, stampsOf } from '../base/database/stamps.ts';
import type { AppTable } from '../base/database/schema.ts';

type Row = Omit<Selectable<AppTable>, 'properties'> & {
  properties: App['properties'];
  module_ids: string[];
};

const moduleIds = sql`array(select module_id from app_module am where am.app_id = a.id order by am.position) as module_ids`;

const order = {
  name: 'a.name',
  description: 'a.description',
  ...stampOrder('a'),
};

/** The apps of a project; the free-form part of apps by users other than `onlyBy` is omitted. */
export function findApps(
  db: Db,
  projectId: string,
  query: AppListQuery,
  onlyBy: string | undefined,
): Promise<Page<App>> {
  return selectPage(db, {
    from: sql`app a`,
    columns: sql`a.*, ${moduleIds}`,
    heavy: [sql`a.properties`],
    where: [
      sql`a.project_id = ${projectId}`,
      textFilter('a.name', query.name),
      textFilter('a.description', query.description),
      ...stampConditions('a', query),
      query.isPublic === undefined ? undefined : sql`a.is_public = ${query.isPublic}::boolean`,
    ],
    order,
    tieBreak: 'a.id',
    query,
    fromRow: (row: Row) => {
      const app = fromRow(row);
      return onlyBy === undefined || app.createdBy === onlyBy ? app : { ...app, properties: {} };
    },
  });
}

export async function findApp(db: Db, projectId: string, id: string): Promise<App | undefined> {
  const { rows } = await sql<Row>`
    select a.*, ${moduleIds} from app a where a.project_id = ${projectId} and a.id = ${id}`.execute(db);
  return rows[0] && fromRow(rows[0]);
}

/** An app by what its address has: its id, or its slug. An id always means the app that has it. */
export async function findAppAnywhere(db: Db, idOrSlug: string): Promise<App | undefined> {
  const { rows } = await sql<Row>`select a.*, ${moduleIds} from app a
    where (a.id = ${idOrSlug} or a.slug = ${idOrSlug})
      and ${inLiveProject('a.project_id')} order by a.id = ${idOrSlug} desc limit 1`.execute(db);
  return rows[0] && fromRow(rows[0]);
}

/** Locked until the transaction ends. */
export async function lockApp(db: Db, projectId: string, id: string): Promise<App | undefined> {
  await sql`select from app where project_id = ${projectId} and id = ${id} for update`.execute(db);
  return findApp(db, projectId, id);
}

type Described =
  | 'name'
  | 'description'
  | 'mapVersion'
  | 'properties'
  | 'moduleIds'
  | 'frameOrigins'
  | 'tools'
  | 'baseMaps';

export interface NewRow extends Pick<App, Described> {
  readonly slug: string | undefined;
  readonly id: string;
  readonly projectId: string;
  readonly memberId: string;
  readonly by: string;
  readonly now: Date;
}

/**
 * Waits for transactions that insert the same slug.
 * @returns undefined if another app has the slug
 * @throws a violated foreign key when a module has just gone
 */
export async function insertApp(db: Db, app: NewRow): Promise<App | undefined> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('app')
    .values({
      id: app.id,
      project_id: app.projectId,
      name: app.name,
      description: app.description,
      map_version: app.mapVersion,
      properties: JSON.stringify(app.properties),
      publish_task_ids: [],
      is_public: false,
      slug: app.slug ?? null,
      frame_origins: app.frameOrigins,
      tools: app.tools,
      base_maps: app.baseMaps,
      member_id: app.memberId,
      ...madeBy(app.by, app.now),
    })
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 0n) return undefined;
  await insertModules(db, app.projectId, app.id, app.moduleIds);
  return findLocked(db, app.projectId, app.id);
}

interface Fields extends Pick<App, Described | 'isPublic'> {
  /** null: none any more. */
  readonly slug: string | null;
}

interface Change {
  readonly fields: Partial<Fields>;
  readonly now: Date;
  readonly by: string;
}

/** Call it for a locked app. */
export async function updateApp(
  db: Db,
  { projectId, _id: id }: App,
  { fields, now, by }: Change,
): Promise<App> {
  const { name, description, mapVersion, properties, isPublic, frameOrigins, tools, baseMaps, slug } = fields;
  await db
    .updateTable('app')
    .set({
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(mapVersion !== undefined && { map_version: mapVersion }),
      ...(properties !== undefined && { properties: JSON.stringify(properties) }),
      ...(isPublic !== undefined && { is_public: isPublic }),
      ...(frameOrigins !== undefined && { frame_origins: frameOrigins }),
      ...(tools !== undefined && { tools }),
      ...(baseMaps !== undefined && { base_maps: baseMaps }),
      ...(slug !== undefined && { slug }),
      ...changedBy(by, now),
    })
    .where('id', '=', id)
    .execute();
  if (fields.moduleIds !== undefined) {
    await db.deleteFrom('app_module').where('app_id', '=', id).execute();
    await insertModules(db, projectId, id, fields.moduleIds);
  }
  return findLocked(db, projectId, id);
}

async function insertModules(
  db: Db,
  projectId: string,
  appId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await sql`insert into app_module (project_id, app_id, position, module_id)
    select ${projectId}, ${appId}, position, id
    from unnest(${[...ids]}::text[]) with ordinality as list (id, position)`.execute(db);
}

async function findLocked(db: Db, projectId: string, id: string): Promise<App> {
  const app = await findApp(db, projectId, id);
  if (!app) throw new Error(`The app ${id} disappeared while a transaction had it locked.`);
  return app;
}

export async function deleteApp(db: Db, projectId: string, id: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('app')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

function fromRow(row: Row): App {
  return {
    ...stampsOf(row),
    name: row.name,
    description: row.description,
    projectId: row.project_id,
    moduleIds: row.module_ids,
    mapVersion: row.map_version,
    publishTaskIds: row.publish_task_ids,
    isPublic: row.is_public,
    memberId: row.member_id,
    properties: row.properties,
    frameOrigins: row.frame_origins,
    tools: row.tools as ToolName[],
    baseMaps: row.base_maps,
    ...(row.slug !== null && { slug: row.slug }),
    ...(row.release_id !== null && { releaseId: row.release_id }),
    ...(row.public_from !== null && { publicFrom: row.public_from.toISOString() }),
    ...(row.public_release_id !== null && { publicReleaseId: row.public_release_id }),
    ...(row.public_until !== null && { publicUntil: row.public_until.toISOString() }),
    url: `/app/${row.slug ?? row.id}/`,
  };
}

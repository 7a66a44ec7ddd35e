import type { App } from '@platen/contract/apps';
import type { ProblemDetail } from '@platen/contract/error';
import type { Module } from '@platen/contract/modules';
import type { Release, ReleaseListQuery } from '@platen/contract/releases';
import type { FreeForm, Page } from '@platen/contract/schema';
import type { ToolName } from '@platen/contract/tools';
import { sql, type Selectable } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { selectPage } from '../../base/database/lists.ts';
import type { PluginPins } from '../map-plugins/resolve.ts';
import type { Tables } from '../../base/database/schema.ts';

type Table = Selectable<Tables['app_release']>;

interface Row extends Omit<Table, 'modules' | 'authors' | 'world' | 'plugins' | 'tools'> {
  is_shown: boolean;
}

const columns = sql`r.id, r.project_id, r.app_id, r.number, r.note, r.name, r.description, r.map_version,
  r.engine_version, r.warnings, r.created_at, r.created_by, r.number_of_modules,
  a.release_id is not distinct from r.id as is_shown`;
const releases = sql`app_release r join app a on a.id = r.app_id`;

/** A release with the modules, the base layer, the versions of plugins and the tools that it pins. */
export type StoredRelease = Release & {
  readonly modules: Module[];
  readonly world: FreeForm;
  readonly plugins: PluginPins;
  readonly tools: ToolName[];
};

export function findReleases(db: Db, appId: string, query: ReleaseListQuery): Promise<Page<Release>> {
  return selectPage(db, {
    from: releases,
    columns,
    where: [sql`r.app_id = ${appId}`],
    order: { number: 'r.number', createdAt: 'r.number', createdBy: 'r.created_by' },
    tieBreak: 'r.number',
    query,
    fromRow,
  });
}

/** Finds a release by its id or number. */
export async function findRelease(
  db: Db,
  appId: string,
  idOrNumber: string,
): Promise<StoredRelease | undefined> {
  const { rows } = await sql<Row & Pick<StoredRelease, 'world' | 'plugins' | 'tools'>>`
    select ${columns}, r.world, r.plugins, r.tools from ${releases}
    where r.app_id = ${appId} and ${isThat(idOrNumber)}`.execute(db);
  const [row] = rows;
  const modules = row && (await findReleasedModules(db, row.id));
  if (modules?.length !== row?.number_of_modules) return undefined; // it was deleted right now
  if (!row) return undefined;
  const { world, plugins, tools } = row;
  return { ...fromRow(row), modules: modules!, world, plugins, tools };
}

/** As rows, which are parsed one by one: all modules at once would hold the event loop for too long. */
async function findReleasedModules(db: Db, id: string): Promise<Module[]> {
  const { rows } = await sql<{ module: Module }>`
    select m.module from app_release r, json_array_elements(r.modules) with ordinality as m (module, position)
    where r.id = ${id} order by m.position`.execute(db);
  return rows.map(({ module }) => module);
}

/** The fields of a release that lists show. */
export async function findReleaseHead(
  db: Db,
  appId: string,
  idOrNumber: string,
): Promise<Release | undefined> {
  const { rows } = await sql<Row>`select ${columns} from ${releases}
    where r.app_id = ${appId} and ${isThat(idOrNumber)}`.execute(db);
  return rows[0] && fromRow(rows[0]);
}

/** The id of the release before another one. */
export async function findPrevious(db: Db, appId: string, number: number): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select id from app_release
    where app_id = ${appId} and number < ${number} order by number desc limit 1`.execute(db);
  return rows[0]?.id;
}

/** Ids are longer than any number. */
const isThat = (idOrNumber: string) =>
  /^[1-9]\d{0,8}$/.test(idOrNumber) ? sql`r.number = ${Number(idOrNumber)}` : sql`r.id = ${idOrNumber}`;

/** The revisions that a release pins, by datasource. */
export async function findReleaseData(db: Db, releaseId: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('app_release_data')
    .select(['datasource_id', 'revision'])
    .where('release_id', '=', releaseId)
    .orderBy('datasource_id')
    .execute();
  return new Map(rows.map((row) => [row.datasource_id, row.revision]));
}

export interface Pin {
  readonly datasourceId: string;
  readonly revision: number;
  /** Creators of the modules that name it. */
  readonly authors: readonly string[];
}

interface NewRelease {
  readonly id: string;
  readonly app: App;
  readonly note: string;
  readonly engineVersion: string;
  readonly modules: readonly Module[];
  readonly world: FreeForm;
  readonly plugins: PluginPins;
  readonly warnings: readonly ProblemDetail[];
  readonly pins: readonly Pin[];
  readonly by: string;
  readonly now: Date;
}

/** Call it for a locked app. */
export async function insertRelease(tx: Db, release: NewRelease): Promise<void> {
  const { id, app, pins } = release;
  const { rows } = await sql<{ number: number }>`
    update app set last_release = last_release + 1 where id = ${app._id} returning last_release as number`.execute(
    tx,
  );
  await tx
    .insertInto('app_release')
    .values({
      id,
      project_id: app.projectId,
      app_id: app._id,
      number: rows[0]!.number,
      note: release.note,
      name: app.name,
      description: app.description,
      map_version: app.mapVersion,
      engine_version: release.engineVersion,
      modules: JSON.stringify(release.modules),
      authors: [...new Set(release.modules.map(({ createdBy }) => createdBy))],
      world: JSON.stringify(release.world),
      warnings: JSON.stringify(release.warnings),
      plugins: JSON.stringify(release.plugins),
      tools: app.tools,
      created_at: release.now,
      created_by: release.by,
    })
    .execute();
  if (pins.length === 0) return;
  await sql`
    insert into app_release_data (project_id, app_id, release_id, datasource_id, revision, authors)
    select ${app.projectId}, ${app._id}, ${id}, p."datasourceId", p.revision, p.authors
    from json_to_recordset(${JSON.stringify(pins)}::json) as p ("datasourceId" text, revision integer, authors text[])`.execute(
    tx,
  );
}

/** Which data the world may read from now on: what the release before has shown stays for those who have it open. */
export async function markVisible(
  tx: Db,
  appId: string,
  releaseId: string | undefined,
  now: Date,
): Promise<void> {
  await sql`update app_release_data set shown_until = ${now}
    where app_id = ${appId} and shown_until = 'infinity' and release_id is distinct from ${releaseId ?? null}`.execute(
    tx,
  );
  if (releaseId === undefined) return;
  await sql`update app_release_data set shown_until = 'infinity' where release_id = ${releaseId}`.execute(tx);
}

/** Forgets earlier public periods: only what is public from now on counts as having been public. */
export async function forgetPastVisibility(tx: Db, appId: string): Promise<void> {
  await sql`update app_release_data set shown_until = null
    where app_id = ${appId} and shown_until <> 'infinity'`.execute(tx);
}

export async function countReleases(tx: Db, appId: string): Promise<number> {
  const { rows } = await sql<{
    count: number;
  }>`select count(*) as count from app_release where app_id = ${appId}`.execute(tx);
  return rows[0]!.count;
}

export async function deleteRelease(tx: Db, releaseId: string): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('app_release')
    .where('id', '=', releaseId)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

function fromRow(row: Row): Release {
  return {
    _id: row.id,
    projectId: row.project_id,
    appId: row.app_id,
    number: row.number,
    note: row.note,
    name: row.name,
    description: row.description,
    mapVersion: row.map_version,
    engineVersion: row.engine_version,
    numberOfModules: row.number_of_modules,
    isShown: row.is_shown,
    warnings: row.warnings,
    createdAt: row.created_at.toISOString(),
    createdBy: row.created_by,
  };
}

import type { Scenario, ScenarioListQuery } from '@platen/contract/scenarios';
import type { Page } from '@platen/contract/schema';
import { sql, type Selectable } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { exactFilter, selectPage, textFilter } from '../../base/database/lists.ts';
import { changedBy, madeBy, stampConditions, stampOrder, stampsOf } from '../../base/database/stamps.ts';
import type { ScenarioTable } from '../../base/database/schema.ts';

type Row = Selectable<ScenarioTable> & { module_ids: string[] };

const moduleIds = sql`array(
  select module_id from scenario_module sm where sm.scenario_id = s.id order by sm.position) as module_ids`;

const order = { name: 's.name', description: 's.description', ...stampOrder('s') };

/** The scenarios of a project; the free-form part of those by users other than `onlyBy` is omitted. */
export function findScenarios(
  db: Db,
  projectId: string,
  query: ScenarioListQuery,
  onlyBy: string | undefined,
): Promise<Page<Scenario>> {
  return selectPage(db, {
    from: sql`scenario s`,
    columns: sql`s.*, ${moduleIds}`,
    heavy: [sql`s.properties`, sql`s.config`],
    where: [
      sql`s.project_id = ${projectId}`,
      textFilter('s.name', query.name),
      textFilter('s.description', query.description),
      exactFilter('s.app_id', query.appId),
      query.public === undefined ? undefined : sql`s.is_public = ${query.public}`,
      query.moduleId?.length
        ? sql`exists (select from scenario_module sm where sm.scenario_id = s.id
            and sm.module_id = any(${[...query.moduleId]}::text[]))`
        : undefined,
      ...stampConditions('s', query),
    ],
    order,
    tieBreak: 's.id',
    query,
    fromRow: (row: Row) => {
      const scenario = fromRow(row);
      return onlyBy === undefined || scenario.createdBy === onlyBy
        ? scenario
        : { ...scenario, properties: {}, config: {} };
    },
  });
}

export async function findScenario(db: Db, projectId: string, id: string): Promise<Scenario | undefined> {
  const { rows } = await sql<Row>`
    select s.*, ${moduleIds} from scenario s where s.project_id = ${projectId} and s.id = ${id}`.execute(db);
  return rows[0] && fromRow(rows[0]);
}

/** Locked until the transaction ends. */
export async function lockScenario(db: Db, projectId: string, id: string): Promise<Scenario | undefined> {
  await sql`select from scenario where project_id = ${projectId} and id = ${id} for update`.execute(db);
  return findScenario(db, projectId, id);
}

interface Write {
  readonly id: string;
  readonly projectId: string;
  readonly fields: Pick<Scenario, 'name' | 'description' | 'properties' | 'config' | 'public'> & {
    readonly appId: string | undefined;
  };
  /** undefined: as they are. */
  readonly moduleIds: readonly string[] | undefined;
  readonly by: string;
  readonly now: Date;
}

/** @throws a violated foreign key when a module or the app has just gone */
export async function insertScenario(
  db: Db,
  { memberId, ...write }: Write & { readonly memberId: string },
): Promise<Scenario> {
  const { id, projectId, by, now } = write;
  await db
    .insertInto('scenario')
    .values({
      id,
      project_id: projectId,
      ...columnsOf(write),
      publish_task_ids: [],
      member_id: memberId,
      ...madeBy(by, now),
    })
    .execute();
  await insertModules(db, write);
  return (await findScenario(db, projectId, id))!;
}

/** Call it for a locked one. */
export async function updateScenario(db: Db, write: Write): Promise<Scenario> {
  const { id, projectId, by, now } = write;
  await db
    .updateTable('scenario')
    .set({ ...columnsOf(write), ...changedBy(by, now) })
    .where('id', '=', id)
    .execute();
  if (write.moduleIds) await db.deleteFrom('scenario_module').where('scenario_id', '=', id).execute();
  await insertModules(db, write);
  return (await findScenario(db, projectId, id))!;
}

function columnsOf({ fields: { name, description, properties, config, public: isPublic, appId } }: Write) {
  return {
    name,
    description,
    properties: JSON.stringify(properties),
    config: JSON.stringify(config),
    is_public: isPublic,
    app_id: appId ?? null,
  };
}

async function insertModules(db: Db, { id, projectId, moduleIds: ids }: Write): Promise<void> {
  if (!ids?.length) return;
  await sql`insert into scenario_module (project_id, scenario_id, position, module_id)
    select ${projectId}, ${id}, position, module_id
    from unnest(${[...ids]}::text[]) with ordinality as list (module_id, position)`.execute(db);
}

export async function deleteScenario(db: Db, id: string): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('scenario').where('id', '=', id).executeTakeFirst();
  return Number(numDeletedRows);
}

export interface UsingScenario {
  readonly id: string;
  readonly name: string;
  readonly createdBy: string;
}

/** The scenarios that consist of a module, locked. */
export async function lockUsingScenarios(
  db: Db,
  projectId: string,
  moduleId: string,
): Promise<UsingScenario[]> {
  const { rows } = await sql<UsingScenario>`
    select id, name, created_by as "createdBy" from scenario
    where project_id = ${projectId} and id in (select scenario_id from scenario_module where module_id = ${moduleId})
    order by id for update`.execute(db);
  return rows;
}

/** Takes a module out of all scenarios. */
export async function removeFromScenarios(
  db: Db,
  moduleId: string,
  { now, by }: { now: Date; by: string },
): Promise<void> {
  await sql`with gone as (delete from scenario_module where module_id = ${moduleId} returning scenario_id)
    update scenario set revision = revision + 1, updated_at = ${now}, updated_by = ${by}
    where id in (select scenario_id from gone)`.execute(db);
}

function fromRow(row: Row): Scenario {
  return {
    ...stampsOf(row),
    name: row.name,
    description: row.description,
    properties: row.properties,
    config: row.config,
    public: row.is_public,
    moduleIds: row.module_ids,
    ...(row.app_id !== null && { appId: row.app_id }),
    projectId: row.project_id,
    publishTaskIds: row.publish_task_ids,
    memberId: row.member_id,
  };
}

import type { FreeForm } from '@platen/contract/schema';
import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import type { Publishable } from './publication.ts';

const tables = {
  app: { table: 'app', reference: 'app_id' },
  datasource: { table: 'datasource', reference: 'datasource_id' },
  scenario: { table: 'scenario', reference: 'scenario_id' },
} as const;

export interface PublishableRow {
  readonly name: string;
  readonly createdBy: string;
  readonly taskIds: readonly string[];
}

interface PublishableKey {
  readonly projectId: string;
  readonly type: Publishable;
  readonly id: string;
}

/** The resource to publish. `lock` keeps others from creating a task for it until the transaction ends. */
export async function findPublishable(
  db: Db,
  { projectId, type, id }: PublishableKey,
  { lock = false } = {},
): Promise<PublishableRow | undefined> {
  const { rows } = await sql<PublishableRow>`
    select name, created_by as "createdBy", publish_task_ids as "taskIds" from ${sql.table(tables[type].table)}
    where project_id = ${projectId} and id = ${id} ${lock ? sql`for no key update` : sql``}`.execute(db);
  return rows[0];
}

/** The queued and running jobs of tasks, the newest first, so that cancelling one lets none of the others start. */
export async function findUnfinishedJobs(db: Db, taskIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from job where task_id = any(${[...taskIds]}::text[]) and state in ('queued', 'running')
    order by created_at desc, id desc`.execute(db);
  return rows.map(({ id }) => id);
}

export interface PublishTask {
  readonly id: string;
  readonly name: string;
  readonly jobType: string;
  readonly parameters: FreeForm;
}

/** The tasks that publish by these credentials. */
export async function findTasksByCredentials(db: Db, credentialsId: string): Promise<PublishTask[]> {
  const { rows } = await sql<PublishTask>`
    select t.id, t.name, t.job_type as "jobType", t.parameters from task_reference r join task t on t.id = r.task_id
    where r.credential_id = ${credentialsId} order by t.id`.execute(db);
  return rows;
}

/** @param reference the column of `task_reference` that names the published resource */
const tasksOf = (reference: string, id: string) => sql`array(
  select r.task_id from task_reference r where r.role = 'publish' and ${sql.ref(`r.${reference}`)} = ${sql.ref(id)}
  order by r.task_id)`;

interface TaskChange {
  readonly projectId: string;
  readonly taskId: string;
  readonly by: string;
  readonly now: Date;
}

/** Has `publishTaskIds` of what a task publishes, or has published until now, name the tasks that do. */
export async function updatePublishTaskIds(
  tx: Db,
  { projectId, taskId, by, now }: TaskChange,
): Promise<void> {
  for (const { table, reference } of Object.values(tables)) {
    const ofTask = sql`select ${sql.ref(reference)} from task_reference where task_id = ${taskId} and role = 'publish'`;
    const ids = tasksOf(reference, 'x.id');
    await sql`
      update ${sql.table(table)} x set publish_task_ids = ${ids}, revision = revision + 1,
        updated_at = ${now}, updated_by = ${by}
      where x.project_id = ${projectId} and (${taskId} = any (x.publish_task_ids) or x.id in (${ofTask}))
        and x.publish_task_ids <> ${ids}`.execute(tx);
  }
}

/** Updates a resource that was restored from the trash, as tasks may have been added or deleted in between. */
export async function refreshPublishTaskIds(tx: Db, type: Publishable, id: string): Promise<void> {
  const { table, reference } = tables[type];
  await sql`update ${sql.table(table)} x set publish_task_ids = ${tasksOf(reference, 'x.id')}
    where x.id = ${id}`.execute(tx);
}

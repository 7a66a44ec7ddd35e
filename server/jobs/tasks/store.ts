import type { Page } from '@platen/contract/schema';
import type { Task, TaskListQuery } from '@platen/contract/tasks';
import { jobStates } from '@platen/contract/jobs';
import { sql, type RawBuilder, type Selectable } from 'kysely';
import { inLiveProject } from '../../base/database/live-projects.ts';
import type { Db } from '../../base/database/database.ts';
import {
  exactFilter,
  exceptFilter,
  numberFilter,
  selectPage,
  textFilter,
  timeFilter,
} from '../../base/database/lists.ts';
import { madeBy, stampConditions, stampOrder, stampsOf } from '../../base/database/stamps.ts';
import { runsFrom } from './schedule.ts';
import type { TaskTable } from '../../base/database/schema.ts';

type Row = Selectable<TaskTable>;

const order = {
  name: 't.name',
  jobType: 't.job_type',
  priority: 't.priority',
  nextRunAt: 't.next_run_at',
  lastRunAt: 'j.start_time',
  ...stampOrder('t'),
};

interface TaskProjects {
  /** Undefined: all projects. */
  readonly projectId?: readonly string[] | undefined;
  readonly exceptProjects?: readonly string[];
}

export function findTasks(
  db: Db,
  { projectId, exceptProjects }: TaskProjects,
  query: TaskListQuery,
): Promise<Page<Task>> {
  const labels = [...(query.label ?? []), ...(query.labels ?? [])];
  return selectPage(db, {
    from: sql`task t left join job j on j.id = t.last_job_id`,
    columns: sql`t.*`,
    where: [
      exactFilter('t.project_id', projectId),
      exceptFilter('t.project_id', exceptProjects),
      textFilter('t.name', query.name),
      textFilter('t.description', query.description),
      exactFilter('t.job_type', query.jobType),
      labels.length > 0 ? sql`t.labels::jsonb ?| ${labels}::text[]` : undefined,
      numberFilter('t.priority', query.priority),
      ...scheduleConditions(query),
      ...stampConditions('t', query),
    ],
    order,
    tieBreak: 't.id',
    query,
    // the last two belong to the last job
    heavy: [sql`t.tags`, sql`t.properties`, sql`t.parameters`, sql`j.parameter_warnings`, sql`j.warnings`],
    fromRow,
  });
}

function scheduleConditions({ state, status, ...query }: TaskListQuery): (RawBuilder<unknown> | undefined)[] {
  const { scheduleType, suspended } = query;
  return [
    scheduleType?.length ? sql`t.schedule ->> 'type' = any(${[...scheduleType]}::text[])` : undefined,
    suspended === undefined
      ? undefined
      : sql`coalesce((t.schedule ->> 'suspended')::boolean, false) = ${suspended}`,
    timeFilter('nextRunAt', 't.next_run_at', query.nextRunAt),
    timeFilter('lastRunAt', 'j.start_time', query.lastRunAt),
    exactFilter('j.state', state),
    exactFilter(
      'j.state',
      status?.map((number) => jobStates[number - 1]!),
    ),
  ];
}

/** `lock` locks the task until the transaction ends. */
export async function findTask(
  db: Db,
  projectId: string,
  id: string,
  { lock = false } = {},
): Promise<Task | undefined> {
  const row = await db
    .selectFrom('task')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst();
  return row && fromRow(row);
}

/** Tasks by ID, newest first; missing ones are omitted. */
export async function findTasksById(db: Db, projectId: string, ids: readonly string[]): Promise<Task[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('task')
    .selectAll()
    .where('project_id', '=', projectId)
    .where(sql<boolean>`id = any(${[...ids]}::text[])`)
    .orderBy('id', 'desc')
    .execute();
  return rows.map(fromRow);
}

type Fields = Pick<
  Task,
  | 'name'
  | 'description'
  | 'labels'
  | 'tags'
  | 'debugLevel'
  | 'priority'
  | 'jobType'
  | 'jobVersion'
  | 'schedule'
  | 'timeoutSeconds'
  | 'properties'
  | 'parameters'
>;

interface Write {
  readonly id: string;
  readonly projectId: string;
  readonly fields: Fields;
  readonly nextRunAt: Date | undefined;
  readonly by: string;
  readonly now: Date;
}

/** Whether a project has as many tasks or more. */
export async function hasTasks(db: Db, projectId: string, count: number): Promise<boolean> {
  const { rows } =
    await sql`select from task where project_id = ${projectId} offset ${count - 1} limit 1`.execute(db);
  return rows.length > 0;
}

export async function insertTask(db: Db, { id, projectId, by, now, ...write }: Write): Promise<Task> {
  const row = await db
    .insertInto('task')
    .values({
      ...columnsOf(write),
      id,
      project_id: projectId,
      last_job_id: null,
      ...madeBy(by, now),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return fromRow(row);
}

/** Overwrites all fields of a locked task. */
export async function updateTask(db: Db, { id, projectId, by, now, ...write }: Write): Promise<Task> {
  const row = await db
    .updateTable('task')
    .set({ ...columnsOf(write), revision: sql`revision + 1`, updated_at: now, updated_by: by })
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return fromRow(row);
}

function columnsOf({ fields, nextRunAt }: Pick<Write, 'fields' | 'nextRunAt'>) {
  return {
    name: fields.name,
    description: fields.description,
    labels: JSON.stringify(fields.labels),
    tags: JSON.stringify(fields.tags),
    debug_level: fields.debugLevel,
    timeout_seconds: fields.timeoutSeconds ?? null,
    priority: fields.priority,
    job_type: fields.jobType,
    job_version: fields.jobVersion,
    schedule: JSON.stringify(fields.schedule),
    properties: JSON.stringify(fields.properties),
    parameters: JSON.stringify(fields.parameters),
    next_run_at: nextRunAt ?? null,
  };
}

/** Deletes a task with its jobs unless one of them is running. */
export async function deleteIdleTask(db: Db, projectId: string, id: string): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from task t where project_id = ${projectId} and id = ${id}
      and not exists (select from job j where j.task_id = t.id and j.state = 'running')`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** Locks the task that is longest overdue. Locked tasks are skipped, so that each run is started by one replica. */
export async function lockDueTask(tx: Db, now: Date): Promise<Task | undefined> {
  const { rows } = await sql<Row>`
    select * from task where next_run_at <= ${now}
      and ${inLiveProject('task.project_id')}
    order by next_run_at limit 1 for update skip locked`.execute(tx);
  return rows[0] && fromRow(rows[0]);
}

export async function setNextRun(tx: Db, id: string, nextRunAt: Date | undefined): Promise<void> {
  await tx
    .updateTable('task')
    .set({ next_run_at: nextRunAt ?? null })
    .where('id', '=', id)
    .execute();
}

/** Has no effect if another replica has handled the task meanwhile. */
export async function postponeDueTask(
  db: Db,
  id: string,
  { now, until }: { readonly now: Date; readonly until: Date },
): Promise<void> {
  await db
    .updateTable('task')
    .set({ next_run_at: until })
    .where('id', '=', id)
    .where('next_run_at', '<=', now)
    .execute();
}

/** The time when the next task is due. */
export async function findNextDue(db: Db): Promise<Date | undefined> {
  const row = await db
    .selectFrom('task')
    .select('next_run_at')
    .where('next_run_at', 'is not', null)
    .where(inLiveProject('task.project_id'))
    .orderBy('next_run_at')
    .limit(1)
    .executeTakeFirst();
  return row?.next_run_at ?? undefined;
}

/** The active job of the task: the running one, otherwise the first queued one. */
export async function findUnfinishedJob(
  db: Db,
  taskId: string,
): Promise<{ id: string; state: string } | undefined> {
  const inState = (state: string) => sql`(select id, state from job where task_id = ${taskId}
    and state = ${sql.lit(state)} order by created_at, id limit 1)`;
  const { rows } = await sql<{ id: string; state: string }>`
    ${inState('running')} union all ${inState('queued')} limit 1`.execute(db);
  return rows[0];
}

/** The number of held jobs of the task, counted up to a maximum. */
export async function countHeld(db: Db, taskId: string, max: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select from job where task_id = ${taskId} and is_held limit ${max}) held`.execute(
    db,
  );
  return rows[0]!.count;
}

/** The ID of the last job of the task, if it failed with this code. */
export async function findLastFailure(
  db: Db,
  taskId: string,
  errorCode: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('task as t')
    .innerJoin('job as j', 'j.id', 't.last_job_id')
    .select('j.id')
    .where('t.id', '=', taskId)
    .where('j.error_code', '=', errorCode)
    .executeTakeFirst();
  return row?.id;
}

function fromRow(row: Row): Task {
  return {
    ...stampsOf(row),
    projectId: row.project_id,
    ...(row.last_job_id !== null && { lastJobId: row.last_job_id }),
    ...(row.next_run_at && { nextRunAt: row.next_run_at.toISOString() }),
    nextRuns: runsFrom(row.schedule, row.next_run_at ?? undefined),
    name: row.name,
    description: row.description,
    labels: row.labels,
    tags: row.tags,
    debugLevel: row.debug_level,
    ...(row.timeout_seconds !== null && { timeoutSeconds: row.timeout_seconds }),
    priority: row.priority,
    jobType: row.job_type,
    jobVersion: row.job_version,
    schedule: row.schedule,
    properties: row.properties,
    parameters: row.parameters,
  };
}

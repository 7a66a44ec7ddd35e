import {
  jobStates,
  type Job,
  type JobListQuery,
  type JobLogEntry,
  type JobLogQuery,
} from '@platen/contract/jobs';
import type { Page } from '@platen/contract/schema';
import { sql, type Selectable } from 'kysely';
import type { Db } from '../database/database.ts';
import { exactFilter, selectPage, timeFilter } from '../database/lists.ts';
import { stampConditions, stampOrder } from '../database/stamps.ts';
import type { JobLogTable, JobTable } from '../tasks/tables.ts';

export type JobRow = Selectable<JobTable>;

const order = {
  startTime: 'j.start_time',
  endTime: 'j.end_time',
  priority: 'j.priority',
  jobType: 'j.job_type',
  ...stampOrder('j'),
};

export function findJobs(db: Db, projectId: string, query: JobListQuery): Promise<Page<Job>> {
  return selectPage(db, {
    from: sql`job j`,
    columns: sql`j.*`,
    heavy: [sql`j.parameters`, sql`j.warnings`, sql`j.outputs`, sql`j.report`],
    where: [
      sql`j.project_id = ${projectId} and j.task_id is not null`,
      exactFilter('j.task_id', query.taskId),
      exactFilter('j.state', query.state),
      exactFilter(
        'j.state',
        query.status?.map((number) => jobStates[number - 1]!),
      ),
      exactFilter('j.job_type', query.jobType),
      query.label?.length ? sql`j.labels && ${[...query.label]}::text[]` : undefined,
      timeFilter('startTime', 'j.start_time', query.startTime),
      timeFilter('endTime', 'j.end_time', query.endTime),
      ...stampConditions('j', query),
    ],
    order,
    tieBreak: 'j.id',
    query,
    fromRow,
  });
}

export async function findJob(db: Db, projectId: string, id: string): Promise<Job | undefined> {
  const row = await db
    .selectFrom('job')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && fromRow(row);
}

export async function findJobsById(db: Db, ids: readonly string[]): Promise<Map<string, Job>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<JobRow>`select * from job where id = any(${[...ids]})`.execute(db);
  return new Map(rows.rows.map((row) => [row.id, fromRow(row)]));
}

/** Only a job that has ended goes; the task then names the newest one that is left. */
export async function deleteEndedJob(db: Db, projectId: string, id: string): Promise<number> {
  const { rows } = await sql`
    with gone as (
      delete from job where project_id = ${projectId} and id = ${id} and state not in ('queued', 'running')
      returning id, task_id
    ), renamed as (
      update task t set last_job_id = (
        select j.id from job j where j.task_id = t.id and j.id <> gone.id order by j.created_at desc, j.id desc limit 1
      ) from gone where t.id = gone.task_id and t.last_job_id = gone.id
    )
    select id from gone`.execute(db);
  return rows.length;
}

export async function findLog(db: Db, jobId: string, { after, limit }: JobLogQuery): Promise<JobLogEntry[]> {
  const rows = await db
    .selectFrom('job_log')
    .selectAll()
    .where('job_id', '=', jobId)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute();
  return rows.map(logFromRow);
}

function logFromRow({ seq, at, level, message, data }: Selectable<JobLogTable>): JobLogEntry {
  return { seq, at: at.toISOString(), level, message, ...(data && { data }) };
}

export function fromRow(row: JobRow): Job {
  return {
    _id: row.id,
    projectId: row.project_id,
    ...(row.task_id !== null && { taskId: row.task_id }),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    createdBy: row.created_by,
    updatedBy: row.updated_by,
    revision: row.revision,
    jobType: row.job_type,
    jobVersion: row.job_version,
    labels: row.labels,
    priority: row.priority,
    debugLevel: row.debug_level,
    parameters: row.parameters,
    status: jobStates.indexOf(row.state) + 1,
    state: row.state,
    attempt: row.attempt,
    abortRequested: row.abort_requested,
    jobStages: row.stages,
    warnings: [...row.parameter_warnings, ...row.warnings],
    outputs: row.outputs,
    ...(row.report && { report: row.report }),
    ...(row.progress && { progress: row.progress, currentJobStage: row.progress.phase }),
    ...(row.error_code !== null && { errorCode: row.error_code }),
    ...(row.error_message !== null && { errorMessage: row.error_message }),
    ...(row.start_time && { startTime: row.start_time.toISOString() }),
    ...(row.end_time && { endTime: row.end_time.toISOString() }),
  };
}

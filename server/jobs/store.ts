import { jobStates, type Job, type JobOutputs } from '@platen/contract/jobs';
import { sql, type Selectable } from 'kysely';
import type { Db } from '../base/database/database.ts';
import type { JobTable } from '../base/database/schema.ts';

export type JobRow = Selectable<JobTable>;

export async function findJob(db: Db, projectId: string, id: string): Promise<Job | undefined> {
  const row = await findJobRow(db, projectId, id);
  return row && fromRow(row);
}

export function findJobRow(db: Db, projectId: string, id: string): Promise<JobRow | undefined> {
  return db
    .selectFrom('job')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Reads jobs without parameters, tags, outputs and reports, each of which may be megabytes. */
export async function findLastJobs(db: Db, ids: readonly string[]): Promise<Map<string, Job>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<JobRow>`
    select light.* from job j,
      json_populate_record(j, '{"parameters": {}, "tags": {}, "outputs": [], "report": null}') light
    where j.id = any(${[...ids]}::text[])`.execute(db);
  return new Map(rows.map((row) => [row.id, fromRow(row)]));
}

/** Deletes a job if it has ended, and updates the last job of its task. */
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
    tags: row.tags,
    parameters: row.parameters,
    status: jobStates.indexOf(row.state) + 1,
    state: row.state,
    attempt: row.attempt,
    failures: row.failures,
    ...(row.not_before && { nextAttemptAt: row.not_before.toISOString() }),
    ...(row.is_held && { isHeld: true }),
    ...(row.timeout_seconds !== null && { timeoutSeconds: row.timeout_seconds }),
    ...(row.repeats !== null && { repeats: row.repeats }),
    rejected: row.rejected,
    abortRequested: row.abort_requested,
    jobStages: row.stages.map(({ name }) => name),
    stages: row.stages,
    warnings: [...row.parameter_warnings, ...row.warnings],
    outputs: outputPlaces(row),
    outputItems: row.outputs,
    ...(row.output_files && { outputFiles: row.output_files }),
    ...(row.report && { report: row.report }),
    ...(row.progress && { progress: row.progress, currentJobStage: row.progress.phase }),
    ...(row.error_code !== null && { errorCode: row.error_code }),
    ...(row.error_message !== null && { errorMessage: row.error_message }),
    ...(row.start_time && { startTime: row.start_time.toISOString() }),
    ...(row.end_time && { endTime: row.end_time.toISOString() }),
  };
}

type StoredOutputs = Pick<JobRow, 'outputs' | 'output_files'>;

/** The first datasource is the primary one. */
export function outputPlaces({ outputs, output_files: files }: StoredOutputs): JobOutputs {
  const datasourceIds = outputs.flatMap(({ datasourceId }) => datasourceId ?? []);
  const [first, second] = outputs.filter(({ type }) => type === 'object');
  const { dataBucketId, dataBucketKey: key = '' } = first ?? {};
  const folder = files?.folder ?? key.slice(0, key.lastIndexOf('/') + 1);
  return {
    ...(datasourceIds[0] !== undefined && { datasourceId: datasourceIds[0] }),
    datasourceIds,
    ...(dataBucketId !== undefined && { dataBucketId, dataBucketKey: second ? folder : key }),
  };
}

import { sql, type RawBuilder } from 'kysely';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import type { CleanUpOptions } from '../../base/removal-count.ts';

/** Batch limits: jobs examined per statement, and total log lines deleted (at least one job). */
const batch = 500;
const maxLogLines = 20_000;
const dayMs = 24 * 3_600_000;

interface JobRetention {
  readonly projectId: string;
  readonly endedBefore: Date;
  readonly perTask: number;
}

/**
 * Removes jobs that are too old or too many for their task, with logs, operations and files. The last job of a task
 * and outputs stay. Works in short batches.
 * @returns the number of jobs
 */
export async function removeOldJobs(context: Context, options: CleanUpOptions = {}): Promise<number> {
  const { db, now, settings } = context;
  const projects = await db.selectFrom('project').select(['id', 'keep_jobs_days', 'keep_jobs']).execute();
  let removed = 0;
  for (const { id: projectId, keep_jobs_days: days, keep_jobs: perTask } of projects) {
    if (options.signal?.aborted) break;
    const keptMs = (days ?? settings.keepJobsDays) * dayMs;
    const endedBefore = new Date(now().getTime() - keptMs);
    const keeping = { projectId, endedBefore, perTask: perTask ?? settings.keepJobs };
    const ofProject = (await removeAged(db, keeping, options)) + (await removeSurplus(db, keeping, options));
    if (ofProject > 0) await renameLastJobs(db, projectId);
    removed += ofProject;
  }
  return removed;
}

interface BatchResult {
  readonly count: number;
  readonly bytes: number;
  /** The job up to which this statement has looked; null: there was none left. */
  readonly last_id: string | null;
  readonly last_at: Date;
}

type BatchPosition = Pick<BatchResult, 'last_at'> & { readonly last_id: string };

const beginning: BatchPosition = { last_at: new Date(0), last_id: '' };

/** Deletes the oldest first, except the last jobs of each task. */
function removeAged(db: Db, keeping: JobRetention, options: CleanUpOptions): Promise<number> {
  const { projectId, endedBefore } = keeping;
  const where = sql`project_id = ${projectId} and task_id is not null and created_at < ${endedBefore}`;
  return removeBatches(db, { projectId, where, isOver: sql`end_time < ${endedBefore}` }, options);
}

/** Deletes the jobs of a task that exceed the number to keep. */
async function removeSurplus(
  db: Db,
  { projectId, perTask }: JobRetention,
  options: CleanUpOptions,
): Promise<number> {
  const { rows } = await sql<{ task_id: string }>`
    select task_id from job_count where project_id = ${projectId} and task_id <> '' and state = 'any'
    group by task_id having sum(jobs) > ${perTask}`.execute(db);
  let removed = 0;
  for (const { task_id: taskId } of rows) {
    const kept = await sql<{ id: string; created_at: Date }>`
      select id, created_at from job where task_id = ${taskId}
      order by created_at desc, id desc offset ${perTask - 1} limit 1`.execute(db);
    const [first] = kept.rows;
    if (!first || options.signal?.aborted) continue;
    const where = sql`task_id = ${taskId} and (created_at, id) < (${first.created_at}::timestamptz, ${first.id})`;
    removed += await removeBatches(db, { projectId, where, isOver: sql`end_time is not null` }, options);
  }
  return removed;
}

interface Candidates {
  readonly projectId: string;
  /** The jobs to examine, in the order of an index. */
  readonly where: RawBuilder<unknown>;
  /** Which of it goes, if it may. */
  readonly isOver: RawBuilder<unknown>;
}

async function removeBatches(
  db: Db,
  { projectId, where, isOver }: Candidates,
  { signal, report }: CleanUpOptions,
): Promise<number> {
  let removed = 0;
  for (let after = beginning; !signal?.aborted;) {
    const { rows } = await sql<BatchResult>`
      with looked as (
        select id, created_at, case when ${isOver} then log_seq else 0 end as lines, ${isOver} as is_over from job
        where ${where} and (created_at, id) > (${after.last_at}::timestamptz, ${after.last_id})
        order by created_at, id limit ${batch}
      ), summed as (
        select *, sum(lines) over (order by created_at, id) - lines as lines_before from looked
      ), passed as (
        select * from summed where lines_before <= ${maxLogLines}
      ), picked as (
        select j.id from passed p join job j on j.id = p.id
        where p.is_over and not exists (select from task t where t.id = j.task_id and t.last_job_id = j.id)
        for update of j skip locked
      ), files as (
        select coalesce(sum(f.size), 0)::bigint as bytes from job_file f join picked on picked.id = f.job_id
      ), gone as (
        delete from job j using picked where j.id = picked.id returning j.id
      )
      select (select count(*) from gone) as count, files.bytes, last.id as last_id, last.created_at as last_at
      from files left join lateral (
        select id, created_at from passed order by created_at desc, id desc limit 1
      ) last on true`.execute(db);
    const { count, bytes, last_id, last_at } = rows[0]!;
    if (last_id === null) break;
    if (count > 0) report?.('job', [{ project_id: projectId, count, bytes }]);
    removed += count;
    after = { last_id, last_at };
  }
  return removed;
}

/** The last job of a task may have been deleted while the jobs before it were removed. */
async function renameLastJobs(db: Db, projectId: string): Promise<void> {
  await sql`
    update task t set last_job_id = (
      select j.id from job j where j.task_id = t.id order by j.created_at desc, j.id desc limit 1)
    where t.project_id = ${projectId} and t.last_job_id is not null
      and not exists (select from job j where j.id = t.last_job_id)`.execute(db);
}

import type { Job, JobWait } from '@platen/contract/jobs';
import { sql } from 'kysely';
import type { Context } from '../../base/context.ts';
import { runnersAt } from '../runners/store.ts';

/** Jobs in front are counted up to this number. */
const maxCounted = 1000;

interface WaitRow {
  readonly id: string;
  readonly not_before: Date | null;
  readonly failures: number;
  readonly is_held: boolean;
  readonly labels: string[];
  readonly job_type: string;
  readonly previous: string | null;
  readonly has_runner: boolean;
  readonly has_labels: boolean;
  readonly is_known: boolean;
  readonly running: number;
  readonly max: number | null;
  readonly before: number;
}

/** The queued ones among these jobs of a project, with the reason why each does not run yet. */
export async function addWaits(
  { db, now, settings }: Pick<Context, 'db' | 'now' | 'settings'>,
  projectId: string,
  jobs: readonly Job[],
): Promise<Job[]> {
  const queued = jobs.filter(({ state }) => state === 'queued').map(({ _id }) => _id);
  if (queued.length === 0) return [...jobs];
  const order = sql`band desc, priority desc, created_at, id`;
  const { rows } = await sql<WaitRow>`
    with live as materialized (
      select r.labels, r.type_names from ${runnersAt(now())} where r.state in ('idle', 'busy')
    ), first as (
      select id, band, priority, created_at from job
      where state = 'queued' and not_before is null and not is_held and project_id = ${projectId}
      order by ${order} limit ${sql.lit(maxCounted)}
    ), counted as materialized (select id, row_number() over (order by ${order}) - 1 as before from first)
    select j.id, j.not_before, j.failures, j.is_held, j.labels, j.job_type, (
        select p.id from job p where j.is_held and p.task_id = j.task_id and p.state in ('queued', 'running')
          and (p.created_at, p.id) < (j.created_at, j.id) order by p.created_at desc, p.id desc limit 1
      ) as previous,
      exists (select from live) as has_runner,
      exists (select from live where j.labels <@ live.labels) as has_labels,
      exists (select from live where j.labels <@ live.labels
        and (live.type_names is null or j.type_name = any (live.type_names))) as is_known,
      (select count(*) from job r where r.state = 'running' and r.project_id = ${projectId}) as running,
      coalesce(project.max_running_jobs, ${settings.maxRunningJobs ?? null}::int) as max,
      coalesce(counted.before, ${sql.lit(maxCounted)}) as before
    from job j join project on project.id = j.project_id left join counted on counted.id = j.id
    where j.id = any (${queued}::text[]) and j.state = 'queued' and j.project_id = ${projectId}`.execute(db);
  const waits = new Map(rows.map((row) => [row.id, waitOf(row)]));
  return jobs.map((job) => {
    const waitsFor = waits.get(job._id);
    return waitsFor ? { ...job, waitsFor } : job;
  });
}

function waitOf(row: WaitRow): JobWait {
  const { not_before: until, labels, job_type: jobType, running, max, before } = row;
  if (until && row.failures === 0) {
    const message = 'Another job is publishing to the same destination.';
    return { reason: 'destination', message, until: until.toISOString() };
  }
  if (until) {
    const message = 'Temporary error. The job is retried later.';
    return { reason: 'retry', message, until: until.toISOString() };
  }
  if (row.is_held) {
    const previous = row.previous !== null && { jobId: row.previous };
    return { reason: 'previousJob', message: 'The previous job of the task has not ended.', ...previous };
  }
  if (!row.has_runner) return { reason: 'noRunner', message: 'No runner is online.' };
  if (!row.has_labels) {
    const message = `No online runner has all labels of the job: ${labels.join(', ')}.`;
    return { reason: 'noRunnerWithLabels', message };
  }
  if (!row.is_known) {
    const message = `No online runner with the labels of the job supports the job type ${jobType}.`;
    return { reason: 'noRunnerForType', message };
  }
  const counted = before > 0 && { jobsBefore: before };
  if (max !== null && running >= max) {
    const message = `The project has reached its limit of concurrent jobs: ${max}.`;
    return { reason: 'projectLimit', message, ...counted };
  }
  if (before === 0) return { reason: 'freeRunner', message: 'The job is the next of its project.' };
  const jobs = before === maxCounted ? `${before} jobs or more` : `${before} jobs`;
  const message =
    before === 1 ? 'One job of the project runs before it.' : `${jobs} of the project run before it.`;
  return { reason: 'otherJobs', message, ...counted };
}

import { hasEnded, jobStates, type JobState } from '@platen/contract/jobs';
import { sql, type RawBuilder } from 'kysely';
import { exactFilter, exceptFilter } from '../base/database/lists.ts';

interface CountFilter {
  readonly projectId?: readonly string[] | undefined;
  /** Projects that are left out. */
  readonly exceptProjects?: readonly string[] | undefined;
  readonly taskId?: readonly string[] | undefined;
  readonly jobType?: readonly string[] | undefined;
  readonly states: readonly JobState[] | undefined;
}

const endStates = jobStates.filter(hasEnded);

/**
 * The number of jobs of tasks that match. Reads the counters and the changes not yet added to them: a few rows,
 * however many jobs there are. Exact at the time of the statement, because triggers write each change together with
 * the job. Running jobs are counted directly; queued jobs are the remainder.
 */
export function jobTotal({ states = jobStates, ...counted }: CountFilter): RawBuilder<unknown> {
  const isCounted = (state: JobState) => Number(states.includes(state));
  const queued = isCounted('queued');
  const weights: (readonly [state: string, weight: number])[] = [
    ['any', queued],
    ...endStates.map((state) => [state, isCounted(state) - queued] as const),
  ];
  const used = weights.filter(([, weight]) => weight !== 0);
  const runs = isCounted('running') - queued;
  const sums = [
    ...(used.length > 0 ? [weighted(used, counted)] : []),
    ...(runs !== 0 ? [running(runs, counted)] : []),
  ];
  if (sums.length === 0) return sql`select 0::bigint as total_count`;
  return sql`select coalesce(sum(jobs), 0)::bigint as total_count from (${sql.join(sums, sql` union all `)}) counted`;
}

function weighted(
  used: readonly (readonly [state: string, weight: number])[],
  { projectId, exceptProjects, taskId, jobType }: Omit<CountFilter, 'states'>,
): RawBuilder<unknown> {
  const cases = used.map(([state, weight]) => sql`when ${sql.lit(state)} then ${sql.lit(weight)}`);
  const states = used.map(([state]) => sql.lit(state));
  const from = (table: string, ofTasks: RawBuilder<unknown> | undefined) => {
    const where = [
      sql`c.state in (${sql.join(states)})`,
      ofTasks,
      exactFilter('c.project_id', projectId),
      exceptFilter('c.project_id', exceptProjects),
      exactFilter('c.job_type', jobType),
    ].filter((condition) => condition !== undefined);
    return sql`select case c.state ${sql.join(cases, sql` `)} end * c.jobs as jobs from ${sql.table(table)} c
      where ${sql.join(where, sql` and `)}`;
  };
  const ofTasks = exactFilter('c.task_id', taskId);
  return sql`${from('job_count', ofTasks ?? sql`c.task_id = ''`)} union all ${from('job_count_change', ofTasks)}`;
}

function running(
  weight: number,
  { projectId, exceptProjects, taskId, jobType }: Omit<CountFilter, 'states'>,
) {
  const where = [
    sql`r.state = 'running' and r.task_id is not null`,
    exactFilter('r.project_id', projectId),
    exceptFilter('r.project_id', exceptProjects),
    exactFilter('r.task_id', taskId),
    exactFilter('r.job_type', jobType),
  ].filter((condition) => condition !== undefined);
  return sql`select ${sql.lit(weight)} * count(*) as jobs from job r where ${sql.join(where, sql` and `)}`;
}

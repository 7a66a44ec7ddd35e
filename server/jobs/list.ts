import { jobStates, type Job, type JobListQuery, type JobState } from '@platen/contract/jobs';
import type { Page } from '@platen/contract/schema';
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../base/database/database.ts';
import { exactFilter, exceptFilter, numberFilter, selectPage, timeFilter } from '../base/database/lists.ts';
import { stampConditions, stampOrder } from '../base/database/stamps.ts';
import { jobTotal } from './count.ts';
import { fromRow, type JobRow } from './store.ts';

const order = {
  startTime: 'j.start_time',
  endTime: 'j.end_time',
  priority: 'j.priority',
  jobType: 'j.job_type',
  ...stampOrder('j'),
};

interface JobSelection<Row extends JobRow, Item> {
  /** Undefined: all projects. */
  readonly projectId?: readonly string[] | undefined;
  readonly exceptProjects?: readonly string[];
  readonly query: JobListQuery;
  /** Joins to read with each row, in SQL after `job j`. */
  readonly joined?: RawBuilder<unknown>;
  readonly columns?: RawBuilder<unknown>;
  readonly fromRow: (row: Row) => Item;
}

/**
 * Lists jobs of tasks, newest first by default. The total comes from `jobTotal` where it can, which costs no scan.
 */
export function selectJobs<Row extends JobRow, Item>(
  db: Db,
  {
    projectId,
    exceptProjects,
    query,
    joined = sql``,
    columns = sql`j.*`,
    fromRow: itemOf,
  }: JobSelection<Row, Item>,
): Promise<Page<Item>> {
  const states = statesOf(query);
  const counted = [
    sql`j.task_id is not null`,
    exactFilter('j.project_id', projectId),
    exceptFilter('j.project_id', exceptProjects),
    exactFilter('j.task_id', query.taskId),
    states && (states.length > 0 ? exactFilter('j.state', states) : sql`false`),
    exactFilter('j.job_type', query.jobType),
  ];
  const others = otherConditions(query).filter((condition) => condition !== undefined);
  const { taskId, jobType } = query;
  return selectPage<Row, Item>(db, {
    from: sql`job j`,
    picked: { alias: 'j', joined, inRange: Boolean(query.startTime?.length || query.endTime?.length) },
    columns,
    total: others.length === 0 ? jobTotal({ projectId, exceptProjects, taskId, jobType, states }) : undefined,
    heavy: [sql`j.parameters`, sql`j.tags`, sql`j.warnings`, sql`j.outputs`, sql`j.report`],
    where: [...counted, ...others],
    order,
    tieBreak: 'j.id',
    query,
    fromRow: itemOf,
  });
}

export function findJobs(db: Db, projectId: string, query: JobListQuery): Promise<Page<Job>> {
  return selectJobs<JobRow, Job>(db, { projectId: [projectId], query, fromRow });
}

/** Both filters name states; a job must match both. */
function statesOf({ state, status }: JobListQuery): JobState[] | undefined {
  if (!state?.length && !status?.length) return undefined;
  return jobStates.filter(
    (one, index) =>
      (!state?.length || state.includes(one)) && (!status?.length || status.includes(index + 1)),
  );
}

function otherConditions(query: JobListQuery): (RawBuilder<unknown> | undefined)[] {
  const { label = [], labels = [], hasWarnings, hasRejected } = query;
  const warned = sql`(json_array_length(j.warnings) > 0 or json_array_length(j.parameter_warnings) > 0)`;
  return [
    label.length + labels.length > 0 ? sql`j.labels && ${[...label, ...labels]}::text[]` : undefined,
    numberFilter('j.priority', query.priority),
    exactFilter('j.error_code', query.errorCode),
    exactFilter('j.repeats', query.repeats),
    hasWarnings === undefined ? undefined : sql`${warned} = ${hasWarnings}`,
    hasRejected === undefined ? undefined : hasRejected ? sql`j.rejected > 0` : sql`j.rejected = 0`,
    timeFilter('startTime', 'j.start_time', query.startTime),
    timeFilter('endTime', 'j.end_time', query.endTime),
    ...stampConditions('j', query),
  ];
}

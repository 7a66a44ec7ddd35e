import { jobStates } from '@platen/contract/jobs';
import { type JobOperation, type OperationSet } from '@platen/contract/job-operations';
import type { JobOperationListQuery, OperationSetListQuery } from '@platen/contract/job-log';
import { sql, type RawBuilder, type Selectable } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { exactFilter } from '../../base/database/lists.ts';
import type { JobOperationTable, JobTable } from '../../base/database/schema.ts';
import { outputPlaces } from '../store.ts';

type JobColumns =
  | 'labels'
  | 'tags'
  | 'debug_level'
  | 'job_version'
  | 'created_by'
  | 'error_message'
  | 'output_files';

type OperationRow = Selectable<JobOperationTable> &
  Pick<Selectable<JobTable>, JobColumns> & {
    /** Null unless it is the operation that has them. */
    outputs: Selectable<JobTable>['outputs'] | null;
  };

interface OperationSetRow extends OperationRow {
  readonly priority: number;
  readonly job_created_at: Date;
  readonly last_ping: Date | null;
}

export interface OperationKey {
  readonly attempt: number;
  readonly n: number;
}

export const operationIdOf = ({ attempt, n }: OperationKey): string => `${attempt}-${n}`;

/** Undefined if this is not the ID of an operation. */
export function operationKeyOf(id: string): OperationKey | undefined {
  const [, attempt, n] = /^([1-9]\d{0,8})-([1-9]\d{0,8})$/.exec(id) ?? [];
  return attempt === undefined ? undefined : { attempt: Number(attempt), n: Number(n) };
}

/** The phase in which the runner uploads the outputs. All of them belong to it, as they become visible at the end. */
const uploadPhase = 'upload';

const ofJob = sql`j.labels, j.debug_level, j.job_version, j.created_by,
  case when o.attempt = j.attempt and o.state in ('failed', 'timedOut') then j.error_message end as error_message,
  j.output_files,
  case when o.name = ${uploadPhase} and o.state = 'succeeded' then j.outputs end as outputs`;

/** Tags may be a megabyte, so lists do not repeat them for each operation. */
const withoutTags = sql`${ofJob}, '{}'::json as tags`;

export async function findOperations(
  db: Db,
  jobId: string,
  query: JobOperationListQuery,
): Promise<JobOperation[]> {
  const { attempt, operationSetStage, operationType } = query;
  const rows = await selectOperations<OperationRow>(db, {
    jobId,
    query,
    columns: withoutTags,
    where: [
      attempt === undefined ? undefined : sql`o.attempt = ${attempt}::int`,
      exactFilter('o.name', operationSetStage),
      exactFilter('o.name', operationType),
    ],
  });
  return rows.map(fromRow);
}

export async function findOperationSets(
  db: Db,
  jobId: string,
  query: OperationSetListQuery,
): Promise<OperationSet[]> {
  const rows = await selectOperations<OperationSetRow>(db, {
    jobId,
    query,
    columns: sql`${withoutTags}, j.priority, j.created_at as job_created_at,
      case when o.state = 'running' then j.updated_at end as last_ping`,
    where: [exactFilter('o.name', query.jobStage)],
  });
  return rows.map(setFromRow);
}

interface Selection {
  readonly jobId: string;
  readonly query: Pick<OperationSetListQuery, 'limit' | 'page' | 'status' | 'operationSetId'>;
  readonly columns: RawBuilder<unknown>;
  readonly where: readonly (RawBuilder<unknown> | undefined)[];
}

async function selectOperations<Row extends OperationRow>(
  db: Db,
  { jobId, query, columns, where }: Selection,
): Promise<Row[]> {
  const { limit, page, status, operationSetId } = query;
  const states = status?.map((number) => jobStates[number - 1]!);
  const conditions = [
    sql`o.job_id = ${jobId}`,
    exactFilter('o.state', states),
    operationSetId?.length
      ? sql`concat(o.attempt, '-', o.n) = any(${[...operationSetId]}::text[])`
      : undefined,
    ...where,
  ].filter((one) => one !== undefined);
  const { rows } = await sql<Row>`
    select o.*, ${columns} from job_operation o join job j on j.id = o.job_id
    where ${sql.join(conditions, sql` and `)}
    order by o.attempt, o.n limit ${limit} offset ${limit * page}`.execute(db);
  return rows;
}

export async function findOperation(
  db: Db,
  jobId: string,
  { attempt, n }: OperationKey,
): Promise<JobOperation | undefined> {
  const { rows } = await sql<OperationRow>`
    select o.*, ${ofJob}, j.tags from job_operation o join job j on j.id = o.job_id
    where o.job_id = ${jobId} and o.attempt = ${attempt}::int and o.n = ${n}::int`.execute(db);
  return rows[0] && fromRow(rows[0]);
}

function fromRow(row: OperationRow): JobOperation {
  const { attempt, n: number, name, state, runner_name: runnerName, done, total } = row;
  return {
    ...commonOf(row),
    operationSetId: operationIdOf(row),
    operationSetStage: name,
    operationType: name,
    operationVersion: row.job_version,
    parameters: {},
    ...(row.outputs && { outputs: outputPlaces({ ...row, outputs: row.outputs }) }),
    ...(row.error_message !== null && { errorMessage: row.error_message }),
    attempt,
    number,
    name,
    state,
    runnerName,
    startTime: row.start_time.toISOString(),
    ...(row.end_time && { endTime: row.end_time.toISOString() }),
    done,
    total,
    ...(row.unit !== null && { unit: row.unit }),
  };
}

function setFromRow(row: OperationSetRow): OperationSet {
  const { name, state } = row;
  return {
    ...commonOf(row),
    jobCreatedAt: row.job_created_at.toISOString(),
    jobStage: name,
    operationSetStages: [name],
    ...(state === 'running' && { currentOperationSetStage: name }),
    operations: { [name]: [operationIdOf(row)] },
    priority: row.priority,
    ...(row.last_ping && { lastPing: row.last_ping.toISOString() }),
  };
}

/** What an operation has in common with its set. */
function commonOf(row: OperationRow) {
  return {
    _id: operationIdOf(row),
    jobId: row.job_id,
    labels: row.labels,
    tags: row.tags,
    debugLevel: row.debug_level,
    status: jobStates.indexOf(row.state) + 1,
    createdAt: row.start_time.toISOString(),
    updatedAt: (row.end_time ?? row.start_time).toISOString(),
    createdBy: row.created_by,
    updatedBy: row.created_by,
  };
}

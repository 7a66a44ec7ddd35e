import { jobStates, type JobOperation } from '@platen/contract/jobs';
import type { JobOperationListQuery } from '@platen/contract/job-log';
import type { Page } from '@platen/contract/schema';
import { sql, type Selectable } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { selectPage } from '../../base/database/lists.ts';
import type { JobOperationTable } from '../../base/database/schema.ts';

type OperationRow = Selectable<JobOperationTable>;

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

export function findOperations(
  db: Db,
  jobId: string,
  { limit, page, attempt }: JobOperationListQuery,
): Promise<Page<JobOperation>> {
  return selectPage(db, {
    from: sql`job_operation o`,
    columns: sql`o.*`,
    where: [sql`o.job_id = ${jobId}`, attempt === undefined ? undefined : sql`o.attempt = ${attempt}::int`],
    order: { attempt: 'o.attempt' },
    tieBreak: 'o.n',
    query: { limit, page, sort: 'asc', orderBy: ['attempt'] },
    fromRow,
  });
}

export async function findOperation(
  db: Db,
  jobId: string,
  { attempt, n }: OperationKey,
): Promise<JobOperation | undefined> {
  const row = await db
    .selectFrom('job_operation')
    .selectAll()
    .where('job_id', '=', jobId)
    .where('attempt', '=', attempt)
    .where('n', '=', n)
    .executeTakeFirst();
  return row && fromRow(row);
}

function fromRow(row: OperationRow): JobOperation {
  const { job_id: jobId, attempt, n: number, name, state, runner_name: runnerName, done, total } = row;
  return {
    _id: operationIdOf(row),
    jobId,
    attempt,
    number,
    name,
    status: jobStates.indexOf(state) + 1,
    state,
    runnerName,
    startTime: row.start_time.toISOString(),
    ...(row.end_time && { endTime: row.end_time.toISOString() }),
    done,
    total,
    ...(row.unit !== null && { unit: row.unit }),
  };
}

import { logLevels, type JobLogEntry } from '@platen/contract/jobs';
import type { JobLogPage, JobLogQuery } from '@platen/contract/job-log';
import { sql, type RawBuilder, type Selectable } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { operationIdOf, type OperationKey } from '../job-operations/store.ts';
import type { JobLogTable } from '../../base/database/schema.ts';

type LogRow = Selectable<JobLogTable>;

/** Maximum number of lines scanned per page, so that the time for a page is bounded. */
const maxScanned = 5000;

export interface LogSearch extends Omit<JobLogQuery, 'operation'> {
  readonly operation: OperationKey | undefined;
}

interface ScanEnd {
  /** The last line scanned; null: the end of the log. */
  edge: number | null;
  log_seq: number;
  log_counts: number[];
}

/** Undefined if the job does not exist. */
export function findLogPage(db: Db, jobId: string, search: LogSearch): Promise<JobLogPage | undefined> {
  return inTransaction(db, async (tx) => {
    await forceIndexOrder(tx);
    const view = viewOf(jobId, search);
    const found = await findEdge(tx, jobId, view);
    if (!found) return undefined;
    return pageOf(search, found, await findMatches(tx, view, found));
  });
}

/** Forces the index order, because the statistics of a log that has just grown are outdated. */
async function forceIndexOrder(tx: Db): Promise<void> {
  await sql`select set_config('enable_bitmapscan', 'off', true), set_config('enable_seqscan', 'off', true),
    set_config('enable_sort', 'off', true)`.execute(tx);
}

interface LogView {
  readonly isBackwards: boolean;
  readonly range: RawBuilder<unknown>;
  readonly order: RawBuilder<unknown>;
  /** Undefined: all lines. */
  readonly matching: RawBuilder<unknown> | undefined;
  readonly limit: number;
}

function viewOf(jobId: string, search: LogSearch): LogView {
  const { after, before, limit } = search;
  const isBackwards = before !== undefined;
  const below = isBackwards ? sql` and seq < ${before}::int` : sql``;
  return {
    isBackwards,
    range: sql`job_id = ${jobId} and seq > ${after}::int${below}${narrow(search)}`,
    order: isBackwards ? sql`order by seq desc` : sql`order by seq`,
    matching: matching(search),
    limit,
  };
}

async function findEdge(db: Db, jobId: string, view: LogView): Promise<ScanEnd | undefined> {
  const edge =
    view.matching &&
    sql`(select seq from job_log where ${view.range} ${view.order} offset ${sql.lit(maxScanned - 1)} limit 1)`;
  const { rows } = await sql<ScanEnd>`
    select ${edge ?? sql`null::int`} as edge, log_seq, log_counts from job where id = ${jobId}`.execute(db);
  return rows[0];
}

async function findMatches(
  db: Db,
  { isBackwards, range, order, matching: wanted, limit }: LogView,
  { edge, log_seq: lastSeq }: ScanEnd,
): Promise<JobLogEntry[]> {
  const within = edge === null ? sql`` : sql` and seq ${isBackwards ? sql`>=` : sql`<=`} ${edge}::int`;
  const { rows } = await sql<LogRow>`
    select * from job_log where ${range} and seq <= ${lastSeq}::int${within}${wanted ?? sql``}
    ${order} limit ${limit}`.execute(db);
  return (isBackwards ? rows.toReversed() : rows).map(fromRow);
}

function pageOf(
  { after, before, limit }: LogSearch,
  { edge, log_seq: lastSeq, log_counts: counts }: ScanEnd,
  items: JobLogEntry[],
): JobLogPage {
  const isFull = items.length === limit;
  const next =
    before !== undefined
      ? {
          nextAfter: Math.max(after, Math.min(before - 1, lastSeq)),
          ...nextBefore(isFull ? items[0]!.seq : edge, after),
        }
      : {
          nextAfter: isFull ? items.at(-1)!.seq : (edge ?? Math.max(lastSeq, after)),
          ...nextBefore(items[0]?.seq ?? after + 1, 0),
        };
  const [debug, info, warning, error] = counts as [number, number, number, number];
  return { items, ...next, lastSeq, totals: { debug, info, warning, error } };
}

function nextBefore(seq: number | null, first: number): { nextBefore?: number } {
  return seq === null || seq <= first + 1 ? {} : { nextBefore: seq };
}

/**
 * Conditions that an index covers. The levels are literals, so that the planner recognises the partial index of
 * warnings and errors.
 */
function narrow({ level, search, operation }: LogSearch): RawBuilder<unknown> {
  const isSevere = level?.length && !search && level.every((one) => one === 'warning' || one === 'error');
  return sql`${ofOperation(operation)}${isSevere ? sql` and level in ('warning', 'error')` : sql``}`;
}

const ofOperation = (operation: OperationKey | undefined) =>
  operation ? sql` and attempt = ${operation.attempt}::int and operation = ${operation.n}::int` : sql``;

function matching({ level, search }: LogSearch): RawBuilder<unknown> | undefined {
  const levels = logLevels.filter((one) => level?.includes(one)).map((one) => sql.lit(one));
  if (levels.length === 0 && search === undefined) return undefined;
  const ofLevel = levels.length > 0 ? sql` and level in (${sql.join(levels)})` : sql``;
  if (search === undefined) return ofLevel;
  return sql`${ofLevel} and message collate platen_text ilike ${`%${search.replace(/[\\%_]/g, '\\$&')}%`}`;
}

interface LineRange {
  readonly after: number;
  readonly limit: number;
  readonly operation?: OperationKey | undefined;
}

/** The next lines of all levels. */
export function findLines(
  db: Db,
  jobId: string,
  { after, limit, operation }: LineRange,
): Promise<JobLogEntry[]> {
  return inTransaction(db, async (tx) => {
    await forceIndexOrder(tx);
    const { rows } = await sql<LogRow>`
      select * from job_log where job_id = ${jobId} and seq > ${after}::int${ofOperation(operation)} order by seq limit ${limit}`.execute(
      tx,
    );
    return rows.map(fromRow);
  });
}

function fromRow({ seq, at, level, message, data, attempt, operation: n }: LogRow): JobLogEntry {
  return {
    seq,
    at: at.toISOString(),
    level,
    message,
    ...(data && { data }),
    ...(attempt > 0 && { attempt }),
    ...(n > 0 && { operation: operationIdOf({ attempt, n }) }),
  };
}

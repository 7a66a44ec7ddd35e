import { type JobLogEntry, logLevels } from '@platen/contract/jobs';
import { maxPhases } from '@platen/contract/max-phases';
import type { RunnerLogEntry, RunnerPhase, RunnerProgress } from '@platen/contract/runner';
import { sql } from 'kysely';
import type { Caller } from '../../base/caller.ts';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { fenceOf } from '../runners/authorise-runner.ts';
import type { Fence } from './fence.ts';
import { leaseLost } from './lease.ts';

export async function takeProgress(
  { db, now }: Context,
  caller: Caller,
  body: RunnerProgress,
): Promise<void> {
  if (!(await reportProgress(db, fenceOf(caller), { ...body, now: now() }))) throw leaseLost();
}

export async function takeLog(
  { db }: Context,
  caller: Caller,
  body: { first: number; entries: RunnerLogEntry[] },
): Promise<void> {
  if (!(await appendLog(db, fenceOf(caller), body))) throw leaseLost();
}

/**
 * Stores the latest progress and all warnings so far. Every phase becomes an operation and a stage of the job, and
 * ends when the next one begins. Repeating a report changes nothing. False when the job is no longer held.
 */
export async function reportProgress(
  db: Db,
  { jobId, attempt }: Fence,
  { progress, phases, warnings, now }: RunnerProgress & { readonly now: Date },
): Promise<boolean> {
  const reported = JSON.stringify((phases ?? [onlyPhaseOf(progress)]).map((phase) => rowOf(phase, now)));
  const { rows } = await sql`
    with held as (
      select id, runner_id from job where id = ${jobId} and attempt = ${attempt} and state = 'running' for update
    ), latest as (
      select n, name from job_operation where job_id = ${jobId} and attempt = ${attempt} order by n desc limit 1
    ), given as (
      select distinct on (t.n)
        coalesce(t.n, case when latest.name = t.name then latest.n else least(coalesce(latest.n, 0) + 1, ${maxPhases}) end) as n,
        t.name, t.start_time, t.end_time, t.done, t.total, t.unit
      from held cross join json_to_recordset(${reported}::json) as t (n int, name text, start_time timestamptz,
        end_time timestamptz, done float8, total float8, unit text)
      left join latest on true
    ), written as (
      insert into job_operation (job_id, attempt, n, name, state, runner_name, start_time, end_time, done, total, unit)
      select held.id, ${attempt}::int, given.n, given.name, case when given.end_time is null then 'running' else 'succeeded' end,
        coalesce(runner.name, ''), given.start_time, given.end_time, given.done, given.total, given.unit
      from given cross join held left join runner on runner.id = held.runner_id
      on conflict (job_id, attempt, n) do update set state = excluded.state, done = excluded.done, total = excluded.total,
        unit = excluded.unit, end_time = coalesce(job_operation.end_time,
          case when excluded.end_time is not null then greatest(excluded.end_time, job_operation.start_time) end)
      returning n, name, start_time, end_time
    ), passed as (
      update job_operation o set state = 'succeeded', end_time = greatest(o.start_time, first.start_time)
      from (select n, start_time from given order by n limit 1) first
      where o.job_id = ${jobId} and o.attempt = ${attempt} and o.state = 'running' and o.n < first.n
      returning o.n, o.name, o.start_time, o.end_time
    ), stage as (
      select * from written union all select * from passed union all
      select o.n, o.name, o.start_time, o.end_time from job_operation o, held
      where o.job_id = ${jobId} and o.attempt = ${attempt} and o.end_time is not null
        and o.n not in (select n from given)
    )
    update job set progress = ${JSON.stringify(progress)}::json, warnings = ${warnings ? sql`${JSON.stringify(warnings)}::json` : sql`job.warnings`},
      stages = (select json_agg(json_strip_nulls(json_build_object('name', name, 'startTime', ${instant('start_time')},
        'endTime', ${instant('end_time')})) order by n) from stage),
      updated_at = ${now}, revision = revision + 1
    from held where job.id = held.id returning job.id`.execute(db);
  return rows.length > 0;
}

/** For runners that report no phases: the number follows from the previous phase. */
function onlyPhaseOf({ phase: name, done, total, unit }: RunnerProgress['progress']) {
  return { n: null, name, done, total, ...(unit !== undefined && { unit }), startedSecondsAgo: 0 };
}

function rowOf(
  { startedSecondsAgo, endedSecondsAgo, ...phase }: Omit<RunnerPhase, 'n'> & { readonly n: number | null },
  now: Date,
) {
  const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000).toISOString();
  return {
    ...phase,
    start_time: ago(startedSecondsAgo),
    ...(endedSecondsAgo !== undefined && {
      end_time: ago(Math.min(endedSecondsAgo, startedSecondsAgo)),
    }),
  };
}

/** Formats a timestamp like `Date.toISOString`. */
const instant = (column: string) =>
  sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

interface LogBatch {
  /** Number of lines of this attempt before this batch. */
  readonly first: number;
  readonly entries: readonly RunnerLogEntry[];
}

/** Number of lines kept at the beginning and at the end of the log of an attempt. */
export const linesAtEachEnd = 50_000;

const countsByLevel = sql.join(
  logLevels.map((level) => sql`count(*) filter (where level = ${sql.lit(level)})`),
  sql`, `,
);

/**
 * Appends lines to the log. Skips lines of a repeated batch. When the log is full, drops lines from its middle and
 * leaves a notice. False when the job is no longer held.
 */
export async function appendLog(
  db: Db,
  { jobId, attempt }: Fence,
  { first, entries }: LogBatch,
): Promise<boolean> {
  const { rows } = await sql<{ gap: number }>`
    with held as (
      select id, log_seq, log_counts, greatest(log_received - ${first}::int, 0) as known,
        case when log_received = 0 then log_seq else log_from end as log_from
      from job where id = ${jobId} and attempt = ${attempt} and state = 'running' for update
    ), line as (
      select held.id, held.log_seq + line.n - held.known as seq, (line.entry ->> 'at')::timestamptz as at,
        line.entry ->> 'level' as level, line.entry ->> 'message' as message, line.entry -> 'data' as data,
        coalesce((line.entry ->> 'operation')::int, 0) as operation
      from held, json_array_elements(${JSON.stringify(entries)}::json) with ordinality as line (entry, n)
      where line.n > held.known
    ), counted as (
      update job set log_received = greatest(job.log_received, ${first + entries.length}::int),
        log_seq = held.log_seq + (select count(*) from line), log_from = held.log_from,
        log_counts = (select array_agg(old + new order by n)::int[] from held h,
          unnest(h.log_counts, (select array[${countsByLevel}] from line)) with ordinality as it (old, new, n))
      from held where job.id = held.id
    ), added as (
      insert into job_log (job_id, seq, at, level, message, data, attempt, operation)
      select id, seq, at, level, message, data, ${attempt}::int, operation from line
    )
    select held.log_seq + (select count(*) from line) - held.log_from - ${2 * linesAtEachEnd}::int as gap
    from held`.execute(db);
  if (rows[0] && rows[0].gap > 0) await dropMiddle(db, jobId, attempt);
  return rows.length > 0;
}

/** Keeps the first line of the gap as the notice. */
async function dropMiddle(db: Db, jobId: string, attempt: number): Promise<void> {
  const notice = `lines were removed here. The log keeps the first ${linesAtEachEnd} and the last ${linesAtEachEnd} lines of an attempt.`;
  await sql`
    with gap as (
      select log_from + ${linesAtEachEnd}::int + 1 as begins, log_seq - ${linesAtEachEnd}::int as ends
      from job where id = ${jobId}
    ), dropped as (
      delete from job_log using gap where job_id = ${jobId} and attempt = ${attempt} and seq > begins and seq <= ends
    )
    update job_log set level = 'warning', message = concat(ends - begins + 1, ${` ${notice}`}::text), data = null
    from gap where job_id = ${jobId} and attempt = ${attempt} and seq = begins`.execute(db);
}

interface ServiceLogLine {
  readonly jobId: string;
  readonly level: JobLogEntry['level'];
  readonly message: string;
  readonly now: Date;
}

/** Appends a line of the service to the log of a job, in the current phase. */
export async function appendServiceLog(
  db: Db,
  { jobId, level, message, now }: ServiceLogLine,
): Promise<void> {
  const place = logLevels.indexOf(level) + 1;
  await sql`
    with counted as (
      update job set log_seq = log_seq + 1, log_counts[${sql.lit(place)}] = log_counts[${sql.lit(place)}] + 1
      where id = ${jobId} returning id, log_seq, attempt, state
    )
    insert into job_log (job_id, seq, at, level, message, attempt, operation)
    select id, log_seq, ${now}::timestamptz, ${level}, ${message}, attempt, case when state <> 'running' then 0 else coalesce(
      (select max(n) from job_operation o where o.job_id = counted.id and o.attempt = counted.attempt), 0) end
    from counted`.execute(db);
}

/** Appends the line only if no other transaction holds the job. Returns whether it did. */
export async function appendServiceLogIfUnlocked(tx: Db, line: ServiceLogLine): Promise<boolean> {
  const { rows } =
    await sql`select id from job where id = ${line.jobId} for no key update skip locked`.execute(tx);
  if (rows.length === 0) return false;
  await appendServiceLog(tx, line);
  return true;
}

import { maxPhases } from '@platen/contract/max-phases';
import type { RunnerPhase, RunnerProgress } from '@platen/contract/runner';
import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import type { Fence } from './fence.ts';

/**
 * Keeps the newest progress and all warnings so far. Every phase becomes an operation, and a stage of the job; a phase ends
 * when the next one begins. A report that is sent again changes nothing. False when the job is no longer held.
 */
export async function reportProgress(
  db: Db,
  { jobId, attempt }: Fence,
  { progress, phases, warnings, now }: RunnerProgress & { readonly now: Date },
): Promise<boolean> {
  const told = JSON.stringify((phases ?? [onlyPhaseOf(progress)]).map((phase) => rowOf(phase, now)));
  const { rows } = await sql`
    with held as (
      select id, runner_id from job where id = ${jobId} and attempt = ${attempt} and state = 'running' for update
    ), latest as (
      select n, name from job_operation where job_id = ${jobId} and attempt = ${attempt} order by n desc limit 1
    ), told as (
      select distinct on (t.n)
        coalesce(t.n, case when latest.name = t.name then latest.n else least(coalesce(latest.n, 0) + 1, ${maxPhases}) end) as n,
        t.name, t.start_time, t.end_time, t.done, t.total, t.unit
      from held cross join json_to_recordset(${told}::json) as t (n int, name text, start_time timestamptz,
        end_time timestamptz, done float8, total float8, unit text)
      left join latest on true
    ), written as (
      insert into job_operation (job_id, attempt, n, name, state, runner_name, start_time, end_time, done, total, unit)
      select held.id, ${attempt}::int, told.n, told.name, case when told.end_time is null then 'running' else 'succeeded' end,
        coalesce(runner.name, ''), told.start_time, told.end_time, told.done, told.total, told.unit
      from told cross join held left join runner on runner.id = held.runner_id
      on conflict (job_id, attempt, n) do update set state = excluded.state, done = excluded.done, total = excluded.total,
        unit = excluded.unit, end_time = coalesce(job_operation.end_time,
          case when excluded.end_time is not null then greatest(excluded.end_time, job_operation.start_time) end)
      returning n, name, start_time, end_time
    ), passed as (
      update job_operation o set state = 'succeeded', end_time = greatest(o.start_time, first.start_time)
      from (select n, start_time from told order by n limit 1) first
      where o.job_id = ${jobId} and o.attempt = ${attempt} and o.state = 'running' and o.n < first.n
      returning o.n, o.name, o.start_time, o.end_time
    ), stage as (
      select * from written union all select * from passed union all
      select o.n, o.name, o.start_time, o.end_time from job_operation o, held
      where o.job_id = ${jobId} and o.attempt = ${attempt} and o.end_time is not null
        and o.n not in (select n from told)
    )
    update job set progress = ${JSON.stringify(progress)}::json, warnings = ${warnings ? sql`${JSON.stringify(warnings)}::json` : sql`job.warnings`},
      stages = (select json_agg(json_strip_nulls(json_build_object('name', name, 'startTime', ${instant('start_time')},
        'endTime', ${instant('end_time')})) order by n) from stage),
      updated_at = ${now}, revision = revision + 1
    from held where job.id = held.id returning job.id`.execute(db);
  return rows.length > 0;
}

/** Of a runner that tells of no phases: which of them it is shows from the one before. */
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

/** As JavaScript writes it. */
const instant = (column: string) =>
  sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

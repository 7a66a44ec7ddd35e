import { logLevels } from '@platen/contract/jobs';
import type { RunnerLogEntry } from '@platen/contract/runner';
import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import type { Fence } from './fence.ts';

interface Batch {
  /** How many lines of this attempt came before. */
  readonly first: number;
  readonly entries: readonly RunnerLogEntry[];
}

/** What is kept of an attempt that has more lines: so many of its first and of its last ones. */
export const linesAtEachEnd = 50_000;

const counts = sql.join(
  logLevels.map((level) => sql`count(*) filter (where level = ${sql.lit(level)})`),
  sql`, `,
);

/**
 * Lines that arrived before, in a batch that is sent again, are passed over. Of a log that is full, lines in its middle
 * give way to new ones, and a line in their place says so. False when the job is no longer held.
 */
export async function appendLog(
  db: Db,
  { jobId, attempt }: Fence,
  { first, entries }: Batch,
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
          unnest(h.log_counts, (select array[${counts}] from line)) with ordinality as it (old, new, n))
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

/** The first line of the gap stays, and tells of it. */
async function dropMiddle(db: Db, jobId: string, attempt: number): Promise<void> {
  const text = `lines were left out here: of an attempt with so many, the first ${linesAtEachEnd} and the last ${linesAtEachEnd} are kept.`;
  await sql`
    with gap as (
      select log_from + ${linesAtEachEnd}::int + 1 as begins, log_seq - ${linesAtEachEnd}::int as ends
      from job where id = ${jobId}
    ), dropped as (
      delete from job_log using gap where job_id = ${jobId} and attempt = ${attempt} and seq > begins and seq <= ends
    )
    update job_log set level = 'warning', message = concat(ends - begins + 1, ${` ${text}`}::text), data = null
    from gap where job_id = ${jobId} and attempt = ${attempt} and seq = begins`.execute(db);
}

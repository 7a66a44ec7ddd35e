import { logLevels, type JobLogEntry } from '@platen/contract/jobs';
import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';

interface Note {
  readonly jobId: string;
  readonly level: JobLogEntry['level'];
  readonly message: string;
  readonly now: Date;
}

/** A line of the service's own in the log of a job, in the phase that it is in. */
export async function note(db: Db, { jobId, level, message, now }: Note): Promise<void> {
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

/** The same, for what is not worth waiting for: false, and no line, where another transaction holds the job. */
export async function noteIfFree(tx: Db, line: Note): Promise<boolean> {
  const { rows } =
    await sql`select id from job where id = ${line.jobId} for no key update skip locked`.execute(tx);
  if (rows.length === 0) return false;
  await note(tx, line);
  return true;
}

import type { RunnerLogEntry } from '@platen/contract/runner';
import { sql } from 'kysely';
import type { Db } from '../database/database.ts';
import type { Fence } from './fence.ts';

interface Batch {
  /** How many lines of this attempt came before. */
  readonly first: number;
  readonly entries: readonly RunnerLogEntry[];
}

/** Lines that arrived before, in a batch that is sent again, are passed over. False when the job is no longer held. */
export async function appendLog(
  db: Db,
  { jobId, attempt }: Fence,
  { first, entries }: Batch,
): Promise<boolean> {
  const { rows } = await sql`
    with held as (
      select id, log_seq, log_received, greatest(log_received - ${first}::int, 0) as known from job
      where id = ${jobId} and attempt = ${attempt} and state = 'running' for update
    ), counted as (
      update job set log_received = greatest(job.log_received, ${first + entries.length}::int),
        log_seq = job.log_seq + greatest(${entries.length}::int - held.known, 0)
      from held where job.id = held.id
    ), added as (
      insert into job_log (job_id, seq, at, level, message, data)
      select held.id, held.log_seq + line.n - held.known, (line.entry ->> 'at')::timestamptz, line.entry ->> 'level',
        line.entry ->> 'message', line.entry -> 'data'
      from held, json_array_elements(${JSON.stringify(entries)}::json) with ordinality as line (entry, n)
      where line.n > held.known
    )
    select id from held`.execute(db);
  return rows.length > 0;
}

import type { JobLogEntry } from '@platen/contract/jobs';
import { sql } from 'kysely';
import type { Db } from '../database/database.ts';

interface Note {
  readonly jobId: string;
  readonly level: JobLogEntry['level'];
  readonly message: string;
  readonly now: Date;
}

/** A line of the service's own in the log of a job. */
export async function note(db: Db, { jobId, level, message, now }: Note): Promise<void> {
  await sql`
    with counted as (update job set log_seq = log_seq + 1 where id = ${jobId} returning id, log_seq)
    insert into job_log (job_id, seq, at, level, message)
    select id, log_seq, ${now}::timestamptz, ${level}, ${message} from counted`.execute(db);
}

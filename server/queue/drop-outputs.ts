import { sql } from 'kysely';
import type { Db } from '../database/database.ts';

/** Forgets what attempts have uploaded; a trigger makes their blobs garbage, but for those that became objects. */
export async function dropOutputs(tx: Db, jobId: string): Promise<void> {
  await sql`delete from job_output where job_id = ${jobId}`.execute(tx);
}

import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import type { JobRow } from '../store.ts';
import type { Fence } from './fence.ts';

/** The job, locked until the transaction ends, if the fence still holds. */
export async function lockHeld(tx: Db, { jobId, attempt }: Fence): Promise<JobRow | undefined> {
  const { rows } = await sql<JobRow>`
    select * from job where id = ${jobId} and attempt = ${attempt} and state = 'running' for update`.execute(
    tx,
  );
  return rows[0];
}

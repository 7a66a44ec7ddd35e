import type { Db } from '../../base/database/database.ts';
import type { Fence } from './fence.ts';

/** Also of a job that is no longer held: then whoever runs it had better stop. */
export async function isAbortRequested(db: Db, { jobId, attempt }: Fence): Promise<boolean> {
  const row = await db
    .selectFrom('job')
    .select('abort_requested')
    .where('id', '=', jobId)
    .where('attempt', '=', attempt)
    .where('state', '=', 'running')
    .executeTakeFirst();
  return row?.abort_requested ?? true;
}

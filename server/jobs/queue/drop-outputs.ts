import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { endReservation } from '../../files/usage/reserve.ts';
import type { Fence } from './fence.ts';

/** Forgets what attempts have uploaded; a trigger makes their blobs garbage, but for those that became objects. */
export async function dropOutputs(tx: Db, jobId: string): Promise<void> {
  await sql`delete from job_output where job_id = ${jobId}`.execute(tx);
  await endReservation(tx, jobId);
}

/**
 * What comes again takes no more room than what comes: the file of this key that came before makes way for it first. The
 * two of them may not fit into a quota together.
 */
export async function dropOutput(db: Db, { jobId, attempt }: Fence, key: string): Promise<void> {
  await sql`
    with held as (
      select id from job where id = ${jobId} and attempt = ${attempt} and state = 'running' for no key update
    ), gone as (
      delete from job_output o using held where o.job_id = held.id and o.attempt = ${attempt} and o.key = ${key}
      returning o.size
    ), freed as (
      update reservation r set bytes = greatest(0, r.bytes - gone.size), objects = greatest(0, r.objects - 1)
      from gone where r.id = ${jobId}
    )
    select from gone`.execute(db);
}

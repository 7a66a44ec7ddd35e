import { leaseMs } from '@platen/contract/runner';
import { sql } from 'kysely';
import type { Db } from '../database/database.ts';
import type { Fence } from './fence.ts';

interface Lease {
  readonly abort: boolean;
  readonly until: Date;
}

/**
 * undefined when the job is no longer held. A lease that is over and still held is one of a clock that has gone forward, as
 * all leases are looked at twice a second: then the time that the job may take ends later by as much.
 */
export async function extendLease(db: Db, { jobId, attempt }: Fence, now: Date): Promise<Lease | undefined> {
  const until = new Date(now.getTime() + leaseMs);
  const { rows } = await sql<{ abort: boolean }>`
    update job set lease_until = ${until},
      deadline_at = deadline_at + greatest(${now}::timestamptz - lease_until, interval '0')
    where id = ${jobId} and attempt = ${attempt} and state = 'running'
    returning abort_requested as abort`.execute(db);
  return rows[0] && { abort: rows[0].abort, until };
}

import { leaseMs } from '@platen/contract/runner';
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import type { Fence } from './fence.ts';

interface Lease {
  readonly abort: boolean;
  readonly until: Date;
}

/**
 * undefined when the job is no longer held. A lease that is over and still held is one of a clock that has gone forward, as
 * all leases are looked at twice a second: then the time that the job may take ends later by as much.
 */
export async function extendLease(
  db: Db,
  { jobId, attempt }: Fence,
  clock: RawBuilder<Date>,
): Promise<Lease | undefined> {
  const { rows } = await sql<Lease>`
    update job set lease_until = ${clock} + make_interval(secs => ${leaseMs / 1000}),
      deadline_at = deadline_at + greatest(${clock} - lease_until, interval '0')
    where id = ${jobId} and attempt = ${attempt} and state = 'running'
    returning abort_requested as abort, lease_until as until`.execute(db);
  return rows[0];
}

import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import type { JobRow } from '../store.ts';

/** Running jobs whose lease is over, or that the named runner held, locked and counted as lost once more. */
export async function lockLost(
  tx: Db,
  { clock, runnerId }: { readonly clock: RawBuilder<Date>; readonly runnerId?: string | undefined },
): Promise<JobRow[]> {
  const lost = runnerId === undefined ? sql`lease_until < ${clock}` : sql`runner_id = ${runnerId}`;
  const { rows } = await sql<JobRow>`
    update job set lost_leases = lost_leases + 1 where id in (
      select id from job where state = 'running' and ${lost} order by id limit 100 for update skip locked
    ) returning *`.execute(tx);
  return rows;
}

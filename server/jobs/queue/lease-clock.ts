import { sql, type RawBuilder } from 'kysely';
import type { Context } from '../../base/context.ts';

/**
 * The time by which leases and the ends of jobs are set and judged, for a statement: that of the database, which all
 * replicas share, as the clock of one of them may be wrong.
 */
export function leaseClock({ leasesAheadMs }: Pick<Context, 'leasesAheadMs'>): RawBuilder<Date> {
  return sql<Date>`(statement_timestamp() + make_interval(secs => ${leasesAheadMs() / 1000}::double precision))`;
}

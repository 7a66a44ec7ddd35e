import { sql } from 'kysely';
import type { Context } from '../../base/context.ts';
import type { CleanUpOptions } from '../../base/removal-count.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** An embedded runner returns under its name within seconds, unless its service has moved to another machine. */
const embeddedMs = dayMs;
/** An external runner may keep its token for this time; after that it must enrol again. */
const elsewhereMs = 90 * dayMs;

/**
 * Removes runners that have been offline for too long to be expected back. A busy runner only reports its job, so runners
 * with a job now or within the last hour are kept.
 */
export async function removeGoneRunners(
  { db, now }: Context,
  { report }: CleanUpOptions = {},
): Promise<void> {
  const at = now().getTime();
  const before = (ms: number) => sql`${new Date(at - ms)}::timestamptz`;
  const { numAffectedRows = 0n } = await sql`
    delete from runner r
    where seen_at < case when is_embedded then ${before(embeddedMs)} else ${before(elsewhereMs)} end
      and not exists (select from job j where j.runner_id = r.id and j.state = 'running')
      and not exists (select from job j where j.runner_id = r.id and j.end_time > ${before(hourMs)})`.execute(
    db,
  );
  report?.('runner', [{ count: Number(numAffectedRows) }]);
}

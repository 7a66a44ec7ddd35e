import { sql } from 'kysely';
import type { Context } from '../../base/context.ts';
import type { CleanUpOptions } from '../../base/removal-count.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** One beside a service comes back under its name within seconds, unless the service stands elsewhere now. */
const embeddedMs = dayMs;
/** One elsewhere may keep its token for as long; after that it has to enrol anew. */
const elsewhereMs = 90 * dayMs;

/**
 * Removes runners that were not heard of for long, and are not expected back. While a runner is busy only its job is heard
 * of: who has one, or had one an hour ago, stays.
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

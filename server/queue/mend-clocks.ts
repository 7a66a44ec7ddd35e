import { leaseMs } from '@platen/contract/runner';
import { sql } from 'kysely';
import type { Context } from '../context.ts';

/** The clocks of replicas may differ by so much. */
const slackMs = 10_000;

/**
 * Brings back leases and deadlines that lie further ahead than any can be set: the clock has gone back since, and they
 * would hold a job for as long as it went. @returns how many jobs it was
 */
export async function mendClocks({ db, now, settings, log }: Context): Promise<number> {
  const at = now();
  const later = new Date(at.getTime() + slackMs);
  const seconds = settings.jobTimeoutMs / 1000;
  const until = (from: Date) =>
    sql`${from}::timestamptz + make_interval(secs => coalesce(timeout_seconds, ${seconds}::int))`;
  const { rows } = await sql`
    update job set lease_until = least(lease_until, ${new Date(at.getTime() + leaseMs)}),
      deadline_at = least(deadline_at, ${until(at)})
    where id in (
      select id from job where state = 'running'
      and (lease_until > ${new Date(later.getTime() + leaseMs)} or deadline_at > ${until(later)})
      for no key update skip locked
    ) returning id`.execute(db);
  if (rows.length > 0) log.warn({ jobs: rows.length }, 'the clock has gone back: leases were brought back');
  return rows.length;
}

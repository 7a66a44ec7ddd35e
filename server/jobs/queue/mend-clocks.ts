import { leaseMs } from '@platen/contract/runner';
import { sql } from 'kysely';
import type { Context } from '../../base/context.ts';
import { leaseClock } from './lease-clock.ts';

/** A clock that is set by a time server goes back a little now and then. */
const slackMs = 10_000;

/**
 * Brings back leases and deadlines that lie further ahead than any can be set: the clock has gone back since, and they
 * would hold a job for as long as it went. @returns how many jobs it was
 */
export async function mendClocks(context: Context): Promise<number> {
  const { db, settings, log } = context;
  const clock = leaseClock(context);
  const leaseEnd = sql`${clock} + make_interval(secs => ${leaseMs / 1000})`;
  const seconds = settings.jobTimeoutMs / 1000;
  const deadline = sql`${clock} + make_interval(secs => coalesce(timeout_seconds, ${seconds}::int))`;
  const slack = sql`make_interval(secs => ${slackMs / 1000})`;
  const { rows } = await sql`
    update job set lease_until = least(lease_until, ${leaseEnd}), deadline_at = least(deadline_at, ${deadline})
    where id in (
      select id from job where state = 'running'
      and (lease_until > ${leaseEnd} + ${slack} or deadline_at > ${deadline} + ${slack})
      for no key update skip locked
    ) returning id`.execute(db);
  if (rows.length > 0) log.warn({ jobs: rows.length }, 'the clock has gone back: leases were brought back');
  return rows.length;
}

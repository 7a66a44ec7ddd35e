import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { notify } from '../../base/database/notifications.ts';
import type { Fence } from './fence.ts';

interface Pause {
  readonly until: Date;
  readonly now: Date;
}

/** Puts a held job that failed for the moment back into the queue, where it waits until then. Call it for a locked job. */
export async function putOff(tx: Db, { jobId, attempt }: Fence, { until, now }: Pause): Promise<void> {
  const { rows } = await sql<{ is_limited: boolean }>`
    update job set state = 'queued', not_before = ${until}, failures = failures + 1, runner_id = null, token_hash = null,
      lease_until = null, deadline_at = null, progress = null, stages = '[]', warnings = '[]',
      revision = revision + 1, updated_at = ${now}
    where id = ${jobId} and attempt = ${attempt} and state = 'running' returning is_limited`.execute(tx);
  if (rows[0]?.is_limited) await notify(tx, 'jobQueued'); // another of its project may run meanwhile
}

export async function countFailure(tx: Db, jobId: string): Promise<void> {
  await sql`update job set failures = failures + 1 where id = ${jobId}`.execute(tx);
}

/**
 * Lets the runners have the jobs whose pause is over. A pause that ends later than one can last was set by a clock that
 * has gone back since: it is over, too. @returns how many it was
 */
export async function wakeDue(db: Db, { now, longestMs }: { now: Date; longestMs: number }): Promise<number> {
  const { rows } = await sql`
    update job set not_before = null, revision = revision + 1, updated_at = ${now} where id in (
      select id from job where state = 'queued' and not_before is not null
      and (not_before <= ${now} or not_before > ${new Date(now.getTime() + longestMs)})
      order by not_before limit 1000 for no key update skip locked
    ) returning id`.execute(db);
  if (rows.length > 0) await notify(db, 'jobQueued');
  return rows.length;
}

import { timedOut } from '@platen/contract/runner';
import { sql, type RawBuilder } from 'kysely';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import type { JobRow } from '../store.ts';
import { endWithout } from './end-without.ts';
import { leaseClock } from './lease-clock.ts';

/** A runner ends a job itself when its time is over; what it says after this is void. */
const graceMs = 10_000;
const message = 'The time that the job may take was over, and its runner did not end it.';

/** Ends running jobs whose runners let the end of their time pass. @returns how many it was */
export async function endOverdue(context: Context): Promise<number> {
  const { db, now, log } = context;
  return inTransaction(db, async (tx) => {
    const overdue = await lockOverdue(tx, leaseClock(context));
    for (const job of overdue) {
      await endWithout(tx, job, { code: timedOut, message, warnings: job.warnings, now: now() });
      log.warn({ jobId: job.id, attempt: job.attempt, runnerId: job.runner_id }, 'a job took too long');
    }
    return overdue.length;
  });
}

/** Not those of lost runners: these jobs run anew. After a jump of the clock both may seem to be true. */
async function lockOverdue(tx: Db, clock: RawBuilder<Date>): Promise<JobRow[]> {
  const { rows } = await sql<JobRow>`
    select * from job where state = 'running' and deadline_at < ${clock} - make_interval(secs => ${graceMs / 1000})
    and lease_until >= ${clock} order by id limit 100 for no key update skip locked`.execute(tx);
  return rows;
}

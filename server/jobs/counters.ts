import { sql } from 'kysely';
import type { Context } from '../base/context.ts';
import { extendStatementTimeout } from '../base/database/extend-statement-timeout.ts';
import type { Db } from '../base/database/database.ts';
import { inTransaction } from '../base/database/transaction.ts';
import { lockKeys, tryLock } from '../base/database/advisory-locks.ts';
import { runPeriodically } from '../base/run-periodically.ts';

/** Adds changes to the job counters every few seconds, until the returned function is called. */
export function startCounterUpdates({ db, log }: Pick<Context, 'db' | 'log'>): () => Promise<void> {
  return runPeriodically({ everyMs: 5_000, log, failure: 'the counts of jobs were not added up' }, () =>
    updateJobCounters(db),
  );
}

/**
 * Moves changes into the counters; totals stay the same. Only one replica does this at a time, and others skip it.
 */
export async function updateJobCounters(db: Db): Promise<void> {
  const { rows } = await sql`select from job_count_change limit 1`.execute(db);
  if (rows.length === 0) return;
  await inTransaction(db, async (tx) => {
    if (!(await tryLock(tx, lockKeys.tally))) return;
    await extendStatementTimeout(tx);
    await sql`
      with taken as (
        delete from job_count_change returning *
      )
      insert into job_count as c (task_id, project_id, job_type, state, jobs)
      select coalesce(task_id, ''), project_id, job_type, state, sum(jobs) from taken
      group by project_id, job_type, state, grouping sets ((), (task_id)) having sum(jobs) <> 0
      on conflict (task_id, project_id, job_type, state) do update set jobs = c.jobs + excluded.jobs`.execute(
      tx,
    );
    await sql`delete from job_count where jobs = 0`.execute(tx);
  });
}

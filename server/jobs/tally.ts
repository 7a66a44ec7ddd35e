import { sql } from 'kysely';
import type { Context } from '../base/context.ts';
import { allowMinutes } from '../base/database/allow-minutes.ts';
import type { Db } from '../base/database/database.ts';
import { inTransaction } from '../base/database/transaction.ts';
import { lockKeys, tryLock } from '../base/database/advisory-locks.ts';
import { repeatedly } from '../base/repeatedly.ts';

/** Adds the changes of counts up every few seconds, so that lists need not; the returned function ends that. */
export function startTally({ db, log }: Pick<Context, 'db' | 'log'>): () => Promise<void> {
  return repeatedly({ everyMs: 5_000, log, failure: 'the counts of jobs were not added up' }, () =>
    tallyJobs(db),
  );
}

/** What a list counts is the same before and after. Nobody waits for it but another one like it, which passes. */
export async function tallyJobs(db: Db): Promise<void> {
  const { rows } = await sql`select from job_count_change limit 1`.execute(db);
  if (rows.length === 0) return;
  await inTransaction(db, async (tx) => {
    if (!(await tryLock(tx, lockKeys.tally))) return;
    await allowMinutes(tx);
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

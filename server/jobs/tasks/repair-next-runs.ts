import type { Schedule } from '@platen/contract/schedules';
import { sql } from 'kysely';
import type { Context } from '../../base/context.ts';
import { nextRun } from './schedule.ts';

const batchSize = 500;

interface Row {
  id: string;
  schedule: Schedule;
  next_run_at: Date;
}

/**
 * Recomputes next runs that are too far in the future because the clock was put back. Runs that were already made are
 * skipped when they are due. @returns the number of tasks
 */
export async function repairNextRuns({ db, now, log }: Context): Promise<number> {
  const at = now();
  let repaired = 0;
  for (let after = ''; ;) {
    const { rows } = await sql<Row>`
      select id, schedule, next_run_at from task
      where next_run_at > ${at} and schedule ->> 'type' = 'cron' and id > ${after} order by id limit ${batchSize}`.execute(
      db,
    );
    for (const { id, schedule, next_run_at } of rows) {
      const next = nextOrNone(schedule, at);
      if (!next || next >= next_run_at) continue;
      const { numUpdatedRows } = await db
        .updateTable('task')
        .set({ next_run_at: next })
        .where('id', '=', id)
        .where('next_run_at', '=', next_run_at)
        .executeTakeFirst();
      repaired += Number(numUpdatedRows);
    }
    if (rows.length < batchSize) break;
    after = rows.at(-1)!.id;
  }
  if (repaired > 0)
    log.warn({ tasks: repaired }, 'the clock was put back: the next runs of tasks were recomputed');
  return repaired;
}

function nextOrNone(schedule: Schedule, after: Date): Date | undefined {
  try {
    return nextRun(schedule, after);
  } catch {
    return undefined; // an invalid schedule: the scheduler reports it when it is due
  }
}

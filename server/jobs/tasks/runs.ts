import type { Task } from '@platen/contract/tasks';
import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { nextRun } from './schedule.ts';

const maxRanges = 100;

/** Whether a job was already created for this scheduled time, as happens when the clock is put back. */
export async function wasRun(tx: Db, taskId: string, due: Date): Promise<boolean> {
  const { rows } = await sql`select from task_run
    where task_id = ${taskId} and ${due} between first_at and last_at limit 1`.execute(tx);
  return rows.length > 0;
}

/** Records that the locked task has run for this scheduled time. */
export async function keepRun(tx: Db, { _id: taskId, schedule }: Task, due: Date): Promise<void> {
  const row = await tx
    .selectFrom('task_run')
    .select('last_at')
    .where('task_id', '=', taskId)
    .where('last_at', '<', due)
    .orderBy('last_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  const isNext = row !== undefined && nextRun(schedule, row.last_at)?.getTime() === due.getTime();
  if (isNext) {
    await sql`update task_run set last_at = ${due} where task_id = ${taskId} and last_at = ${row.last_at}`.execute(
      tx,
    );
    return;
  }
  await tx.insertInto('task_run').values({ task_id: taskId, first_at: due, last_at: due }).execute();
  await sql`delete from task_run where task_id = ${taskId} and last_at < (
    select last_at from task_run where task_id = ${taskId} order by last_at desc offset ${maxRanges - 1} limit 1)`.execute(
    tx,
  );
}

/** A new schedule has other times, so recorded runs no longer apply. */
export async function forgetRuns(tx: Db, taskId: string): Promise<void> {
  await tx.deleteFrom('task_run').where('task_id', '=', taskId).execute();
}

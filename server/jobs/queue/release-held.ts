import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { notify } from '../../base/database/notifications.ts';

/**
 * For a statement whose `ended` tells `id` and `task_id` of a job that it ends: has the job of the same task that has
 * waited for longest been released with it? Where none is held, which is nearly always, only that is looked up.
 */
export const releasesHeld = sql`(
  exists (select from job h where h.is_held and h.task_id = ended.task_id) and release_next_held_job(ended.task_id, ended.id))`;

/** A job of the task that still has to come to an end, and waits for no other of it. */
const isUnderWay = sql`(
  exists (select from job o where o.task_id = j.task_id and not o.is_held and o.state = 'queued')
  or exists (select from job o where o.task_id = j.task_id and not o.is_held and o.state = 'running'))`;

/** Releases what is held although nothing of its task is under way, as when two jobs of it ended in the same moment. */
export async function releaseForgotten(db: Db): Promise<number> {
  const { rows } = await sql`
    update job set is_held = false, revision = revision + 1 where id in (
      select h.id from job h where h.is_held and h.id in (
        select distinct on (j.task_id) j.id from job j
        where j.is_held and not ${isUnderWay}
        order by j.task_id, j.created_at, j.id
      ) for no key update skip locked
    ) returning id`.execute(db);
  if (rows.length > 0) await notify(db, 'jobQueued');
  return rows.length;
}

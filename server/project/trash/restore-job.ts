import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import type { Caller } from '../../base/caller.ts';
import { restoreFiles, type RestoreOptions } from './restore-files.ts';
import { restoreRows, restoreJobFiles, restoreDatasources } from './restore-resources.ts';
import type { TrashEntry } from './store.ts';

/** Restores the outputs of a job, all of them or none. The job itself is restored if its task still exists. */
export async function restoreJob(
  tx: Db,
  caller: Caller,
  entry: TrashEntry,
  options: RestoreOptions,
): Promise<void> {
  const { id, project_id: projectId, resource_id: jobId } = entry;
  if (entry.objects > 0)
    await restoreFiles(tx, { ...entry, type: 'folder', name: await commonFolder(tx, id) }, options);
  await restoreDatasources(tx, caller, entry, options);
  const { rows } = await sql<{ id: string }>`
    select t.id from trash_row r join task t on t.project_id = ${projectId} and t.id = r.content ->> 'task_id'
    where r.entry_id = ${id} and r.source = 'job' and r.content ->> 'id' = ${jobId} for update of t`.execute(
    tx,
  );
  if (!rows[0]) return;
  await restoreRows(tx, id, ['job', 'job_operation', 'job_log', 'job_output_page']);
  await restoreJobFiles(tx, id);
  await sql`update task set last_job_id = (select id from job where task_id = ${rows[0].id}
      order by created_at desc, id desc limit 1)
    where id = ${rows[0].id}`.execute(tx);
}

/** Ends in `/`; empty where they have none. */
async function commonFolder(tx: Db, entryId: string): Promise<string> {
  const { rows } = await sql<{ first: string; last: string }>`
    select min(key) as first, max(key) as last from trash_object where entry_id = ${entryId}`.execute(tx);
  const { first, last } = rows[0]!;
  let length = 0;
  while (length < first.length && first[length] === last[length]) length++;
  return first.slice(0, first.lastIndexOf('/', length - 1) + 1);
}

import { sql } from 'kysely';
import type { Context } from '../../base/context.ts';
import { countAll, type CleanUpOptions, type RemovalCount } from '../../base/removal-count.ts';

const filesAtOnce = 10_000;
const entriesAtOnce = 100;

/**
 * Removes the content of emptied entries, a batch of files per transaction, then the entries. Their bytes become
 * unused unless another file shares them. The next sweep continues after an interruption.
 * @returns the number of entries
 */
export async function emptyTrash(
  { db }: Pick<Context, 'db'>,
  { signal, report }: CleanUpOptions = {},
): Promise<number> {
  let removed = 0;
  while (!signal?.aborted) {
    const { rows: files } = await sql<RemovalCount>`
      with gone as (
        delete from trash_object where id = any (array(
          select o.id from trash_object o join trash_entry e on e.id = o.entry_id and e.is_emptied
          limit ${filesAtOnce}))
        returning project_id, bucket_id, size
      )
      select project_id, bucket_id, 0 as count, sum(size)::bigint as bytes from gone group by project_id, bucket_id`.execute(
      db,
    );
    report?.('trash', files);
    if (files.length > 0) continue;
    const { rows: entries } = await sql<RemovalCount>`
      with gone as (
        delete from trash_entry e where id = any (array(
          select e.id from trash_entry e where e.is_emptied
            and not exists (select from trash_object o where o.entry_id = e.id)
          limit ${entriesAtOnce}))
        returning project_id, bucket_id
      )
      select project_id, bucket_id, count(*) as count from gone group by project_id, bucket_id`.execute(db);
    report?.('trash', entries);
    removed += countAll(entries);
    if (countAll(entries) < entriesAtOnce) break;
  }
  return removed;
}

/** Empties what has lain in the trash for too long. */
export async function expireTrash(context: Context, options: CleanUpOptions = {}): Promise<number> {
  const { db } = context;
  await sql`update trash_entry set is_emptied = true
    where deleted_at < ${trashLimit(context)} and not is_emptied`.execute(db);
  return emptyTrash(context, options);
}

/** Entries deleted before this time are removed. */
export function trashLimit({ now, settings }: Pick<Context, 'now' | 'settings'>): Date {
  return new Date(now().getTime() - settings.trashLifetimeMs);
}

import type { TrashItem } from '@platen/contract/trash';
import { sql } from 'kysely';
import { allowMinutes } from '../database/allow-minutes.ts';
import type { Db } from '../database/database.ts';
import { newId } from '../ids.ts';

/** What lies in the trash is one thing to those who look into it, however many rows it had. */
export interface NewTrashEntry {
  readonly projectId: string;
  readonly type: TrashItem['type'];
  readonly name: string;
  readonly resourceId?: string;
  /** Of files, and of a data bucket itself. */
  readonly bucketId?: string;
  /** Who may restore it without the permission: of files, who made the data bucket. */
  readonly ownerId: string;
  /** Of a task: says which permission it takes. */
  readonly jobType?: string;
  readonly by: string;
  readonly now: Date;
}

/**
 * All that `remove` deletes goes into the trash as one entry: triggers take the rows, also those that go with others.
 * Call it in a transaction; what is deleted outside of this is gone for good.
 */
export async function intoTrash<T>(tx: Db, entry: NewTrashEntry, remove: () => Promise<T>): Promise<T> {
  const id = newId(entry.now);
  await tx
    .insertInto('trash_entry')
    .values({
      id,
      project_id: entry.projectId,
      type: entry.type,
      resource_id: entry.resourceId ?? null,
      name: entry.name,
      bucket_id: entry.bucketId ?? null,
      owner_id: entry.ownerId,
      job_type: entry.jobType ?? null,
      deleted_at: entry.now,
      deleted_by: entry.by,
    })
    .execute();
  await allowMinutes(tx); // a folder may hold a million files
  await nameEntry(tx, id);
  const result = await remove();
  await nameEntry(tx, '');
  return result;
}

async function nameEntry(tx: Db, id: string): Promise<void> {
  await sql`select set_config('platen.trash', ${id}::text, true)`.execute(tx);
}

import type { TrashItem } from '@platen/contract/trash';
import { sql } from 'kysely';
import { recordAudit } from '../audit/record-audit.ts';
import type { RequestOrigin } from '../caller.ts';
import { extendStatementTimeout } from '../database/extend-statement-timeout.ts';
import type { Db } from '../database/database.ts';
import { newId } from '../ids.ts';

/** An entry of the trash: one resource for users, however many rows it consists of. */
export interface NewTrashEntry {
  readonly projectId: string;
  readonly type: TrashItem['type'];
  readonly name: string;
  readonly resourceId?: string;
  /** Set for files, and for a data bucket itself. */
  readonly bucketId?: string;
  /** The user who may restore it without the permission; for files, the creator of the data bucket. */
  readonly ownerId: string;
  /** Set for a task, as the permission depends on it. */
  readonly jobType?: string;
  readonly by: string;
  /** Set if a user deletes it, which is recorded in the audit log; unset if something else replaces it. */
  readonly from?: RequestOrigin;
  readonly now: Date;
}

/**
 * Moves everything that `remove` deletes to the trash as one entry. Triggers copy the rows, including cascaded ones.
 * Call it in a transaction; rows deleted outside of it are lost.
 */
export async function moveToTrash<T>(tx: Db, entry: NewTrashEntry, remove: () => Promise<T>): Promise<T> {
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
  await extendStatementTimeout(tx); // a folder may contain a million files
  await nameEntry(tx, id);
  const result = await remove();
  await nameEntry(tx, '');
  if (entry.from) await recordDeletion(tx, entry, entry.from);
  return result;
}

async function recordDeletion(
  tx: Db,
  entry: NewTrashEntry,
  { address, userAgent }: RequestOrigin,
): Promise<void> {
  const { projectId, type, name, bucketId, resourceId = bucketId ?? '', by: userId, now } = entry;
  await recordAudit(tx, {
    now,
    caller: { userId, address, userAgent },
    action: `${type}.delete`,
    projectId,
    targetId: resourceId,
    detail: { name },
  });
}

async function nameEntry(tx: Db, id: string): Promise<void> {
  await sql`select set_config('platen.trash', ${id}::text, true)`.execute(tx);
}

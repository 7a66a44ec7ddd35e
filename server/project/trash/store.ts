import type { TrashItem, TrashListQuery } from '@platen/contract/trash';
import type { Page } from '@platen/contract/schema';
import { sql, type Selectable } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { exactFilter, selectPage, textFilter } from '../../base/database/lists.ts';
import type { TrashEntryTable } from '../../base/database/schema.ts';

export type TrashEntry = Selectable<TrashEntryTable>;

interface TrashScope {
  /** Keys of files are content: undefined for those who may read every data bucket. */
  readonly onlyFilesOf: string | undefined;
  readonly lifetimeMs: number;
}

/** The latest first. */
export function findTrash(
  db: Db,
  projectId: string,
  query: TrashListQuery,
  { onlyFilesOf, lifetimeMs }: TrashScope,
): Promise<Page<TrashItem>> {
  return selectPage(db, {
    from: sql`trash_entry t`,
    columns: sql`t.*`,
    where: [
      sql`t.project_id = ${projectId} and not t.is_emptied`,
      onlyFilesOf === undefined
        ? undefined
        : sql`(t.type not in ('object', 'folder') or t.owner_id = ${onlyFilesOf})`,
      textFilter('t.name', query.name),
      exactFilter('t.type', query.type),
    ],
    order: { createdAt: 't.deleted_at', name: 't.name', type: 't.type', size: 't.bytes' },
    tieBreak: 't.id',
    query,
    fromRow: (row: TrashEntry) => itemOf(row, lifetimeMs),
  });
}

/** Locked until the transaction ends, so that it is restored or emptied once. */
export async function lockTrashEntry(tx: Db, projectId: string, id: string): Promise<TrashEntry | undefined> {
  return tx
    .selectFrom('trash_entry')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .where('is_emptied', '=', false)
    .forUpdate()
    .executeTakeFirst();
}

/** The entries of a project that are not being restored, locked. */
export async function lockTrash(tx: Db, projectId: string): Promise<TrashEntry[]> {
  return tx
    .selectFrom('trash_entry')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('is_emptied', '=', false)
    .orderBy('id')
    .forUpdate()
    .skipLocked()
    .execute();
}

/** Hides the entries at once; `emptyTrash` removes their content. */
export async function markEmptied(tx: Db, ids: readonly string[]): Promise<void> {
  await sql`update trash_entry set is_emptied = true where id = any(${[...ids]}::text[])`.execute(tx);
}

/** The entry that holds a deleted resource. */
export async function findTrashOf(
  db: Db,
  projectId: string,
  type: TrashItem['type'],
  resourceId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('trash_entry')
    .select('id')
    .where('project_id', '=', projectId)
    .where('type', '=', type)
    .where('resource_id', '=', resourceId)
    .where('is_emptied', '=', false)
    .executeTakeFirst();
  return row?.id;
}

function itemOf(row: TrashEntry, lifetimeMs: number): TrashItem {
  return {
    _id: row.id,
    type: row.type,
    name: row.name,
    ...(row.resource_id !== null && { resourceId: row.resource_id }),
    ...(row.bucket_id !== null && { dataBucketId: row.bucket_id }),
    numberOfFiles: row.objects,
    size: row.bytes,
    deletedAt: row.deleted_at.toISOString(),
    deletedBy: row.deleted_by,
    expiresAt: new Date(row.deleted_at.getTime() + lifetimeMs).toISOString(),
  };
}

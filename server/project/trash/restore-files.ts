import { sql, type RawBuilder } from 'kysely';
import { findBucket } from '../../files/buckets/store.ts';
import type { Db } from '../../base/database/database.ts';
import { Failure, unusableAt } from '../../base/failure.ts';
import { folderKeyOf, keyOf, problemOfKey } from '../../files/objects/key.ts';
import { lockServedFrom } from '../../files/revisions/restore-files.ts';
import { placesOfFound } from '../../files/used-by/edges.ts';
import { requireNoneServed } from '../../files/used-by/in-use.ts';
import { moveToTrash } from '../../base/trash/move-to-trash.ts';
import { findTrashOf, type TrashEntry } from './store.ts';

export interface RestoreOptions {
  readonly overwrite: boolean;
  /** New key of the files, instead of their former one. */
  readonly key: string | undefined;
  /** Restore even if required resources are missing. */
  readonly force: boolean;
  readonly by: string;
  readonly now: Date;
}

const named = 5;

/**
 * Puts a file or a folder back into its bucket: the same ids, the same revisions. Returns the key.
 * @throws Failure `conflict` when the bucket is gone, or other files are in the way and may not go to the trash, as those that
 * are served
 */
export async function restoreFiles(tx: Db, entry: TrashEntry, options: RestoreOptions): Promise<string> {
  const { project_id: projectId, type, name, bucket_id: bucketId } = entry;
  const bucket = await findBucket(tx, projectId, bucketId!);
  if (!bucket) throw await withoutBucket(tx, projectId, bucketId!);
  const target = targetOf(entry, options.key);
  await lockServedFrom(tx, bucketId!, target);
  const moved =
    target === name ? sql`t.key` : sql`(${target}::text || substr(t.key, length(${name}::text) + 1))`;
  if (target !== name) await requireUsableKeys(tx, entry, moved);
  const occupying = await findInTheWay(tx, entry, moved);
  if (occupying.length > 0 && !options.overwrite) throw occupied(occupying);
  if (occupying.length > 0) {
    const { by, now } = options;
    if (!options.force)
      await requireNoneServed(tx, { projectId, bucketId: bucketId! }, placesOfFound(inTheWay(entry, moved)));
    const replaced = {
      projectId,
      type,
      name: target,
      bucketId: bucketId!,
      ownerId: bucket.createdBy,
      by,
      now,
    };
    await moveToTrash(tx, replaced, () =>
      sql`delete from object o using trash_object t
      where t.entry_id = ${entry.id} and o.bucket_id = t.bucket_id and o.key = ${moved}`.execute(tx),
    );
  }
  await restoreFileRows(tx, entry.id, moved);
  return target;
}

/** Out of the trash and into the bucket in one statement. */
export async function restoreFileRows(
  tx: Db,
  entryId: string,
  key: RawBuilder<unknown> = sql`t.key`,
): Promise<void> {
  await sql`
    with t as (delete from trash_object where entry_id = ${entryId} returning *)
    insert into object (project_id, bucket_id, key, id, blob_id, size, sha256, content_type, revision, moment,
      content_at, content_by, created_at, created_by, updated_at, updated_by)
    select project_id, bucket_id, ${key}, id, blob_id, size, sha256, content_type, revision, moment,
      content_at, content_by, created_at, created_by, updated_at, updated_by from t order by key`.execute(tx);
}

function targetOf({ type, name }: TrashEntry, key: string | undefined): string {
  if (key === undefined) return name;
  if (type === 'folder') return folderKeyOf(key);
  if (key.endsWith('/')) throw new Failure('invalid', 'key: It must name a file, not a folder.');
  return keyOf(key);
}

/** Segments stay as they are, but whole keys may become too long. */
async function requireUsableKeys(tx: Db, { id }: TrashEntry, moved: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<{ key: string }>`
    select ${moved} as key from trash_object t where entry_id = ${id}
    order by octet_length(${moved}) desc limit 1`.execute(tx);
  const problem = rows[0] && problemOfKey(rows[0].key);
  if (problem !== undefined) throw unusableAt('key', `“${rows[0]!.key}”: ${problem}`);
}

const inTheWay = ({ id }: TrashEntry, moved: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`trash_object t join object o on o.bucket_id = t.bucket_id and o.key = ${moved} where t.entry_id = ${id}`;

async function findInTheWay(tx: Db, entry: TrashEntry, moved: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select o.key from ${inTheWay(entry, moved)} limit ${named + 1}`.execute(tx);
  return rows.map(({ key }) => key);
}

function occupied(keys: readonly string[]): Failure {
  const names = keys.slice(0, named).map((key) => `“${key}”`);
  const more = keys.length > named ? ' and more' : '';
  const text = `Files with these keys now exist: ${names.join(', ')}${more}. Send overwrite=true to move them to the trash, or send key to restore to another place.`;
  const errors = keys.slice(0, named).map((key) => ({ pointer: 'key', code: 'occupied', detail: key }));
  return new Failure('conflict', text, { errors });
}

/** Says what to restore first, where that is possible. */
export async function withoutBucket(db: Db, projectId: string, bucketId: string): Promise<Failure> {
  const entryId = await findTrashOf(db, projectId, 'data-bucket', bucketId);
  if (entryId === undefined)
    return new Failure('conflict', 'The data bucket was deleted permanently. Nothing can be restored to it.');
  const detail = 'The data bucket is also in the trash. Restore it first.';
  return new Failure('conflict', detail, {
    errors: [{ pointer: `trash-item/${entryId}`, code: 'in_trash', detail }],
  });
}

import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { placesOf, startsWith } from '../objects/key-range.ts';
import type { Amount } from '../usage/store.ts';
import type { PinnedRevision } from './pinned-revision.ts';

/** The files that a revision serves: of its folder, or the one with its thumbnail. */
function servedBy({ bucketId, bucketKey, servedFolder }: PinnedRevision): RawBuilder<unknown> {
  const keys =
    servedFolder === null
      ? sql`o.key = any(${[bucketKey ?? '', `${bucketKey}.thumbnail.png`]}::text[])`
      : startsWith('o.key', servedFolder);
  return sql`o.bucket_id = ${bucketId} and ${keys}`;
}

/** Whether the content of that time is kept, although the file has another one now. */
const wasHeldAt = (until: number) =>
  sql`exists (select from object_revision r where r.object_id = o.id and r.moment < ${until} and r.until >= ${until})`;
/** The first content of the file is known, and came later. */
const isNew = (until: number) => sql`(o.revision = 1 or exists (
  select from object_revision r where r.object_id = o.id and r.revision = 1 and r.moment >= ${until}))`;

/** Changes of the files of a revision since then; valid while the datasource is locked. */
export interface ChangedFiles {
  /** Have another content now. */
  readonly overwritten: number;
  /** Have another content now, and that of then is cleaned up. */
  readonly lost: number;
  /** Were not there then, and no other datasource serves them. */
  readonly added: number;
  /** Are there, whatever they hold. */
  readonly present: number;
}

export async function countChanged(
  tx: Db,
  datasourceId: string,
  revision: PinnedRevision & { readonly until: number },
): Promise<ChangedFiles> {
  const { until } = revision;
  const { rows } = await sql<ChangedFiles>`
    select count(*) filter (where o.moment < ${until} or not ${isNew(until)}) as present,
      count(*) filter (where o.moment >= ${until} and ${wasHeldAt(until)}) as overwritten,
      count(*) filter (where o.moment >= ${until} and not ${wasHeldAt(until)} and not ${isNew(until)}) as lost,
      count(*) filter (where ${isAdded(datasourceId, revision)}) as added
    from object o where ${servedBy(revision)}`.execute(tx);
  return rows[0]!;
}

function isAdded(datasourceId: string, { until }: { readonly until: number }): RawBuilder<unknown> {
  return sql`(o.moment >= ${until} and ${isNew(until)} and not exists (
    select from datasource d where d.bucket_id = o.bucket_id and d.id <> ${datasourceId}
      and (d.bucket_key = o.key or d.served_folder = any(places_of(o.key)))))`;
}

/** The contents of overwritten files in that revision. */
function contentsOf(revision: PinnedRevision & { readonly until: number }): RawBuilder<unknown> {
  const { until } = revision;
  return sql`(
    select distinct on (r.object_id) r.object_id, r.blob_id, r.size, r.sha256, r.content_type
    from object o join object_revision r on r.object_id = o.id and r.moment < ${until} and r.until >= ${until}
    where ${servedBy(revision)} and o.moment >= ${until} order by r.object_id, r.revision desc)`;
}

/** The additional bytes after restoring: the current contents are kept, too. */
export async function measureFiles(
  tx: Db,
  revision: PinnedRevision & { readonly until: number },
): Promise<Amount> {
  const { rows } = await sql<Amount>`
    select coalesce(sum(c.size), 0)::bigint as bytes, count(*) as objects
    from ${contentsOf(revision)} c join object o on o.id = c.object_id where o.sha256 <> c.sha256`.execute(
    tx,
  );
  return rows[0]!;
}

/** Gives the overwritten files the content of that revision. */
export async function restoreFileContents(
  tx: Db,
  revision: PinnedRevision & { readonly until: number },
  { by, now }: { by: string; now: Date },
): Promise<void> {
  await sql`
    update object o set blob_id = c.blob_id, size = c.size, sha256 = c.sha256, content_type = c.content_type,
      updated_at = ${now}, updated_by = ${by}
    from ${contentsOf(revision)} c where o.id = c.object_id`.execute(tx);
}

export async function deleteAdded(
  tx: Db,
  datasourceId: string,
  revision: PinnedRevision & { readonly until: number },
): Promise<void> {
  await sql`delete from object o where ${servedBy(revision)} and ${isAdded(datasourceId, revision)}`.execute(
    tx,
  );
}

/**
 * Locks the datasources whose data is in a folder or contains it. Call it before the first of several files of the
 * folder is written, so that readers of a revision see either all of these files or none.
 */
export async function lockServedFrom(tx: Db, bucketId: string, folder: string): Promise<void> {
  const around = sql`served_folder = any(places_of(${folder}))`;
  const within = sql`${startsWith('bucket_key', folder)}`;
  await sql`select from datasource where bucket_id = ${bucketId} and (${around} or ${within})
    order by id for no key update`.execute(tx);
}

/** The same for a single file that may be overwritten: others who overwrite single files are not kept waiting. */
export async function lockServing(
  tx: Db,
  { bucketId, key, now }: { readonly bucketId: string; readonly key: string; readonly now: Date },
): Promise<void> {
  await sql`select lock_for_overwriting(id, ${now}) from (select id from datasource
    where bucket_id = ${bucketId} and (bucket_key = ${key} or served_folder = any(${placesOf(key)}::text[]))
    order by id) served`.execute(tx);
}

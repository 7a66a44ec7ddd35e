import { sql, type RawBuilder } from 'kysely';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import type { CleanUpOptions, RemovalCount } from '../../base/removal-count.ts';
import { cleanUpRevisions } from '../../files/revisions/clean-up.ts';
import { expireTrash } from '../trash/empty.ts';
import { findReferenced } from '../../files/objects/blobs.ts';
import { oldIds } from '../../files/objects/old-ids.ts';

/** Readers that began before a blob lost its row can finish within it, and uploads write their row. */
const graceMs = 3_600_000;
const batch = 500;

/** The numbers of what a sweep removed. */
interface SweepResult {
  /** Items of the trash whose time was over. */
  readonly trash: number;
  readonly revisions: number;
  /** Blobs that were no longer needed. */
  readonly unneeded: number;
  /** Blobs that never had a row. */
  readonly orphans: number;
}

interface SweepOptions extends CleanUpOptions {
  /**
   * Bytes without a row at the previous sweep: only those are removed, and the set then holds those of this sweep. The
   * storage may date an object by the start of its upload, hours before its row is written; an hour later it has one.
   */
  readonly suspects?: Set<string>;
}

/** One pass: what has been kept for long enough lets go of its blobs, which go an hour later. */
export async function sweep(context: Context, options: SweepOptions = {}): Promise<SweepResult> {
  const limit = new Date(context.now().getTime() - graceMs);
  const trash = await expireTrash(context, options);
  const revisions = await cleanUpRevisions(context, options);
  const unneeded = await sweepUnneeded(context, limit, options);
  return { trash, revisions, unneeded, orphans: await sweepOrphans(context, limit, options) };
}

/** Blobs that have been unneeded for the grace period. */
export function unneededBlobs({ now }: Pick<Context, 'now'>): RawBuilder<unknown> {
  return sql`select id, project_id, size from blob where unneeded_since < ${new Date(now().getTime() - graceMs)}`;
}

/**
 * The row is deleted first, so that the bytes become unreachable: a transaction that wants to share the blob at the
 * same time waits for its lock and finds it gone, or needs it by then. If the process is killed in between, the bytes
 * are orphaned.
 */
async function sweepUnneeded(
  { db, store }: Context,
  limit: Date,
  { signal, report }: CleanUpOptions,
): Promise<number> {
  const references = await findReferences(db);
  let removed = 0;
  while (!signal?.aborted) {
    const { rows } = await sql<{ id: string; project_id: string; size: number; is_needed: boolean }>`
      with old as (
        select id, project_id, size from blob where unneeded_since < ${limit} order by unneeded_since limit ${batch}
        for update skip locked
      ), judged as (
        select old.*, ${isNeeded(references)} as is_needed from old
      ), removed as (
        delete from blob b using judged j where b.id = j.id and not j.is_needed
      ), kept as (
        update blob b set unneeded_since = null from judged j where b.id = j.id and j.is_needed
      )
      select * from judged`.execute(db);
    const gone = rows.filter((row) => !row.is_needed);
    for (const { id } of gone) await store.remove(id);
    report?.(
      'blob',
      // those of plugins belong to none
      gone.map(({ project_id, size: bytes }): RemovalCount => ({
        project_id: project_id || null,
        count: 1,
        bytes,
      })),
    );
    removed += gone.length;
    if (rows.length < batch) break;
  }
  return removed;
}

/**
 * Bytes of this age without a row are orphaned, except those of resumable uploads, whose last bytes may have arrived
 * long before the upload becomes a file.
 */
async function sweepOrphans(
  { db, store }: Context,
  limit: Date,
  { signal, suspects, report }: SweepOptions,
): Promise<number> {
  const before = suspects && new Set(suspects);
  suspects?.clear();
  let removed = 0;
  for await (const ids of oldIds(store.list(), limit, signal)) {
    const wanted = await findReferenced(db, ids);
    for (const id of ids) {
      if (wanted.has(id)) continue;
      if (before?.has(id) === false) {
        suspects!.add(id);
        continue;
      }
      const bytes = (await store.head(id))?.size ?? 0;
      await store.remove(id);
      report?.('orphan', [{ count: 1, bytes }]);
      removed++;
    }
  }
  return removed;
}

interface Reference {
  readonly table: string;
  readonly column: string;
}

/** Everything that may refer to a blob has a foreign key to it: so no table can be forgotten. */
async function findReferences(db: Db): Promise<Reference[]> {
  const { rows } = await sql<Reference>`
    select c.conrelid::regclass::text as table, a.attname as column from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'blob'::regclass`.execute(db);
  return rows;
}

function isNeeded(references: readonly Reference[]): RawBuilder<unknown> {
  const exists = references.map(
    ({ table, column }) =>
      sql`exists (select from ${sql.table(table)} r where ${sql.ref(`r.${column}`)} = old.id)`,
  );
  return sql`(${sql.join(exists, sql` or `)})`;
}

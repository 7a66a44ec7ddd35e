import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';

/** Bytes that have just been stored, durable but without a row yet. */
export interface NewBlob {
  readonly id: string;
  readonly projectId: string;
  /** In bytes. */
  readonly size: number;
  /** 64 hexadecimal digits. */
  readonly sha256: string;
  readonly now: Date;
}

/**
 * Gives bytes their row and returns the id of the blob to refer to: of equal bytes that the project has already, if it
 * has, or its own. In the first case the caller removes the new bytes from the store after its transaction. What refers
 * to the blob must be written in the same transaction, as only that keeps the sweeper away.
 */
export async function keepBlob(tx: Db, blob: NewBlob): Promise<string> {
  return (await keepBlobs(tx, [blob])).get(blob.id)!;
}

/** Rows in one statement. */
const maxRows = 1000;

/**
 * The same for many blobs with distinct contents.
 * @returns the ids of the blobs to refer to, by the ids of the new ones
 */
export async function keepBlobs(tx: Db, blobs: readonly NewBlob[]): Promise<Map<string, string>> {
  const kept = new Map<string, string>();
  for (let i = 0; i < blobs.length; i += maxRows)
    for (const [id, keptId] of await keepSome(tx, blobs.slice(i, i + maxRows))) kept.set(id, keptId);
  return kept;
}

async function keepSome(tx: Db, blobs: readonly NewBlob[]): Promise<[string, string][]> {
  const [ids, digests, sizes] = [
    blobs.map(({ id }) => id),
    blobs.map(({ sha256 }) => Buffer.from(sha256, 'hex')),
    blobs.map(({ size }) => size),
  ];
  const { projectId, now } = blobs[0]!;
  const arrived = sql`unnest(${ids}::text[], ${digests}::bytea[], ${sizes}::bigint[]) as a (id, sha256, size)`;
  // locked in the order of their ids, so that two of these statements never wait for each other
  const { rows } = await sql<{ own: string; known: string }>`
    with known as materialized (
      select b.id, b.sha256, b.size, b.created_at from blob b
      where b.project_id = ${projectId} and b.sha256 = any(${digests}::bytea[]) order by b.id for update
    ), oldest as (
      select distinct on (a.id) a.id as own, known.id as known from ${arrived}
      join known on known.sha256 = a.sha256 and known.size = a.size order by a.id, known.created_at
    ), added as (
      insert into blob (id, project_id, size, sha256, created_at)
      select a.id, ${projectId}::text, a.size, a.sha256, ${now}::timestamptz from ${arrived}
      where not exists (select from oldest where oldest.own = a.id)
    )
    select own, known from oldest`.execute(tx);
  // a statement of its own sees what became unneeded while the first waited for locks
  if (rows.length > 0)
    await sql`update blob set unneeded_since = null
      where id = any(${rows.map(({ known }) => known)}::text[]) and unneeded_since is not null`.execute(tx);
  const known = new Map(rows.map((row) => [row.own, row.known]));
  return ids.map((id) => [id, known.get(id) ?? id]);
}

/** Which of these bytes belong to a blob or to an unfinished upload; the others are never needed again. */
export async function findReferenced(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from blob where id = any(${[...ids]}::text[])
    union all select draft_id from upload where draft_id = any(${[...ids]}::text[])`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

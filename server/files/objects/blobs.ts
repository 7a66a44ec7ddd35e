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
export async function keepBlob(tx: Db, { id, projectId, size, sha256, now }: NewBlob): Promise<string> {
  const digest = Buffer.from(sha256, 'hex');
  const known = await tx
    .selectFrom('blob')
    .select(['id', 'unneeded_since'])
    .where('project_id', '=', projectId)
    .where('sha256', '=', digest)
    .where('size', '=', size)
    .orderBy('created_at')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  if (known) {
    if (known.unneeded_since)
      await tx.updateTable('blob').set({ unneeded_since: null }).where('id', '=', known.id).execute();
    return known.id;
  }
  const row = { id, project_id: projectId, size, sha256: digest, created_at: now, unneeded_since: null };
  await tx.insertInto('blob').values(row).execute();
  return id;
}

/** Which of these bytes belong to a blob or to an unfinished upload; the others are never needed again. */
export async function findReferenced(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from blob where id = any(${[...ids]}::text[])
    union all select draft_id from upload where draft_id = any(${[...ids]}::text[])`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

import type { UnfinishedUpload, UnfinishedUploadListQuery } from '@platen/contract/uploads';
import type { Page } from '@platen/contract/schema';
import { sql, type Selectable } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { selectPage } from '../../base/database/lists.ts';
import type { UploadTable } from '../../base/database/schema.ts';

/** An upload to a bucket, or of an output of a job. */
export type UploadRow = Selectable<UploadTable>;

export interface BucketUploadRow extends UploadRow {
  readonly bucket_id: string;
  readonly user_id: string;
}

type UploadOwner =
  | { readonly bucketId: string; readonly userId: string }
  | { readonly jobId: string; readonly attempt: number };

interface NewUpload {
  readonly id: string;
  readonly projectId: string;
  readonly owner: UploadOwner;
  readonly key: string;
  readonly length: number | undefined;
  readonly overwrite: boolean;
  readonly metadata: string;
  readonly draftId: string;
  readonly now: Date;
  readonly expires: Date;
}

export async function insertUpload(db: Db, { owner, ...upload }: NewUpload): Promise<void> {
  await db
    .insertInto('upload')
    .values({
      id: upload.id,
      project_id: upload.projectId,
      ...('jobId' in owner
        ? { job_id: owner.jobId, attempt: owner.attempt }
        : { bucket_id: owner.bucketId, user_id: owner.userId }),
      key: upload.key,
      length: upload.length ?? null,
      overwrite: upload.overwrite,
      metadata: upload.metadata,
      draft_id: upload.draftId,
      created_at: upload.now,
      expires_at: upload.expires,
    })
    .execute();
}

/** Those that one user has begun in a bucket, newest first unless asked otherwise. */
export function findUnfinished(
  db: Db,
  { bucketId, userId, now }: { bucketId: string; userId: string; now: Date },
  query: UnfinishedUploadListQuery,
): Promise<Page<UnfinishedUpload>> {
  return selectPage(db, {
    from: sql`upload u`,
    columns: sql`u.*`,
    where: [
      sql`u.bucket_id = ${bucketId} and u.user_id = ${userId}`,
      sql`u.finished_at is null and u.expires_at > ${now}`,
    ],
    order: { createdAt: 'u.created_at', key: 'u.key' },
    tieBreak: 'u.id',
    query,
    fromRow,
  });
}

function fromRow(row: BucketUploadRow): UnfinishedUpload {
  return {
    _id: row.id,
    dataBucketId: row.bucket_id,
    key: row.key,
    ...(row.length !== null && { length: row.length }),
    offset: row.received,
    overwrite: row.overwrite,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  };
}

export async function setLength(db: Db, id: string, length: number): Promise<void> {
  await db.updateTable('upload').set({ length }).where('id', '=', id).execute();
}

/**
 * Marks an upload whose file exists; clients that missed the response may ask for it again. False if another request
 * has the turn.
 */
export async function markFinished(db: Db, { id, turn }: UploadRow, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('upload')
    .set({ finished_at: now })
    .where('id', '=', id)
    .where('writing', '=', turn)
    .where('finished_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Deletes the upload. False if another request has the turn. */
export async function deleteHeld(db: Db, { id, turn }: UploadRow): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('upload')
    .where('id', '=', id)
    .where('writing', '=', turn)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Deletes what has arrived of an output, also while a request writes to it. @returns the ids of its drafts */
export async function deleteUploadsOf(
  db: Db,
  { jobId, attempt }: { readonly jobId: string; readonly attempt: number },
  key: string,
): Promise<string[]> {
  const { rows } = await sql<{ draft_id: string }>`
    delete from upload where job_id = ${jobId} and attempt = ${attempt} and key = ${key} returning draft_id`.execute(
    db,
  );
  return rows.map((row) => row.draft_id);
}

export async function deleteUpload(db: Db, id: string): Promise<void> {
  await db.deleteFrom('upload').where('id', '=', id).execute();
}

/** Deletes up to `limit` expired uploads. */
export async function deleteExpired(db: Db, now: Date, limit: number): Promise<UploadRow[]> {
  const { rows } = await sql<UploadRow>`
    delete from upload where id in (
      select id from upload where expires_at < ${now} and (writing_until is null or writing_until < now())
      order by expires_at limit ${limit} for update skip locked
    ) returning *`.execute(db);
  return rows;
}

/** Which of these drafts belong to an upload that can be resumed. */
export async function findDrafts(db: Db, draftIds: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('upload')
    .select('draft_id')
    .where(sql<boolean>`draft_id = any(${[...draftIds]}::text[])`)
    .execute();
  return new Set(rows.map((row) => row.draft_id));
}

import type { AppPicture } from '@platen/contract/app-page';
import { sql, type Insertable, type Selectable } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import type { Tables } from '../../base/database/schema.ts';

export interface StoredPicture extends AppPicture {
  readonly blobId: string;
}

export async function findPicture(db: Db, appId: string): Promise<StoredPicture | undefined> {
  const row = await db.selectFrom('app_picture').selectAll().where('app_id', '=', appId).executeTakeFirst();
  return row && fromRow(row);
}

export async function insertPicture(db: Db, row: Insertable<Tables['app_picture']>): Promise<void> {
  await db.insertInto('app_picture').values(row).execute();
}

/** Deletes the picture and frees its blob and its share of the quota. */
export async function dropPicture(db: Db, appId: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('app_picture')
    .where('app_id', '=', appId)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Restores the picture of a restored app. */
export async function restorePicture(db: Db, entryId: string): Promise<void> {
  await sql`
    insert into app_picture
      (project_id, app_id, blob_id, size, sha256, content_type, width, height, created_at, created_by)
    select p.project_id, p.app_id, p.blob_id, p.size, p.sha256, p.content_type, p.width, p.height, p.created_at, p.created_by
    from trash_app_picture p join app on app.id = p.app_id where p.entry_id = ${entryId}`.execute(db);
}

function fromRow(row: Selectable<Tables['app_picture']>): StoredPicture {
  return {
    contentType: row.content_type as AppPicture['contentType'],
    size: row.size,
    width: row.width,
    height: row.height,
    sha256: row.sha256.toString('hex'),
    createdAt: row.created_at.toISOString(),
    createdBy: row.created_by,
    blobId: row.blob_id,
  };
}

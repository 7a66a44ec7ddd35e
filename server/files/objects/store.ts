import type { StoredObject } from '@platen/contract/objects';
import { sql, type Selectable } from 'kysely';
import type { ObjectTable } from '../../base/database/schema.ts';
import { extendStatementTimeout } from '../../base/database/extend-statement-timeout.ts';
import type { Db } from '../../base/database/database.ts';
import { afterJobs, jobsFolder } from './jobs-folder.ts';
import { startsWith } from './key-range.ts';

type Row = Selectable<ObjectTable>;

/** The columns of a row that describe a file. */
export type ObjectRow = Pick<
  Row,
  | 'id'
  | 'bucket_id'
  | 'key'
  | 'blob_id'
  | 'size'
  | 'sha256'
  | 'content_type'
  | 'created_at'
  | 'created_by'
  | 'updated_at'
  | 'updated_by'
>;

/** A file of a bucket with the id of its bytes and its ETag. */
export interface ObjectFile extends StoredObject {
  /** Stays when the file is moved, renamed or gets new content. */
  readonly _id: string;
  readonly blobId: string;
  readonly sha256: string;
  readonly contentType: string;
}

export async function findObject(db: Db, bucketId: string, key: string): Promise<ObjectFile | undefined> {
  const row = await db
    .selectFrom('object')
    .selectAll()
    .where('bucket_id', '=', bucketId)
    .where('key', '=', key)
    .executeTakeFirst();
  return row && fileOf(row);
}

/** The folder as a whole; undefined if it contains no file. `path` ends in `/`. */
export async function findFolder(db: Db, bucketId: string, path: string): Promise<StoredObject | undefined> {
  const row = await db
    .selectFrom('folder')
    .select(['objects', 'bytes', 'created_at', 'updated_at'])
    .where('bucket_id', '=', bucketId)
    .where('path', '=', path)
    .executeTakeFirst();
  if (!row || row.objects === 0) return undefined;
  return {
    key: path,
    type: 'directory',
    size: row.bytes,
    numberOfFiles: row.objects,
    dataBucketId: bucketId,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** The number of contents that a file has had; undefined if there is no such file. */
export async function countRevisions(db: Db, bucketId: string, key: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('object')
    .select('revision')
    .where('bucket_id', '=', bucketId)
    .where('key', '=', key)
    .executeTakeFirst();
  return row?.revision;
}

/** Is there at least one file whose key starts with `prefix`? */
export async function hasPrefix(db: Db, bucketId: string, prefix: string): Promise<boolean> {
  const { rows } = await sql`select 1 from object
    where bucket_id = ${bucketId} and ${startsWith('key', prefix)} limit 1`.execute(db);
  return rows.length > 0;
}

/**
 * Locks a file, or one file in the folder if the key ends in `/`, against moving and deleting until the transaction
 * ends. @returns its blob, or undefined if there is none
 */
export async function holdObject(tx: Db, bucketId: string, key: string): Promise<string | undefined> {
  const isNamed = key.endsWith('/') ? startsWith('key', key) : sql`key = ${key}`;
  const { rows } = await sql<{ blob_id: string }>`select blob_id from object
    where bucket_id = ${bucketId} and ${isNamed} limit 1 for key share`.execute(tx);
  return rows[0]?.blob_id;
}

interface FileRange {
  readonly prefix: string;
  readonly after: string;
  readonly limit: number;
  /** Leaves out the files that jobs keep. */
  readonly skipsJobs?: boolean;
}

/** Files whose keys start with `prefix`, in the order of their keys, after the key `after`. */
export async function findFilesAfter(
  db: Db,
  bucketId: string,
  { prefix, after, limit, skipsJobs = false }: FileRange,
): Promise<ObjectFile[]> {
  const { rows } = await sql<Row>`select * from object
    where bucket_id = ${bucketId} and ${startsWith('key', prefix)} and key > ${after}
      ${skipsJobs ? sql`and (key < ${jobsFolder} or key >= ${afterJobs})` : sql``} order by key limit ${limit}`.execute(
    db,
  );
  return rows.map(fileOf);
}

export interface NewObjectRow {
  readonly projectId: string;
  readonly bucketId: string;
  readonly key: string;
  readonly blobId: string;
  readonly size: number;
  readonly sha256: string;
  readonly contentType: string;
  readonly by: string;
  readonly now: Date;
}

/** undefined if a file of this key exists. The blob must be durable before this is called. */
export async function insertObject(db: Db, object: NewObjectRow): Promise<ObjectFile | undefined> {
  const row = await db
    .insertInto('object')
    .values(valuesOf(object))
    .onConflict((conflict) => conflict.columns(['bucket_id', 'key']).doNothing())
    .returningAll()
    .executeTakeFirst();
  return row && fileOf(row);
}

/** Inserts or replaces a file; the previous blob is released in the same transaction. */
export async function upsertObject(
  db: Db,
  object: NewObjectRow,
): Promise<{ file: ObjectFile; replaced: boolean }> {
  const { blob_id, size, sha256, content_type, updated_at, updated_by, ...rest } = valuesOf(object);
  const changed = { blob_id, size, sha256, content_type, updated_at, updated_by };
  const row = await db
    .insertInto('object')
    .values({ ...rest, ...changed })
    .onConflict((conflict) => conflict.columns(['bucket_id', 'key']).doUpdateSet(changed))
    .returningAll()
    .returning(sql<boolean>`xmax <> 0`.as('replaced'))
    .executeTakeFirstOrThrow();
  return { file: fileOf(row), replaced: row.replaced };
}

export async function deleteObject(db: Db, bucketId: string, key: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('object')
    .where('bucket_id', '=', bucketId)
    .where('key', '=', key)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** `folder` ends in `/`. Call it in a transaction. */
export async function deleteFolder(db: Db, bucketId: string, folder: string): Promise<number> {
  await extendStatementTimeout(db);
  const { numAffectedRows } = await sql`delete from object
    where bucket_id = ${bucketId} and ${startsWith('key', folder)}`.execute(db);
  return Number(numAffectedRows ?? 0);
}

function valuesOf(object: NewObjectRow) {
  return {
    project_id: object.projectId,
    bucket_id: object.bucketId,
    key: object.key,
    blob_id: object.blobId,
    size: object.size,
    sha256: Buffer.from(object.sha256, 'hex'),
    content_type: object.contentType,
    created_at: object.now,
    created_by: object.by,
    updated_at: object.now,
    updated_by: object.by,
  };
}

export function fileOf(row: ObjectRow): ObjectFile {
  return {
    _id: row.id,
    key: row.key,
    type: 'file',
    size: row.size,
    sha256: row.sha256.toString('hex'),
    contentType: row.content_type,
    blobId: row.blob_id,
    dataBucketId: row.bucket_id,
    createdAt: row.created_at.toISOString(),
    createdBy: row.created_by,
    updatedAt: row.updated_at.toISOString(),
    updatedBy: row.updated_by,
  };
}

import type { ObjectListQuery, StoredObject } from '@platen/contract/objects';
import type { Page } from '@platen/contract/schema';
import { sql, type RawBuilder, type Selectable } from 'kysely';
import type { ObjectTable } from '../buckets/tables.ts';
import type { Db } from '../database/database.ts';
import { selectPage } from '../database/lists.ts';

type Row = Selectable<ObjectTable>;

/** A file of a bucket with what its bytes need: where they lie and how they are named to caches. */
export interface ObjectFile extends StoredObject {
  readonly blobId: string;
  readonly sha256: string;
  readonly contentType: string;
}

const order = {
  alpha: 'key',
  key: 'key',
  type: 'type',
  size: 'size',
  createdAt: 'created_at',
  createdBy: 'created_by',
  updatedAt: 'updated_at',
  updatedBy: 'updated_by',
};

interface ListedRow extends Omit<Row, 'project_id' | 'blob_id'> {
  readonly type: 'file' | 'directory';
}

/** Files, or with a delimiter the files and folders one level below the prefix. In the order of their keys unless asked otherwise. */
export function findObjects(db: Db, bucketId: string, query: ObjectListQuery): Promise<Page<StoredObject>> {
  const sorted = query.orderBy?.length ? query : { ...query, orderBy: ['alpha'] };
  return selectPage(db, {
    from: query.delimiter ? oneLevel(bucketId, query) : allLevels(bucketId, query),
    columns: sql`*`,
    where: [],
    order,
    tieBreak: 'key',
    query: sorted,
    fromRow: fromListed,
  });
}

const columns = sql`bucket_id, key, size, sha256, content_type, created_at, created_by, updated_at, updated_by`;

function allLevels(bucketId: string, { prefix, ending }: ObjectListQuery): RawBuilder<unknown> {
  return sql`(select ${columns}, 'file' as type from object
    where bucket_id = ${bucketId}${startsWith(prefix)}${endsWith(ending)}) o`;
}

function oneLevel(bucketId: string, { prefix = '', ending }: ObjectListQuery): RawBuilder<unknown> {
  const rest = sql`substr(key, length(${prefix}) + 1)`;
  return sql`(select ${columns}, 'file' as type from object
      where bucket_id = ${bucketId}${startsWith(prefix)}${endsWith(ending)} and strpos(${rest}, '/') = 0
    union all
    select bucket_id, ${prefix}::text || split_part(${rest}, '/', 1) || '/' as key, sum(size)::bigint, null, null,
      min(created_at), null, max(updated_at), null, 'directory' as type from object
      where bucket_id = ${bucketId}${startsWith(prefix)} and strpos(${rest}, '/') > 0
      group by 1, 2) o`;
}

/** A range of the primary key, which lies in byte order; no character is above U+10FFFF. */
function startsWith(prefix: string | undefined): RawBuilder<unknown> {
  if (!prefix) return sql``;
  return sql` and key >= ${prefix} and key <= ${prefix + '\u{10ffff}'.repeat(256)} and starts_with(key, ${prefix})`;
}

function endsWith(ending: string | undefined): RawBuilder<unknown> {
  if (!ending) return sql``;
  return sql` and key ilike ${`%${ending.replace(/[\\%_]/g, '\\$&')}`}`;
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

/** The folder as a whole; undefined when no key starts with it. `folder` ends in `/`. */
export async function findFolder(
  db: Db,
  bucketId: string,
  folder: string,
): Promise<StoredObject | undefined> {
  const { rows } = await sql<{ size: number | null; created_at: Date; updated_at: Date }>`
    select sum(size)::bigint as size, min(created_at) as created_at, max(updated_at) as updated_at
    from object where bucket_id = ${bucketId}${startsWith(folder)}`.execute(db);
  const [row] = rows;
  if (!row || row.size === null) return undefined;
  return {
    key: folder,
    type: 'directory',
    size: row.size,
    dataBucketId: bucketId,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** Is there at least one file whose key starts with `prefix`? */
export async function hasPrefix(db: Db, bucketId: string, prefix: string): Promise<boolean> {
  const { rows } = await sql`select 1 from object
    where bucket_id = ${bucketId}${startsWith(prefix)} limit 1`.execute(db);
  return rows.length > 0;
}

/** Files whose keys start with `prefix`, in the order of their keys, after the key `after`. */
export async function findFilesAfter(
  db: Db,
  bucketId: string,
  { prefix, after, limit }: { prefix: string; after: string; limit: number },
): Promise<ObjectFile[]> {
  const { rows } = await sql<Row>`select * from object
    where bucket_id = ${bucketId}${startsWith(prefix)} and key > ${after} order by key limit ${limit}`.execute(
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

/** undefined when there is a file of this key already. Its blob must be durable before this is called. */
export async function insertObject(db: Db, object: NewObjectRow): Promise<ObjectFile | undefined> {
  const row = await db
    .insertInto('object')
    .values(valuesOf(object))
    .onConflict((conflict) => conflict.columns(['bucket_id', 'key']).doNothing())
    .returningAll()
    .executeTakeFirst();
  return row && fileOf(row);
}

/** Inserts, or replaces what is there; the blob before becomes garbage in the same transaction. */
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

/** `folder` ends in `/`. */
export async function deleteFolder(db: Db, bucketId: string, folder: string): Promise<number> {
  const { numAffectedRows } = await sql`delete from object
    where bucket_id = ${bucketId}${startsWith(folder)}`.execute(db);
  return Number(numAffectedRows ?? 0);
}

function valuesOf(object: NewObjectRow): Row {
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

function fileOf(row: Row): ObjectFile {
  return {
    ...fromListed({ ...row, type: 'file' }),
    sha256: row.sha256.toString('hex'),
    contentType: row.content_type,
    blobId: row.blob_id,
  };
}

function fromListed(row: ListedRow): StoredObject {
  const file = row.type === 'file' && {
    sha256: row.sha256.toString('hex'),
    contentType: row.content_type,
    createdBy: row.created_by,
    updatedBy: row.updated_by,
  };
  return {
    key: row.key,
    type: row.type,
    size: row.size,
    ...file,
    dataBucketId: row.bucket_id,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { newId } from '../../base/ids.ts';
import { placesOfFound } from '../used-by/edges.ts';
import { contentTypeOf } from './content-type.ts';
import { startsWith } from './key-range.ts';

/** A file, or a folder, whose key ends in `/`. */
export interface ObjectPath {
  readonly bucketId: string;
  readonly key: string;
}

/** A copy or move between two paths of the same kind. */
export interface Transfer {
  readonly projectId: string;
  readonly from: ObjectPath;
  readonly to: ObjectPath;
  readonly by: string;
  readonly now: Date;
}

export const isFolder = ({ key }: ObjectPath) => key.endsWith('/');

/** The files at a spot; `alias` is the name of their table in the statement. */
function at({ bucketId, key }: ObjectPath, alias: string): RawBuilder<unknown> {
  const column = `${alias}.key`;
  const within = key.endsWith('/') ? startsWith(column, key) : sql`${sql.ref(column)} = ${key}`;
  return sql`(${sql.ref(`${alias}.bucket_id`)} = ${bucketId} and ${within})`;
}

/** The key that a file gets. */
const newKey = ({ from, to }: Pick<Transfer, 'from' | 'to'>, alias: string): RawBuilder<unknown> =>
  sql`(${to.key}::text || substr(${sql.ref(`${alias}.key`)}, length(${from.key}::text) + 1))`;

/** A name says what a single file is; files of a folder keep theirs. */
const newType = ({ to }: Pick<Transfer, 'to'>, alias: string): RawBuilder<unknown> =>
  isFolder(to) ? sql.ref(`${alias}.content_type`) : sql`${contentTypeOf(to.key)}::text`;

/** The number and size of the files at a path. */
export async function measure(db: Db, spot: ObjectPath): Promise<{ objects: number; bytes: number }> {
  const { rows } = await sql<{ objects: number; bytes: number }>`${
    isFolder(spot)
      ? sql`select objects, bytes from folder where bucket_id = ${spot.bucketId} and path = ${spot.key}`
      : sql`select 1::bigint as objects, size as bytes from object o where ${at(spot, 'o')}`
  }`.execute(db);
  return rows[0] ?? { objects: 0, bytes: 0 };
}

/** The longest key that a file would get. */
export async function findLongestKey(db: Db, transfer: Transfer): Promise<string> {
  const { rows } = await sql<{ key: string }>`
    select ${newKey(transfer, 'm')} as key from object m where ${at(transfer.from, 'm')}
    order by octet_length(m.key) desc limit 1`.execute(db);
  return rows[0]?.key ?? transfer.to.key;
}

/** Files that are where others are going to be, and are not going themselves. */
function inTheWay(transfer: Transfer, goesAway: boolean): RawBuilder<unknown> {
  const { from, to } = transfer;
  const stays = goesAway ? sql`not ${at(from, 'o')}` : sql`true`;
  return sql`${at(from, 'm')} and o.bucket_id = ${to.bucketId} and o.key = ${newKey(transfer, 'm')} and ${stays}`;
}

/** The first conflicting keys: one more than an error lists. */
export async function findInTheWay(
  db: Db,
  transfer: Transfer,
  { goesAway, limit }: { goesAway: boolean; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select o.key from object m, object o where ${inTheWay(transfer, goesAway)} order by o.key limit ${limit}`.execute(
    db,
  );
  return rows.map(({ key }) => key);
}

/** For `any(…)`: the keys of the files that a move would replace, and of all folders that contain them. */
export const placesInTheWay = (transfer: Transfer): RawBuilder<unknown> =>
  placesOfFound(sql`object m, object o where ${inTheWay(transfer, true)}`);

export async function deleteInTheWay(db: Db, transfer: Transfer): Promise<void> {
  await sql`delete from object o using object m where ${inTheWay(transfer, true)}`.execute(db);
}

/** Replaces the content of existing files; a database error if the caller has excluded that. */
export async function copyFiles(
  db: Db,
  transfer: Transfer,
  { overwrite }: { overwrite: boolean },
): Promise<void> {
  const { projectId, from, to, by, now } = transfer;
  const onConflict = sql`on conflict (bucket_id, key) do update set blob_id = excluded.blob_id, size = excluded.size,
      sha256 = excluded.sha256, content_type = excluded.content_type,
      updated_at = excluded.updated_at, updated_by = excluded.updated_by`;
  await sql`
    insert into object (project_id, bucket_id, key, blob_id, size, sha256, content_type,
      created_at, created_by, updated_at, updated_by)
    select ${projectId}, ${to.bucketId}, ${newKey(transfer, 'm')}, m.blob_id, m.size, m.sha256, ${newType(transfer, 'm')},
      ${now}::timestamptz, ${by}, ${now}::timestamptz, ${by}
    from object m where ${at(from, 'm')} order by m.key
    ${overwrite ? onConflict : sql``}`.execute(db);
}

export async function moveFiles(db: Db, transfer: Transfer): Promise<void> {
  const { from, to } = transfer;
  if (from.bucketId !== to.bucketId || !from.key.startsWith(to.key)) return rename(db, transfer);
  // up into a folder above: a file may get the key that another of them still has, so all step aside first
  const temporary = { ...to, key: `\u0001${newId(transfer.now)}/` };
  await rename(db, { ...transfer, to: temporary });
  await rename(db, { ...transfer, from: temporary });
}

async function rename(db: Db, transfer: Transfer): Promise<void> {
  const { from, to, by, now } = transfer;
  await sql`
    update object m set bucket_id = ${to.bucketId}, key = ${newKey(transfer, 'm')},
      content_type = ${newType(transfer, 'm')}, updated_at = ${now}, updated_by = ${by}
    where ${at(from, 'm')}`.execute(db);
}

/**
 * A file that has the same path as a folder: one of the folders in the key, the key itself, or one in the folder. Such
 * files could not be unpacked to a disk.
 */
export async function findClash(db: Db, { bucketId, key }: ObjectPath): Promise<string | undefined> {
  const names = key.split('/').slice(0, -1);
  const above = names.map((_, index) => names.slice(0, index + 1).join('/'));
  const below = isFolder({ bucketId, key }) ? key : `${key}/`;
  const { rows } = await sql<{ key: string }>`
    select key from object where bucket_id = ${bucketId} and key = any(${above}::text[])
    union all
    select o.key from folder f join object o on o.bucket_id = f.bucket_id and o.key = rtrim(f.path, '/')
      where f.bucket_id = ${bucketId} and ${startsWith('f.path', below)}
    limit 1`.execute(db);
  return rows[0]?.key;
}

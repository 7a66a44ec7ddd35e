import type { ObjectListQuery } from '@platen/contract/object-info';
import type { StoredObject } from '@platen/contract/objects';
import type { Page } from '@platen/contract/schema';
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { Failure } from '../../base/failure.ts';
import { afterJobs, jobsFolder } from './jobs-folder.ts';
import { startsWith } from './key-range.ts';
import { selectSlice, type Entries, type Order } from './slice.ts';

/**
 * Files, or with a delimiter the files and folders one level below the prefix; in the order of their keys unless asked
 * otherwise. Counts come from the counters of folders wherever a folder as a whole is counted, and pages are found in
 * indexes alone, from whichever end is nearer: neither walks through files that are not shown.
 */
export function findObjects(db: Db, bucketId: string, query: ObjectListQuery): Promise<Page<StoredObject>> {
  const { limit, page, sort } = query;
  const order = orderOf(query);
  return atOneMoment(db, async (tx) => {
    const parts = await (isOneLevel(query) ? oneLevel : allLevels)(tx, scopeOf(bucketId, query), order);
    const totalCount = parts.reduce((sum, { count }) => sum + count, 0);
    const items: StoredObject[] = [];
    let skip = page * limit;
    for (const part of sort === 'desc' ? parts.toReversed() : parts) {
      const wanted = { offset: skip, limit: limit - items.length, isDescending: sort === 'desc' };
      items.push(...(await selectSlice(tx, bucketId, part, wanted)));
      skip = Math.max(0, skip - part.count);
    }
    return { items, limit, page, totalCount, totalPages: Math.ceil(totalCount / limit) };
  });
}

/** Folders are asked for: by the delimiter, as a type, or by an order that only a level with folders has. */
function isOneLevel({ delimiter, type, orderBy, contains, kind }: ObjectListQuery): boolean {
  if (delimiter !== undefined || type?.length) return true;
  return orderBy?.includes('type') === true && !contains?.length && !kind?.length;
}

/** The count and the page of a list see the same; each is planned for its own values, which differ by orders of magnitude. */
async function atOneMoment<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  const planned = async (tx: Db) => {
    await sql`set local plan_cache_mode = force_custom_plan`.execute(tx);
    return work(tx);
  };
  if (db.isTransaction) return planned(db);
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(planned);
}

interface ListScope {
  readonly bucketId: string;
  /** Prefix of all keys: a folder, and the beginning of a name in it. */
  readonly prefix: string;
  readonly folder: string;
  /** The prefix is a folder as a whole. */
  readonly isFolder: boolean;
  readonly ending: string;
  /** Conditions that no index or counter covers: every file below the prefix is examined. */
  readonly narrowed: RawBuilder<unknown> | undefined;
  /** Whether files, or folders, are left out. */
  readonly without: 'file' | 'directory' | undefined;
  /** The files of jobs are below the prefix, and left out. */
  readonly hidesJobs: boolean;
}

function scopeOf(bucketId: string, query: ObjectListQuery): ListScope {
  const prefix = (query.prefix ?? '').replace(/^\//, '').normalize('NFC');
  const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  const ending = (query.ending ?? '').normalize('NFC');
  const narrowed = narrowedBy(query, prefix);
  if (narrowed && isOneLevel(query))
    throw new Failure('invalid', 'contains and kind find files at any depth: omit delimiter and type.');
  const types = new Set(query.type);
  const [onlyType] = types.size === 1 ? types : [];
  const without = onlyType && (onlyType === 'file' ? 'directory' : 'file');
  const hidesJobs = query.includeJobs !== true && prefix !== jobsFolder && jobsFolder.startsWith(prefix);
  const isFolder = prefix === folder;
  return { bucketId, prefix, folder, isFolder, ending, narrowed, without, hidesJobs };
}

async function allLevels(tx: Db, place: ListScope, order: Order): Promise<Entries[]> {
  const { bucketId, prefix, narrowed, hidesJobs } = place;
  const all = sql`bucket_id = ${bucketId} and ${startsWith('key', prefix)}${endsWith(place)}${narrowed ?? sql``}`;
  // two ranges of the index, so that no list walks through a million files of jobs
  const ranges = hidesJobs
    ? [sql`${all} and key < ${jobsFolder}`, sql`${all} and key >= ${afterJobs}`]
    : [all];
  const isCounted = place.ending === '' && !narrowed;
  const counts = isCounted ? [countBelow(tx, place)] : ranges.map((where) => countFiles(tx, where));
  const count = (await Promise.all(counts)).reduce((sum, one) => sum + one, 0);
  return [{ count, order, selects: ranges.map((where) => selectFiles(where, order)) }];
}

async function countBelow(tx: Db, scope: ListScope): Promise<number> {
  const ofJobs = scope.hidesJobs ? (await counters(tx, scope.bucketId, jobsFolder)).objects : 0;
  return (await countAllBelow(tx, scope)) - ofJobs;
}

async function countAllBelow(tx: Db, { bucketId, prefix, folder, isFolder }: ListScope): Promise<number> {
  if (isFolder) return (await counters(tx, bucketId, folder)).objects;
  const { rows } = await sql<{ count: number }>`select
    (select coalesce(sum(objects), 0)::bigint from folder
      where bucket_id = ${bucketId} and parent = ${folder} and ${startsWith('path', prefix)})
    + (select count(*) from object
      where bucket_id = ${bucketId} and folder = ${folder} and ${startsWith('key', prefix)}) as count`.execute(
    tx,
  );
  return rows[0]!.count;
}

async function oneLevel(tx: Db, place: ListScope, order: Order): Promise<Entries[]> {
  const { bucketId, prefix, folder, isFolder, without, hidesJobs } = place;
  const visible = hidesJobs ? sql` and path <> ${jobsFolder}` : sql``;
  const inFolders = sql`bucket_id = ${bucketId} and parent = ${folder} and ${startsWith('path', prefix)}${visible}`;
  const inFiles = sql`bucket_id = ${bucketId} and folder = ${folder} and ${startsWith('key', prefix)}${endsWith(place)}`;
  const jobs = sql`bucket_id = ${bucketId} and path = ${jobsFolder}`;
  const hidden = hidesJobs && isFolder ? await countFolders(tx, jobs) : 0;
  const known = isFolder ? await counters(tx, bucketId, folder) : undefined;
  const [first, ...rest] = order;
  const inOrder = first === 'type' ? rest : order;
  const parts: Entries[] = [];
  if (without !== 'directory') {
    const count = known ? known.folders - hidden : await countFolders(tx, inFolders);
    parts.push({ count, order: inOrder, selects: [selectFolders(inFolders, inOrder)] });
  }
  if (without !== 'file') {
    const count = known && place.ending === '' ? known.files : await countFiles(tx, inFiles);
    parts.push({ count, order: inOrder, selects: [selectFiles(inFiles, inOrder)] });
  }
  // directories come before files, and each part has an index of its own
  if (first === 'type') return parts;
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  return [{ count, order, selects: parts.flatMap(({ selects }) => selects) }];
}

interface Counters {
  readonly files: number;
  readonly folders: number;
  readonly objects: number;
}

async function counters(tx: Db, bucketId: string, path: string): Promise<Counters> {
  const { rows } = await sql<Counters>`
    select files, folders, objects from folder where bucket_id = ${bucketId} and path = ${path}`.execute(tx);
  return rows[0] ?? { files: 0, folders: 0, objects: 0 };
}

async function countFiles(tx: Db, where: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from object where ${where}`.execute(
    tx,
  );
  return rows[0]!.count;
}

async function countFolders(tx: Db, where: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from folder where ${where}`.execute(
    tx,
  );
  return rows[0]!.count;
}

/** The keys that end so, in any case: a range of the index of reversed keys. */
function endsWith({ ending }: ListScope): RawBuilder<unknown> {
  if (ending === '') return sql``;
  const reversed = sql`reverse(lower(${ending} collate "C"))`;
  const last = sql`${reversed} || repeat(${'\u{10ffff}'}, 256)`;
  return sql` and reverse(lower(key)) >= ${reversed} and reverse(lower(key)) <= ${last}`;
}

/** Conditions on the part after the prefix (case-insensitive) and on the inspection. */
function narrowedBy({ contains, kind }: ObjectListQuery, prefix: string): RawBuilder<unknown> | undefined {
  const conditions: RawBuilder<unknown>[] = [];
  if (contains?.length) {
    const patterns = contains.map((text) => `%${text.normalize('NFC').replace(/[\\%_]/g, '\\$&')}%`);
    const rest = sql`substr(key, length(${prefix}::text) + 1)`;
    conditions.push(sql`${rest} collate platen_text ilike any(${patterns}::text[])`);
  }
  if (kind?.length) {
    conditions.push(sql`exists (
      select from inspection i where i.project_id = object.project_id and i.sha256 = object.sha256
        and i.name = regexp_replace(key, '^.*/', '') and i.kind = any(${kind}::text[]))`);
  }
  return conditions.length === 0 ? undefined : sql` and ${sql.join(conditions, sql` and `)}`;
}

const columns = {
  alpha: 'key',
  key: 'key',
  type: 'type',
  size: 'size',
  createdAt: 'created_at',
  createdBy: 'created_by',
  updatedAt: 'updated_at',
  updatedBy: 'updated_by',
} as const;

/** The columns to sort by, up to the key, which no two share. */
function orderOf(query: ObjectListQuery): Order {
  const names = [...new Set(query.orderBy?.map((name) => columns[name]))].filter(
    (name) => name !== 'type' || isOneLevel(query),
  );
  const at = names.indexOf('key');
  return [...(at < 0 ? names : names.slice(0, at)), 'key'];
}

function selectFiles(where: RawBuilder<unknown>, order: Order): RawBuilder<unknown> {
  const expressions = order.map((name) => (name === 'type' ? sql`'file'::text as type` : sql.ref(name)));
  return sql`select false as is_folder, ${sql.join(expressions)} from object where ${where}`;
}

const ofFolder: Readonly<Record<Order[number], RawBuilder<unknown>>> = {
  key: sql`path as key`,
  type: sql`'directory'::text as type`,
  size: sql`bytes as size`,
  created_at: sql`created_at`,
  created_by: sql`null::text as created_by`,
  updated_at: sql`updated_at`,
  updated_by: sql`null::text as updated_by`,
};

function selectFolders(where: RawBuilder<unknown>, order: Order): RawBuilder<unknown> {
  const expressions = order.map((name) => ofFolder[name]);
  return sql`select true as is_folder, ${sql.join(expressions)} from folder where ${where}`;
}

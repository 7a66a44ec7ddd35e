import type { StoredObject } from '@platen/contract/objects';
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../base/database/database.ts';

/** Columns to sort by; the last is the key. */
export type Order = readonly (
  | 'key'
  | 'type'
  | 'size'
  | 'created_at'
  | 'created_by'
  | 'updated_at'
  | 'updated_by'
)[];

/** Files, folders or both in one order: selects of `is_folder` and the columns of the order, and how many they give. */
export interface Entries {
  readonly order: Order;
  readonly count: number;
  readonly selects: readonly RawBuilder<unknown>[];
}

interface Slice {
  readonly offset: number;
  readonly limit: number;
  readonly isDescending: boolean;
}

interface Row {
  is_folder: boolean;
  key: string;
  id: string | null;
  size: number;
  sha256: Buffer | null;
  content_type: string | null;
  objects: number | null;
  created_at: Date;
  created_by: string | null;
  updated_at: Date;
  updated_by: string | null;
}

/**
 * A slice of the entries. Skipped entries are read from an index only, from whichever end is nearer; only entries of
 * the slice are read from their table.
 */
export async function selectSlice(
  tx: Db,
  bucketId: string,
  { count, order, selects }: Entries,
  { offset, limit, isDescending }: Slice,
): Promise<StoredObject[]> {
  const length = Math.min(limit, count - offset);
  if (length <= 0) return [];
  const isFromEnd = offset > count - offset - length;
  const skipped = isFromEnd ? count - offset - length : offset;
  const by = orderBy(order, isDescending !== isFromEnd);
  // each in its order: otherwise PostgreSQL sorts all of both instead of merging them
  const ordered = selects.map((select) => sql`(${select} order by ${by(sql``)})`);
  const { rows } = await sql<Row>`
    select e.is_folder, e.key, o.id, coalesce(o.size, f.bytes) as size, o.sha256, o.content_type, f.objects,
      coalesce(o.created_at, f.created_at) as created_at, o.created_by,
      coalesce(o.updated_at, f.updated_at) as updated_at, o.updated_by
    from (select * from (${sql.join(ordered, sql` union all `)}) entry order by ${by(sql``)} limit ${length} offset ${skipped}) e
    left join object o on not e.is_folder and o.bucket_id = ${bucketId} and o.key = e.key
    left join folder f on e.is_folder and f.bucket_id = ${bucketId} and f.path = e.key
    order by ${by(sql`e.`)}`.execute(tx);
  const items = rows.map((row) => fromRow(row, bucketId));
  return isFromEnd ? items.toReversed() : items;
}

function orderBy(order: Order, isDescending: boolean) {
  const direction = sql.raw(isDescending ? 'desc' : 'asc');
  return (alias: RawBuilder<unknown>) =>
    sql.join(order.map((name) => sql`${alias}${sql.ref(name)} ${direction}`));
}

function fromRow(row: Row, bucketId: string): StoredObject {
  const stamps = { createdAt: row.created_at.toISOString(), updatedAt: row.updated_at.toISOString() };
  const common = { key: row.key, size: row.size, dataBucketId: bucketId, ...stamps };
  if (row.is_folder) return { ...common, type: 'directory', numberOfFiles: row.objects! };
  return {
    ...common,
    type: 'file',
    _id: row.id!,
    sha256: row.sha256!.toString('hex'),
    contentType: row.content_type!,
    createdBy: row.created_by!,
    updatedBy: row.updated_by!,
  };
}

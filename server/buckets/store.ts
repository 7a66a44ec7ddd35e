import type { DataBucket, DataBucketListQuery } from '@platen/contract/buckets';
import type { FreeForm, Page } from '@platen/contract/schema';
import { sql, type Selectable } from 'kysely';
import type { Db } from '../database/database.ts';
import { exactFilter, selectPage, textFilter, timeFilter } from '../database/lists.ts';
import type { BucketTable } from './tables.ts';

type Row = Selectable<BucketTable>;

const order = {
  name: 'b.name',
  description: 'b.description',
  createdAt: 'b.created_at',
  createdBy: 'b.created_by',
  updatedAt: 'b.updated_at',
  updatedBy: 'b.updated_by',
  _id: 'b.id',
};

export function findBuckets(
  db: Db,
  projectId: string,
  query: DataBucketListQuery,
): Promise<Page<DataBucket>> {
  return selectPage(db, {
    from: sql`data_bucket b`,
    columns: sql`b.*`,
    where: [
      sql`b.project_id = ${projectId}`,
      textFilter('b.name', query.name),
      textFilter('b.description', query.description),
      timeFilter('createdAt', 'b.created_at', query.createdAt),
      exactFilter('b.created_by', query.createdBy),
      timeFilter('updatedAt', 'b.updated_at', query.updatedAt),
      exactFilter('b.updated_by', query.updatedBy),
    ],
    order,
    tieBreak: 'b.id',
    query,
    fromRow,
  });
}

/** Only within the project: a bucket of another one is none. */
export async function findBucket(db: Db, projectId: string, id: string): Promise<DataBucket | undefined> {
  const row = await db
    .selectFrom('data_bucket')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && fromRow(row);
}

interface NewBucketRow {
  readonly _id: string;
  readonly projectId: string;
  readonly name: string;
  readonly description: string;
  readonly properties: FreeForm;
  readonly createdBy: string;
  readonly now: Date;
}

export async function insertBucket(db: Db, bucket: NewBucketRow): Promise<DataBucket> {
  const row = await db
    .insertInto('data_bucket')
    .values({
      id: bucket._id,
      project_id: bucket.projectId,
      name: bucket.name,
      description: bucket.description,
      properties: JSON.stringify(bucket.properties),
      revision: 1,
      created_at: bucket.now,
      created_by: bucket.createdBy,
      updated_at: bucket.now,
      updated_by: bucket.createdBy,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return fromRow(row);
}

interface Change {
  readonly fields: Partial<Pick<DataBucket, 'name' | 'description' | 'properties'>>;
  readonly now: Date;
  readonly by: string;
  readonly ifMatch: number | undefined;
}

/** undefined when there is no such bucket, or none at that revision. */
export async function updateBucket(
  db: Db,
  id: string,
  { fields, now, by, ifMatch }: Change,
): Promise<DataBucket | undefined> {
  const { properties, ...plain } = fields;
  const row = await db
    .updateTable('data_bucket')
    .set({
      ...plain,
      ...(properties && { properties: JSON.stringify(properties) }),
      revision: sql`revision + 1`,
      updated_at: now,
      updated_by: by,
    })
    .where('id', '=', id)
    .$if(ifMatch !== undefined, (query) => query.where('revision', '=', ifMatch!))
    .returningAll()
    .executeTakeFirst();
  return row && fromRow(row);
}

/** Its objects go with it, and their blobs become garbage. */
export async function deleteBucket(db: Db, id: string): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('data_bucket').where('id', '=', id).executeTakeFirst();
  return Number(numDeletedRows);
}

export async function isDefaultBucket(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('project')
    .select('id')
    .where('default_data_bucket_id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}

function fromRow(row: Row): DataBucket {
  return {
    _id: row.id,
    projectId: row.project_id,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    createdBy: row.created_by,
    updatedBy: row.updated_by,
    revision: row.revision,
    name: row.name,
    description: row.description,
    properties: row.properties,
  };
}

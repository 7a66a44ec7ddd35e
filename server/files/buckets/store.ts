import type { DataBucket, DataBucketListQuery } from '@platen/contract/buckets';
import type { FreeForm, Page } from '@platen/contract/schema';
import { sql, type Selectable } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { selectPage, textFilter } from '../../base/database/lists.ts';
import { changedBy, madeBy, stampConditions, stampOrder, stampsOf } from '../../base/database/stamps.ts';
import type { BucketTable } from '../../base/database/schema.ts';

type Row = Selectable<BucketTable>;

const order = {
  name: 'b.name',
  description: 'b.description',
  ...stampOrder('b'),
};

export function findBuckets(
  db: Db,
  projectId: string,
  query: DataBucketListQuery,
): Promise<Page<DataBucket>> {
  return selectPage(db, {
    from: sql`data_bucket b`,
    columns: sql`b.*`,
    heavy: [sql`b.properties`],
    where: [
      sql`b.project_id = ${projectId}`,
      textFilter('b.name', query.name),
      textFilter('b.description', query.description),
      ...stampConditions('b', query),
    ],
    order,
    tieBreak: 'b.id',
    query,
    fromRow,
  });
}

/** undefined also if the bucket belongs to another project. */
export async function findBucket(db: Db, projectId: string, id: string): Promise<DataBucket | undefined> {
  const row = await db
    .selectFrom('data_bucket')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && fromRow(row);
}

/** The project of a bucket; an empty string if the bucket was just deleted. */
export async function findProjectOfBucket(db: Db, id: string): Promise<string> {
  const row = await db.selectFrom('data_bucket').select('project_id').where('id', '=', id).executeTakeFirst();
  return row?.project_id ?? '';
}

/** Keeps others from adding files until the transaction ends. */
export async function lockBucket(tx: Db, projectId: string, id: string): Promise<DataBucket | undefined> {
  await sql`select from data_bucket where id = ${id} for update`.execute(tx);
  return findBucket(tx, projectId, id);
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
      ...madeBy(bucket.createdBy, bucket.now),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return fromRow(row);
}

interface Change {
  readonly fields: Partial<Pick<DataBucket, 'name' | 'description' | 'properties'>>;
  readonly now: Date;
  readonly by: string;
}

/** undefined if there is no such bucket, or it is not at that revision. */
export async function updateBucket(db: Db, id: string, { fields, now, by }: Change): Promise<DataBucket> {
  const { properties, ...plain } = fields;
  const row = await db
    .updateTable('data_bucket')
    .set({
      ...plain,
      ...(properties && { properties: JSON.stringify(properties) }),
      ...changedBy(by, now),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return fromRow(row);
}

/** Its objects go with it. */
export async function deleteBucket(db: Db, id: string): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('data_bucket').where('id', '=', id).executeTakeFirst();
  return Number(numDeletedRows);
}

/** The id of the data bucket that came with the project. */
export async function findDefaultBucket(db: Db, projectId: string): Promise<string> {
  const row = await db
    .selectFrom('project')
    .select('default_data_bucket_id as id')
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow();
  return row.id;
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
    ...stampsOf(row),
    projectId: row.project_id,
    name: row.name,
    description: row.description,
    properties: row.properties,
  };
}

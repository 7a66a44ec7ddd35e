import type { FreeForm } from '@platen/contract/schema';
import type { Db } from '../database/database.ts';

interface NewBucketRow {
  readonly _id: string;
  readonly projectId: string;
  readonly name: string;
  readonly description: string;
  readonly properties: FreeForm;
  readonly createdBy: string;
  readonly now: Date;
}

export async function insertBucket(db: Db, bucket: NewBucketRow): Promise<void> {
  await db
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
    .execute();
}

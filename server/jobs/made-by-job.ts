import { sql } from 'kysely';
import { findBucket } from '../files/buckets/store.ts';
import type { Db } from '../base/database/database.ts';
import { findDatasource } from '../datasources/store.ts';
import type { JobRow } from './store.ts';

/** The remaining outputs of a job. */
export interface MadeByJob {
  /** The bucket of its files, if it still exists. */
  readonly bucket: { readonly _id: string; readonly createdBy: string } | undefined;
  /** Keys of the files that still have the content written by the job. */
  readonly keys: readonly string[];
  /** The datasource created by the job, if it still uses these files. */
  readonly datasource: { readonly _id: string; readonly createdBy: string } | undefined;
}

/** Locks the outputs until the transaction ends. */
export async function lockMadeBy(tx: Db, job: JobRow): Promise<MadeByJob> {
  const { outputs, project_id: projectId } = job;
  const bucketId = outputs.find(({ type }) => type === 'object')?.dataBucketId;
  // in the order of completion: datasources before files
  const datasource = await lockCreated(tx, job);
  const bucket = bucketId === undefined ? undefined : await findBucket(tx, projectId, bucketId);
  const keys = bucket ? await lockUnchanged(tx, job.id, bucket._id) : [];
  return { bucket, keys, datasource };
}

async function lockCreated(tx: Db, job: JobRow): Promise<MadeByJob['datasource']> {
  const { command } = (job.parameters['datasource'] ?? {}) as { command?: unknown };
  const id = job.outputs.find(({ type }) => type === 'datasource')?.datasourceId;
  if (command !== 'create' || id === undefined) return undefined;
  const row = await tx
    .selectFrom('datasource')
    .select(['bucket_id', 'bucket_key', 'job_ids'])
    .where('project_id', '=', job.project_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row || row.job_ids.at(-1) !== job.id) return undefined;
  const { rows } = await sql`
    select from files_of_job(${job.id}) made where made.bucket_id = ${row.bucket_id}
      and (made.key = ${row.bucket_key} or starts_with(made.key, ${row.bucket_key}::text || '/')) limit 1`.execute(
    tx,
  );
  return rows.length > 0 ? findDatasource(tx, job.project_id, id) : undefined;
}

/**
 * Locks the files that the job wrote and that have not changed since. Excludes files that another job rewrote with the
 * same content: they were last written when that job ended. Older jobs have no hashes of their files; these files must
 * have been written when the job ended.
 */
async function lockUnchanged(tx: Db, jobId: string, bucketId: string): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    with made as materialized (
      select * from files_of_job(${jobId})
    ), written as (
      select distinct o.project_id, o.updated_at from made
      join object o on o.bucket_id = ${bucketId} and o.key = made.key
    ), remade as materialized (
      select again.key from written w
      join job l on l.end_time = w.updated_at and l.project_id = w.project_id and l.task_id is not null and l.id <> ${jobId}
      cross join lateral files_of_job(l.id) again
      where again.bucket_id = ${bucketId}
    )
    select o.key from made join job j on j.id = ${jobId}
    join object o on o.bucket_id = ${bucketId} and o.key = made.key and o.size = made.size
    where o.key not in (select key from remade) and case when made.sha256 is null
      then coalesce(o.content_at, o.created_at) = j.end_time else o.sha256 = decode(made.sha256, 'hex') end
    order by o.key for update of o`.execute(tx);
  return rows.map(({ key }) => key);
}

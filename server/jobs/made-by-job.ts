import { sql } from 'kysely';
import { findBucket } from '../files/buckets/store.ts';
import type { Db } from '../base/database/database.ts';
import type { JobRow } from './store.ts';

/** The remaining outputs of a job. */
export interface MadeByJob {
  /** The bucket of its files, if it still exists. */
  readonly bucket: { readonly _id: string; readonly createdBy: string } | undefined;
  /** Keys of the files that still have the content written by the job. */
  readonly keys: readonly string[];
  /** The datasources created by the job that still use these files. */
  readonly datasources: readonly { readonly _id: string; readonly createdBy: string }[];
}

/** Locks the outputs until the transaction ends. */
export async function lockMadeBy(tx: Db, job: JobRow): Promise<MadeByJob> {
  const { outputs, project_id: projectId } = job;
  const bucketId = outputs.find(({ type }) => type === 'object')?.dataBucketId;
  // in the order of completion: datasources before files
  const datasources = await lockCreated(tx, job);
  const bucket = bucketId === undefined ? undefined : await findBucket(tx, projectId, bucketId);
  const keys = bucket ? await lockUnchanged(tx, job.id, bucket._id) : [];
  return { bucket, keys, datasources };
}

/** A job ends at the moment at which it creates its datasources. */
async function lockCreated(tx: Db, job: JobRow): Promise<MadeByJob['datasources']> {
  const ids = job.outputs.flatMap(({ datasourceId }) => datasourceId ?? []);
  if (ids.length === 0) return [];
  const { rows } = await sql<{ _id: string; createdBy: string }>`
    select d.id as _id, d.created_by as "createdBy" from datasource d
    where d.project_id = ${job.project_id} and d.id = any(${ids}::text[])
      and d.created_at = ${job.end_time} and d.job_ids[cardinality(d.job_ids)] = ${job.id}
      and exists (select from files_of_job(${job.id}) made where made.bucket_id = d.bucket_id
        and (made.key = d.bucket_key or starts_with(made.key, d.bucket_key || '/')))
    order by d.id for update of d`.execute(tx);
  return rows;
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

import type { JobOutput } from '@platen/contract/jobs';
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
  const files = outputs.filter(({ type }) => type === 'object');
  const bucketId = files[0]?.dataBucketId;
  // in the order of completion: datasources before files
  const datasource = await lockCreated(tx, job, files);
  const bucket = bucketId === undefined ? undefined : await findBucket(tx, projectId, bucketId);
  const keys = bucket ? await lockUnchanged(tx, job.id, bucket._id) : [];
  return { bucket, keys, datasource };
}

async function lockCreated(
  tx: Db,
  job: JobRow,
  files: readonly JobOutput[],
): Promise<MadeByJob['datasource']> {
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
  const showsThem = files.some(
    ({ dataBucketId, dataBucketKey = '' }) =>
      dataBucketId === row.bucket_id &&
      (dataBucketKey === row.bucket_key || dataBucketKey.startsWith(`${row.bucket_key}/`)),
  );
  return showsThem ? findDatasource(tx, job.project_id, id) : undefined;
}

/**
 * Locks the files that the job wrote and that have not changed since. Excludes files that another job rewrote with the
 * same content: they were last written when that job ended. Older jobs have no hashes of their files; these files must
 * have been written when the job ended.
 */
async function lockUnchanged(tx: Db, jobId: string, bucketId: string): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    with written as (
      select distinct o.project_id, o.updated_at from job j
      cross join json_to_recordset(j.outputs) as made (type text, "dataBucketKey" text)
      join object o on o.bucket_id = ${bucketId} and o.key = made."dataBucketKey"
      where j.id = ${jobId} and made.type = 'object'
    ), remade as materialized (
      select made."dataBucketKey" as key from written w
      join job l on l.end_time = w.updated_at and l.project_id = w.project_id and l.task_id is not null and l.id <> ${jobId}
      cross join json_to_recordset(l.outputs) as made (type text, "dataBucketId" text, "dataBucketKey" text)
      where made.type = 'object' and made."dataBucketId" = ${bucketId}
    )
    select o.key from job j
    cross join json_to_recordset(j.outputs) as made (type text, "dataBucketKey" text, size bigint, sha256 text)
    join object o on o.bucket_id = ${bucketId} and o.key = made."dataBucketKey" and o.size = made.size
    where j.id = ${jobId} and made.type = 'object' and o.key not in (select key from remade)
      and case when made.sha256 is null
      then coalesce(o.content_at, o.created_at) = j.end_time else o.sha256 = decode(made.sha256, 'hex') end
    order by o.key for update of o`.execute(tx);
  return rows.map(({ key }) => key);
}

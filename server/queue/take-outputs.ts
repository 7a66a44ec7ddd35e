import { sql } from 'kysely';
import type { Db } from '../database/database.ts';
import type { Fence } from './fence.ts';

interface Destination {
  readonly projectId: string;
  readonly bucketId: string;
  /** Ends in `/`. */
  readonly folder: string;
  readonly by: string;
  readonly now: Date;
}

/** Turns what this attempt has uploaded into files of the bucket, replacing files of the same keys. */
export async function takeOutputs(
  tx: Db,
  { jobId, attempt }: Fence,
  { projectId, bucketId, folder, by, now }: Destination,
): Promise<{ key: string; size: number }[]> {
  const { rows } = await sql<{ key: string; size: number }>`
    insert into object (project_id, bucket_id, key, blob_id, size, sha256, content_type,
      created_at, created_by, updated_at, updated_by)
    select ${projectId}::text, ${bucketId}::text, ${folder}::text || key, blob_id, size, sha256, content_type,
      ${now}::timestamptz, ${by}::text, ${now}::timestamptz, ${by}::text
    from job_output where job_id = ${jobId} and attempt = ${attempt} order by key
    on conflict (bucket_id, key) do update set blob_id = excluded.blob_id, size = excluded.size,
      sha256 = excluded.sha256, content_type = excluded.content_type,
      updated_at = excluded.updated_at, updated_by = excluded.updated_by
    returning key, size`.execute(tx);
  return rows;
}

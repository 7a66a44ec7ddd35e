import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import type { Fence } from './fence.ts';

interface Output {
  readonly key: string;
  readonly blobId: string;
  readonly size: number;
  readonly sha256: string;
  readonly contentType: string;
  readonly now: Date;
}

/**
 * For a job that the transaction has locked. The blob that a repeated upload replaces is let go of.
 * @returns the size of what it replaces, if it does; undefined when the job is no longer held
 */
export async function addOutput(
  db: Db,
  { jobId, attempt }: Fence,
  output: Output,
): Promise<{ replaced: number | null } | undefined> {
  const { rows } = await sql<{ replaced: number | null }>`
    with held as (
      select id from job where id = ${jobId} and attempt = ${attempt} and state = 'running' for share
    )
    insert into job_output (job_id, attempt, key, blob_id, size, sha256, content_type, created_at)
    select id, ${attempt}::int, ${output.key}::text, ${output.blobId}::text, ${output.size}::bigint,
      decode(${output.sha256}, 'hex'), ${output.contentType}::text, ${output.now}::timestamptz from held
    on conflict (job_id, attempt, key) do update set blob_id = excluded.blob_id, size = excluded.size,
      sha256 = excluded.sha256, created_at = excluded.created_at
    returning (select o.size from job_output o
      where o.job_id = ${jobId} and o.attempt = ${attempt} and o.key = ${output.key}) as replaced`.execute(
    db,
  );
  return rows[0];
}

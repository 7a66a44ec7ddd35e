import { sql } from 'kysely';
import type { Db } from '../database/database.ts';
import type { Fence } from './fence.ts';

interface Output {
  readonly key: string;
  readonly blobId: string;
  readonly size: number;
  readonly sha256: string;
  readonly contentType: string;
  readonly now: Date;
}

/** False when the job is no longer held. The blob that a repeated upload replaces becomes garbage. */
export async function addOutput(db: Db, { jobId, attempt }: Fence, output: Output): Promise<boolean> {
  const { rows } = await sql`
    with held as (
      select id from job where id = ${jobId} and attempt = ${attempt} and state = 'running' for share
    ), garbage as (
      insert into blob_garbage (blob_id, since)
      select o.blob_id, ${output.now}::timestamptz from job_output o join held on o.job_id = held.id
      where o.attempt = ${attempt} and o.key = ${output.key} on conflict do nothing
    )
    insert into job_output (job_id, attempt, key, blob_id, size, sha256, content_type, created_at)
    select id, ${attempt}::int, ${output.key}::text, ${output.blobId}::text, ${output.size}::bigint,
      decode(${output.sha256}, 'hex'), ${output.contentType}::text, ${output.now}::timestamptz from held
    on conflict (job_id, attempt, key) do update set blob_id = excluded.blob_id, size = excluded.size,
      sha256 = excluded.sha256, created_at = excluded.created_at
    returning job_id`.execute(db);
  return rows.length > 0;
}

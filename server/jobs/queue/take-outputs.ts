import { sql } from 'kysely';
import { allowMinutes } from '../../base/database/allow-minutes.ts';
import type { Db } from '../../base/database/database.ts';
import { Failure } from '../../base/failure.ts';
import { problemOfKey } from '../../files/objects/key.ts';
import { lockServedFrom } from '../../files/revisions/in-place.ts';
import type { Fence } from './fence.ts';

interface Destination {
  readonly projectId: string;
  readonly bucketId: string;
  /** Ends in `/`; empty for the bucket itself. */
  readonly folder: string;
  /** May files of the same keys be replaced? */
  readonly overwrite: boolean;
  readonly by: string;
  readonly now: Date;
}

/**
 * Turns what this attempt has uploaded into files of the bucket, replacing files of the same keys where that is wanted.
 * @throws Failure `unprocessable` with an error `badName` for a file whose name and folder make no valid key together,
 * `conflict` for one that may not be replaced: the transaction has to be undone then
 */
export async function takeOutputs(
  tx: Db,
  { jobId, attempt }: Fence,
  { projectId, bucketId, folder, overwrite, by, now }: Destination,
): Promise<{ key: string; size: number; sha256: Buffer }[]> {
  await lockServedFrom(tx, bucketId, folder);
  await allowMinutes(tx);
  const { rows } = await sql<{ key: string; size: number; sha256: Buffer; replaced: boolean }>`
    insert into object (project_id, bucket_id, key, blob_id, size, sha256, content_type,
      created_at, created_by, updated_at, updated_by)
    select ${projectId}::text, ${bucketId}::text, ${folder}::text || key, blob_id, size, sha256, content_type,
      ${now}::timestamptz, ${by}::text, ${now}::timestamptz, ${by}::text
    from job_output where job_id = ${jobId} and attempt = ${attempt} order by key
    on conflict (bucket_id, key) do update set blob_id = excluded.blob_id, size = excluded.size,
      sha256 = excluded.sha256, content_type = excluded.content_type,
      updated_at = excluded.updated_at, updated_by = excluded.updated_by
    returning key, size, sha256, xmax <> 0 as replaced`.execute(tx);
  for (const { key, replaced } of rows) {
    requireUsable(key, folder);
    if (replaced && !overwrite) throw existsAlready(key);
  }
  return rows;
}

function existsAlready(key: string): Failure {
  const detail = `There is a file “${key}” already: allow the job to replace it, or name another folder.`;
  return new Failure('conflict', detail);
}

/** The name was checked when it was uploaded, the folder when the task was written: together they may be too long. */
function requireUsable(key: string, folder: string): void {
  const problem = problemOfKey(key);
  if (problem === undefined) return;
  const detail = `The file “${key.slice(folder.length)}” of the job cannot be stored in the folder “${folder}”: ${problem}`;
  throw new Failure('unprocessable', detail, { errors: [{ pointer: 'key', code: 'badName', detail }] });
}

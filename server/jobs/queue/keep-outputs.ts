import {
  type JobOutput,
  type JobOutputFiles,
  maxOutputBytesInJob,
  maxOutputsInJob,
} from '@platen/contract/jobs';
import { type RawBuilder, sql } from 'kysely';
import { extendStatementTimeout } from '../../base/database/extend-statement-timeout.ts';
import type { Db } from '../../base/database/database.ts';
import { Failure } from '../../base/failure.ts';
import { problemOfKey } from '../../files/objects/key.ts';
import { lockServedFrom } from '../../files/revisions/restore-files.ts';
import { outputsPerPage } from '../outputs.ts';
import type { Fence } from './fence.ts';

interface OutputDestination {
  readonly projectId: string;
  readonly bucketId: string;
  /** Ends in `/`; empty for the bucket itself. */
  readonly folder: string;
  /** Whether existing files may be replaced. */
  readonly overwrite: boolean;
  readonly by: string;
  readonly now: Date;
}

interface KeptOutputs {
  /** The first files, by key. */
  readonly outputs: JobOutput[];
  /** All of them; undefined if there are none. */
  readonly files: JobOutputFiles | undefined;
}

/**
 * Turns the outputs of this attempt into files of the bucket, replacing existing files if that is allowed, and records
 * them with the job.
 * @throws Failure `unprocessable` with an error `badName` if folder and name do not form a valid key, `conflict` if a file exists and may not be replaced: the transaction must then be rolled back
 */
export async function keepOutputs(
  tx: Db,
  fence: Fence,
  { projectId, bucketId, folder, overwrite, by, now }: OutputDestination,
): Promise<KeptOutputs> {
  await lockServedFrom(tx, bucketId, folder);
  await extendStatementTimeout(tx);
  await requireValidKeys(tx, fence, folder);
  const { rows } = await sql<{ count: number; bytes: number; replaced: string | null }>`
    with written as (
      insert into object (project_id, bucket_id, key, blob_id, size, sha256, content_type,
        created_at, created_by, updated_at, updated_by)
      select ${projectId}::text, ${bucketId}::text, ${folder}::text || key, blob_id, size, sha256, content_type,
        ${now}::timestamptz, ${by}::text, ${now}::timestamptz, ${by}::text
      from ${outputsOf(fence)} order by key
      on conflict (bucket_id, key) do update set blob_id = excluded.blob_id, size = excluded.size,
        sha256 = excluded.sha256, content_type = excluded.content_type,
        updated_at = excluded.updated_at, updated_by = excluded.updated_by
      returning key, size, xmax <> 0 as replaced
    )
    select count(*)::int as count, coalesce(sum(size), 0)::bigint as bytes, min(key) filter (where replaced) as replaced
    from written`.execute(tx);
  const { count, bytes, replaced } = rows[0]!;
  if (replaced !== null && !overwrite) throw keyExists(replaced);
  const named = { bucketId, folder, isWhole: count <= maxOutputsInJob };
  if (!named.isWhole) await writePages(tx, fence, named);
  return {
    outputs: await findFirst(tx, fence, named),
    files: count === 0 ? undefined : { dataBucketId: bucketId, folder, count, bytes },
  };
}

const outputsOf = ({ jobId, attempt }: Fence) =>
  sql`(select * from job_output where job_id = ${jobId} and attempt = ${attempt}) as made`;

interface NamedOutputs {
  readonly bucketId: string;
  readonly folder: string;
  /** Whether the row of the job names all of them. */
  readonly isWhole: boolean;
}

/** SQL for an output as the API shows it. */
const outputJson = ({ bucketId, folder }: NamedOutputs, sha256: RawBuilder<unknown>) =>
  sql`json_strip_nulls(json_build_object('type', 'object', 'dataBucketId', ${bucketId}::text,
    'dataBucketKey', ${folder}::text || key, 'size', size, 'sha256', ${sha256}))`;
const hexOfHash = sql`encode(sha256, 'hex')`;

async function findFirst(tx: Db, fence: Fence, named: NamedOutputs): Promise<JobOutput[]> {
  const hash = named.isWhole ? hexOfHash : sql`null`;
  const { rows } = await sql<{ output: JobOutput }>`
    select ${outputJson(named, hash)} as output from ${outputsOf(fence)} order by key limit ${maxOutputsInJob}`.execute(
    tx,
  );
  const outputs = rows.map(({ output }) => output);
  if (named.isWhole) return outputs;
  let bytes = 0; // each names the folder, whose name may be long
  return outputs.filter(
    (output) => (bytes += Buffer.byteLength(JSON.stringify(output))) <= maxOutputBytesInJob,
  );
}

async function writePages(tx: Db, fence: Fence, named: NamedOutputs): Promise<void> {
  await sql`
    insert into job_output_page (job_id, page, outputs)
    select ${fence.jobId}, (n - 1) / ${outputsPerPage}::int, json_agg(${outputJson(named, hexOfHash)} order by n)
    from (select *, row_number() over (order by key) as n from ${outputsOf(fence)}) numbered group by 2`.execute(
    tx,
  );
}

function keyExists(key: string): Failure {
  const detail = `The file “${key}” already exists. Allow the job to replace it, or choose another folder.`;
  return new Failure('conflict', detail);
}

/** Folder and names were checked separately; together they may be too long. */
async function requireValidKeys(tx: Db, fence: Fence, folder: string): Promise<void> {
  const { rows } = await sql<{ key: string }>`
    select key from ${outputsOf(fence)} order by octet_length(key) desc, key limit 1`.execute(tx);
  const [first] = rows;
  const problem = first && problemOfKey(folder + first.key);
  if (problem === undefined) return;
  const detail = `The file “${first!.key}” of the job cannot be stored in the folder “${folder}”: ${problem}`;
  throw new Failure('unprocessable', detail, { errors: [{ pointer: 'key', code: 'badName', detail }] });
}

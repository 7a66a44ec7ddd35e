import { sql } from 'kysely';
import type { Caller } from '../../base/caller.ts';
import type { Context } from '../../base/context.ts';
import { allowMinutes } from '../../base/database/allow-minutes.ts';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { Failure } from '../../base/failure.ts';
import { newId } from '../../base/ids.ts';
import { keepBlob } from '../../files/objects/blobs.ts';
import { contentTypeOf } from '../../files/objects/content-type.ts';
import { keyOf, problemOfKey } from '../../files/objects/key.ts';
import { lockServedFrom } from '../../files/revisions/in-place.ts';
import { endReservation, releaseOfJob } from '../../files/usage/reserve.ts';
import { type Room, openRoom } from '../../files/usage/room.ts';
import { fenceOf } from '../runners/authorise-runner.ts';
import { type Fence, leaseLost, lockHeld } from './lease.ts';

interface IncomingOutput {
  readonly key: string;
  readonly body: AsyncIterable<Uint8Array>;
  /** As the runner declares it; undefined: it comes in chunks. */
  readonly bytes?: number | undefined;
  readonly signal: AbortSignal;
}

/** Bytes first, then the row; a blob whose row was not written is for the sweeper. */
export async function takeOutput(
  context: Context,
  caller: Caller,
  { key: raw, ...incoming }: IncomingOutput,
): Promise<{ size: number; sha256: string }> {
  const { db } = context;
  const fence = fenceOf(caller);
  const key = keyOf(raw, 'key');
  const job = await lockHeld(db, fence);
  if (!job) throw leaseLost();
  await dropOutput(db, fence, key);
  const { bytes = 0 } = incoming;
  const place = { projectId: job.project_id, jobId: job.id };
  const room = await openRoom(context, place, { atLeast: bytes, atMost: bytes });
  try {
    return await storeOutput(context, fence, { key, room, ...incoming });
  } finally {
    await room.end();
  }
}

async function storeOutput(
  { db, store, now }: Context,
  fence: Fence,
  { key, room, body, signal }: IncomingOutput & { room: Room },
): Promise<{ size: number; sha256: string }> {
  await room.begin();
  const ownId = newId(now());
  const { size, sha256 } = await store.put(ownId, room.measure(body), { signal });
  const blobId = await inTransaction(db, async (tx) => {
    const job = await lockHeld(tx, fence);
    if (!job) return undefined;
    const blob = { id: ownId, projectId: job.project_id, size, sha256, now: now() };
    const id = await keepBlob(tx, blob);
    await room.spend(tx, size);
    const output = { key, blobId: id, size, sha256, contentType: contentTypeOf(key), now: now() };
    const added = await addOutput(tx, fence, output);
    if (added?.replaced != null) await releaseOfJob(tx, fence.jobId, added.replaced);
    return added && id;
  });
  if (blobId !== ownId) await store.remove(ownId);
  if (blobId === undefined) throw leaseLost();
  return { size, sha256 };
}

interface UploadedOutput {
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
  output: UploadedOutput,
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

/** Forgets what attempts have uploaded; a trigger makes their blobs garbage, but for those that became objects. */
export async function dropOutputs(tx: Db, jobId: string): Promise<void> {
  await sql`delete from job_output where job_id = ${jobId}`.execute(tx);
  await endReservation(tx, jobId);
}

/**
 * What comes again takes no more room than what comes: the file of this key that came before makes way for it first. The
 * two of them may not fit into a quota together.
 */
export async function dropOutput(db: Db, { jobId, attempt }: Fence, key: string): Promise<void> {
  await sql`
    with held as (
      select id from job where id = ${jobId} and attempt = ${attempt} and state = 'running' for no key update
    ), gone as (
      delete from job_output o using held where o.job_id = held.id and o.attempt = ${attempt} and o.key = ${key}
      returning o.size
    ), freed as (
      update reservation r set bytes = greatest(0, r.bytes - gone.size), objects = greatest(0, r.objects - 1)
      from gone where r.id = ${jobId}
    )
    select from gone`.execute(db);
}

interface OutputDestination {
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
  { projectId, bucketId, folder, overwrite, by, now }: OutputDestination,
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
    requireValidKey(key, folder);
    if (replaced && !overwrite) throw keyExists(key);
  }
  return rows;
}

function keyExists(key: string): Failure {
  const detail = `There is a file “${key}” already: allow the job to replace it, or name another folder.`;
  return new Failure('conflict', detail);
}

/** The name was checked when it was uploaded, the folder when the task was written: together they may be too long. */
function requireValidKey(key: string, folder: string): void {
  const problem = problemOfKey(key);
  if (problem === undefined) return;
  const detail = `The file “${key.slice(folder.length)}” of the job cannot be stored in the folder “${folder}”: ${problem}`;
  throw new Failure('unprocessable', detail, { errors: [{ pointer: 'key', code: 'badName', detail }] });
}

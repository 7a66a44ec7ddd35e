import type { StoredObject } from '@platen/storage/stored-object';
import { sql } from 'kysely';
import type { Caller } from '../../base/caller.ts';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { newId } from '../../base/ids.ts';
import { keepBlob } from '../../files/objects/blobs.ts';
import { contentTypeOf } from '../../files/objects/content-type.ts';
import { keyOf } from '../../files/objects/key.ts';
import { endReservation, releaseOfJob } from '../../files/usage/reserve.ts';
import { type QuotaReservation, reserveQuota } from '../../files/usage/quota-reservation.ts';
import { fenceOf } from '../runners/authorise-runner.ts';
import type { Fence } from './fence.ts';
import type { JobRow } from '../store.ts';
import { leaseLost, lockHeld } from './lease.ts';

interface IncomingOutput {
  readonly key: string;
  readonly body: AsyncIterable<Uint8Array>;
  /** The size declared by the runner in bytes; undefined for a chunked body. */
  readonly bytes?: number | undefined;
  readonly signal: AbortSignal;
}

/** Stores an output: first the bytes, then the row. The cleaner removes blobs whose row was not written. */
export async function takeOutput(
  context: Context,
  caller: Caller,
  { key: raw, ...incoming }: IncomingOutput,
): Promise<StoredObject> {
  const { db } = context;
  const fence = fenceOf(caller);
  const key = keyOf(raw, 'key');
  const job = await lockHeld(db, fence);
  if (!job) throw leaseLost();
  await dropOutput(db, fence, key);
  const { bytes = 0 } = incoming;
  const place = { projectId: job.project_id, jobId: job.id };
  const reservation = await reserveQuota(context, place, { minBytes: bytes, maxBytes: bytes });
  try {
    return await storeOutput(context, fence, { key, reservation, ...incoming });
  } finally {
    await reservation.release();
  }
}

async function storeOutput(
  context: Context,
  fence: Fence,
  { key, reservation, body, signal }: IncomingOutput & { reservation: QuotaReservation },
): Promise<StoredObject> {
  await reservation.reserveFile();
  const ownId = newId(context.now());
  const stored = await context.store.put(ownId, reservation.meter(body), { signal });
  await registerOutput(context, fence, {
    key,
    ownId,
    ...stored,
    settle: (tx) => reservation.commit(tx, stored.size),
  });
  return stored;
}

interface StoredOutput extends StoredObject {
  readonly key: string;
  /** Of the object in the store. */
  readonly ownId: string;
  /** Turns reserved quota into used quota. */
  readonly settle: (tx: Db, job: JobRow) => Promise<void>;
}

/** Gives a durable output its row. @throws Failure `conflict` when the job is no longer held: the bytes are gone then */
export async function registerOutput(
  { db, store, now }: Context,
  fence: Fence,
  { key, ownId, size, sha256, settle }: StoredOutput,
): Promise<void> {
  const blobId = await inTransaction(db, async (tx) => {
    const job = await lockHeld(tx, fence);
    if (!job) return undefined;
    const blob = { id: ownId, projectId: job.project_id, size, sha256, now: now() };
    const id = await keepBlob(tx, blob);
    await settle(tx, job);
    const output = { key, blobId: id, size, sha256, contentType: contentTypeOf(key), now: now() };
    const added = await addOutput(tx, fence, output);
    if (added?.replaced != null) await releaseOfJob(tx, fence.jobId, added.replaced);
    return added && id;
  });
  if (blobId !== ownId) await store.remove(ownId);
  if (blobId === undefined) throw leaseLost();
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
 * Adds an output of a job that the transaction has locked. A repeated upload releases the previous blob.
 * @returns the size of the replaced output, if any; undefined when the job is no longer held
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

/**
 * Deletes the uploaded outputs of a job. A trigger turns their blobs into garbage unless they became objects; the
 * sweeper removes the bytes of those that have not arrived whole.
 */
export async function dropOutputs(tx: Db, jobId: string): Promise<void> {
  await sql`
    with unfinished as (delete from upload where job_id = ${jobId})
    delete from job_output where job_id = ${jobId}`.execute(tx);
  await endReservation(tx, jobId);
}

/** Deletes the earlier upload of this key first, so that a repeated upload never needs quota for both. */
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

/** In bytes; undefined if this attempt has not stored it. */
export async function findOutputSize(
  db: Db,
  { jobId, attempt }: Fence,
  key: string,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('job_output')
    .select('size')
    .where('job_id', '=', jobId)
    .where('attempt', '=', attempt)
    .where('key', '=', key)
    .executeTakeFirst();
  return row?.size;
}

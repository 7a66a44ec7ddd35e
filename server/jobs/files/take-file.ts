import { maxJobFileBytes, maxJobFiles } from '@platen/contract/job-files';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { Failure } from '../../base/failure.ts';
import type { Caller } from '../../base/caller.ts';
import { newId } from '../../base/ids.ts';
import { keepBlob, type NewBlob } from '../../files/objects/blobs.ts';
import { contentTypeOf } from '../../files/objects/content-type.ts';
import type { Fence } from '../queue/fence.ts';
import { leaseLost, lockHeld } from '../queue/lease.ts';
import { fenceOf } from '../runners/authorise-runner.ts';
import { reserveQuota, type QuotaReservation } from '../../files/usage/quota-reservation.ts';
import { countOtherFiles, dropJobFile, insertJobFile, setRejected } from './store.ts';

interface Incoming {
  readonly name: string;
  readonly rejected?: number | undefined;
  readonly body: AsyncIterable<Uint8Array>;
  /** The size declared by the runner in bytes; undefined for a chunked body. */
  readonly bytes?: number | undefined;
  readonly signal: AbortSignal;
}

/**
 * Stores a file of the job: first the bytes, then the row. The cleaner removes blobs whose row was not written. Only
 * the holder of the job may do this.
 */
export async function takeJobFile(
  context: Context,
  caller: Caller,
  incoming: Incoming,
): Promise<{ size: number; sha256: string }> {
  const fence = fenceOf(caller);
  const { name, bytes = 0 } = incoming;
  if (bytes > maxJobFileBytes) throw tooLarge();
  const job = await lockHeld(context.db, fence);
  if (!job) throw leaseLost();
  await requireFewFiles(context.db, job.id, name);
  const reservation = await reserveQuota(
    context,
    { projectId: job.project_id },
    { minBytes: bytes, maxBytes: bytes },
  );
  try {
    return await storeFile(context, fence, { ...incoming, reservation });
  } finally {
    await reservation.release();
  }
}

async function storeFile(
  { db, store, now }: Context,
  fence: Fence,
  { name, rejected, body, signal, reservation }: Incoming & { reservation: QuotaReservation },
): Promise<{ size: number; sha256: string }> {
  await reservation.reserveFile();
  const id = newId(now());
  const { size, sha256 } = await store.put(id, reservation.meter(limited(body)), { signal });
  try {
    const kept = await inTransaction(db, async (tx) => {
      const job = await lockHeld(tx, fence);
      if (!job) throw leaseLost();
      await reservation.commit(tx, size);
      const blob = { id, projectId: job.project_id, size, sha256, now: now() };
      const blobId = await keepFile(tx, fence, name, blob);
      if (rejected !== undefined) await setRejected(tx, fence.jobId, rejected);
      return blobId;
    });
    if (kept !== id) await store.remove(id);
  } catch (error) {
    if (error instanceof Failure) await store.remove(id);
    throw error;
  }
  return { size, sha256 };
}

/** The job must be locked, so that concurrent uploads cannot exceed the limit. */
async function keepFile(tx: Db, { jobId, attempt }: Fence, name: string, blob: NewBlob): Promise<string> {
  await requireFewFiles(tx, jobId, name);
  await dropJobFile(tx, jobId, name); // first, because the old blob must not be reused for equal content
  const blobId = await keepBlob(tx, blob);
  await insertJobFile(tx, {
    project_id: blob.projectId,
    job_id: jobId,
    name,
    attempt,
    blob_id: blobId,
    size: blob.size,
    sha256: Buffer.from(blob.sha256, 'hex'),
    content_type: contentTypeOf(name),
    created_at: blob.now,
  });
  return blobId;
}

async function requireFewFiles(db: Db, jobId: string, name: string): Promise<void> {
  if ((await countOtherFiles(db, jobId, name)) < maxJobFiles) return;
  throw new Failure('unprocessable', `A job can have at most ${maxJobFiles} files besides its outputs.`);
}

async function* limited(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maxJobFileBytes) throw tooLarge();
    yield chunk;
  }
}

const tooLarge = () =>
  new Failure('too_large', `A file of a job can have at most ${maxJobFileBytes / 2 ** 20} MiB.`);

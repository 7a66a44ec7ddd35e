import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { notify } from '../../base/database/notifications.ts';
import type { Context } from '../../base/context.ts';
import { Failure } from '../../base/failure.ts';
import { newId } from '../../base/ids.ts';
import { fileStored } from '../hooks.ts';
import { lockServing } from '../revisions/restore-files.ts';
import { reserveQuota, type QuotaReservation } from '../usage/quota-reservation.ts';
import type { Arrival } from './arrival.ts';
import { keepBlob } from './blobs.ts';
import { contentTypeOf } from './content-type.ts';
import { insertObject, upsertObject, type ObjectFile } from './store.ts';

/** Bytes that are durable in the store already. */
export interface StoredBytes {
  readonly blobId: string;
  /** In bytes. */
  readonly size: number;
  /** 64 hexadecimal digits. */
  readonly sha256: string;
}

interface Incoming extends Arrival {
  readonly body: AsyncIterable<Uint8Array>;
  readonly signal?: AbortSignal;
  /** Reservation of the whole request, if it contains several files. */
  readonly reservation?: QuotaReservation;
}

/**
 * Stores a file. Bytes first (hashed and synced), then the row: a crash in between leaves a blob for the clean-up,
 * never a row without bytes.
 * @throws Failure `conflict` if a file of this key exists and must not be replaced, `storage_full` above the project's quota, `too_large` above the maximum file size
 */
export async function ingest(context: Context, incoming: Incoming): Promise<ObjectFile> {
  const { body, signal, reservation, ...arrival } = incoming;
  if (!reservation) return inOwnReservation(context, incoming);
  await reservation.reserveFile();
  const blobId = newId(context.now());
  const { size, sha256 } = await context.store.put(blobId, reservation.meter(body), { signal });
  const bytes = { blobId, size, sha256 };
  try {
    const file = await register(context, arrival, bytes, (tx) => reservation.commit(tx, size));
    reservation.afterCommit(size);
    return file;
  } catch (error) {
    if (isRefusal(error)) await context.store.remove(blobId);
    throw error;
  }
}

async function inOwnReservation(context: Context, incoming: Incoming): Promise<ObjectFile> {
  const reservation = await reserveQuota(context, incoming);
  try {
    return await ingest(context, { ...incoming, reservation });
  } finally {
    await reservation.release();
  }
}

/**
 * Makes a file of bytes that are stored already; where it is refused, they are the caller's to remove.
 * @param alongside what else is written in the same transaction, before the file; it may be tried more than once
 * @throws Failure `conflict` as `ingest` does
 */
export async function register(
  context: Context,
  arrival: Arrival,
  bytes: StoredBytes,
  alongside: (tx: Db) => Promise<void> = async () => {},
): Promise<ObjectFile> {
  const { db, store, now } = context;
  const { projectId, bucketId, key, overwrite } = arrival;
  const at = now();
  const file = await inTransaction(db, async (tx) => {
    await alongside(tx);
    const blobId = await keepBlob(tx, { ...bytes, id: bytes.blobId, projectId, now: at });
    const row = { ...arrival, ...bytes, blobId, contentType: contentTypeOf(key), now: at };
    await notify(tx, 'objectsChanged', bucketId);
    if (!overwrite) {
      const inserted = await insertObject(tx, row);
      if (!inserted) throw existsAlready(key);
      return inserted;
    }
    await lockServing(tx, { bucketId, key, now: at });
    const written = await upsertObject(tx, row);
    if (written.replaced) await notify(tx, 'accessChanged', `bucket:${bucketId}`);
    return written.file;
  });
  // the project has the same bytes already; where the storage is away just now, the sweeper removes these
  if (file.blobId !== bytes.blobId) await store.remove(bytes.blobId).catch(() => {});
  void fileStored.announce(context, arrival);
  return file;
}

/** The row surely was not written; after a lost connection the sweeper decides. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Failure || (error as { code?: string }).code === '23503';
}

export function existsAlready(key: string): Failure {
  return new Failure('conflict', `The file “${key}” already exists. Send overwrite=true to replace it.`);
}

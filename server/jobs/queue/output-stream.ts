import { hash } from 'node:crypto';
import { maxOutputFiles, maxStreamedFileBytes } from '@platen/contract/runner-outputs';
import { readTarStream } from '@platen/formats/tar/read-tar-stream';
import type { TarEntry } from '@platen/formats/tar/read-tar';
import { TarError } from '@platen/formats/tar/tar-header';
import type { NewObject, ObjectStore } from '@platen/storage/object-store';
import { sql } from 'kysely';
import type { Caller } from '../../base/caller.ts';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { Failure, invalidAt } from '../../base/failure.ts';
import { newId } from '../../base/ids.ts';
import { keepBlobs, type NewBlob } from '../../files/objects/blobs.ts';
import { contentTypeOf } from '../../files/objects/content-type.ts';
import { keyOf } from '../../files/objects/key.ts';
import { type QuotaReservation, reserveQuota } from '../../files/usage/quota-reservation.ts';
import { requireFileSize } from '../../files/usage/refusal.ts';
import { fenceOf } from '../runners/authorise-runner.ts';
import type { Fence } from './fence.ts';
import { leaseLost, lockHeld } from './lease.ts';

/** After this many files or bytes, they are made durable and get their rows: the next attempt to send begins there. */
const maxFilesPerBatch = 10_000;
const maxBytesPerBatch = 256 * 2 ** 20;
/** A slow batch ends after this time, long before the sweeper takes its files for orphans, which is after an hour. */
const maxBatchMs = 10 * 60_000;
const rowsPerStatement = 1000;

interface OutputStream {
  /** The number of files that the attempt has stored before. */
  readonly first: number;
  /** A tar archive. */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Stores small output files that arrive as one archive. Files that arrived whole stay if the archive is cut off.
 * @throws Failure `invalid` for a damaged archive, `unprocessable` for names that cannot be stored, `unavailable` if
 * another request has stored files meanwhile, `storage_full`, `conflict` when the job is no longer held
 */
export async function takeOutputStream(
  context: Context,
  caller: Caller,
  { first, body }: OutputStream,
): Promise<{ files: number }> {
  const fence = fenceOf(caller);
  const job = await lockHeld(context.db, fence);
  if (!job) throw leaseLost();
  const projectId = job.project_id;
  const reservation = await reserveQuota(context, { projectId, jobId: job.id });
  const entries = readTarStream(body, maxStreamedFileBytes);
  let files = first;
  try {
    for (;;) {
      const batch: Batch = { projectId, files: [], blobs: new Map(), bytes: 0, isLast: false };
      await storeBatch(context, { batch, entries, reservation, first: files });
      await registerBatch(context, fence, { batch, reservation, first: files });
      files += batch.files.length;
      if (batch.error !== undefined) throw batch.error;
      if (batch.isLast) return { files };
    }
  } finally {
    await entries.return(undefined);
    await reservation.release();
  }
}

interface Batch {
  readonly projectId: string;
  readonly files: StreamedFile[];
  /** By their SHA-256: equal files of a batch share one. */
  readonly blobs: Map<string, NewBlob>;
  bytes: number;
  isLast: boolean;
  /** The reason why the stream ended early. */
  error?: unknown;
}

interface StreamedFile {
  readonly key: string;
  readonly blob: NewBlob;
}

interface Storing {
  readonly batch: Batch;
  readonly entries: AsyncGenerator<TarEntry>;
  readonly reservation: QuotaReservation;
  readonly first: number;
}

/** Writes the next files to the object store, where they stay without rows yet. */
async function storeBatch({ store, settings, now }: Context, storing: Storing): Promise<void> {
  const { batch, entries, reservation, first } = storing;
  const endMs = now().getTime() + maxBatchMs;
  const isFull = () =>
    batch.files.length >= maxFilesPerBatch || batch.bytes >= maxBytesPerBatch || now().getTime() >= endMs;
  const newObjects = async function* (): AsyncGenerator<NewObject> {
    while (!isFull()) {
      const entry = await nextFile(entries, batch);
      if (!entry) return;
      const { content } = entry;
      const key = outputKey(entry.name);
      if (first + batch.files.length >= maxOutputFiles) throw tooManyFiles();
      requireFileSize(content.length, settings.maxFileBytes);
      const objects = batch.files.length + 1;
      await reservation.reserveFiles({ bytes: batch.bytes + content.length, objects });
      const sha256 = hash('sha256', content);
      const known = batch.blobs.get(sha256);
      const size = content.length;
      const blob = known ?? { id: newId(now()), projectId: batch.projectId, size, sha256, now: now() };
      batch.files.push({ key, blob });
      batch.bytes += size;
      if (known) continue;
      batch.blobs.set(sha256, blob);
      yield { id: blob.id, bytes: content };
    }
  };
  try {
    await store.putAll(newObjects());
  } catch (error) {
    await removeAll(store, batch.blobs.values());
    throw error;
  }
}

/** The next file of the archive; undefined at its end, or if the request has been interrupted. */
async function nextFile(entries: AsyncGenerator<TarEntry>, batch: Batch): Promise<TarEntry | undefined> {
  try {
    const { done, value } = await entries.next();
    if (!done && value.type !== 'file')
      throw invalidAt('body', `“${value.name}” is a ${value.type}, not a file.`);
    batch.isLast = done === true;
    return done ? undefined : value;
  } catch (error) {
    batch.error = error instanceof TarError ? invalidAt('body', error.message) : error;
    return undefined;
  }
}

interface Registration {
  readonly batch: Batch;
  readonly reservation: QuotaReservation;
  readonly first: number;
}

/** Gives durable files their rows, all of them or none. */
async function registerBatch(
  { db, store }: Context,
  fence: Fence,
  { batch, reservation, first }: Registration,
): Promise<void> {
  const { files, bytes } = batch;
  const blobs = [...batch.blobs.values()];
  if (files.length === 0) return;
  try {
    const kept = await inTransaction(db, async (tx) => {
      if (!(await lockHeld(tx, fence))) throw leaseLost();
      await requireCount(tx, fence, first);
      const ids = await keepBlobs(tx, blobs);
      for (let i = 0; i < files.length; i += rowsPerStatement)
        await addOutputs(tx, fence, { files: files.slice(i, i + rowsPerStatement), ids });
      await reservation.commit(tx, bytes, files.length);
      return ids;
    });
    reservation.afterCommit(bytes, files.length);
    await removeAll(
      store,
      blobs.filter(({ id }) => kept.get(id) !== id),
    );
  } catch (error) {
    if (error instanceof Failure) await removeAll(store, blobs); // otherwise the transaction may have been committed
    throw error;
  }
}

/** An earlier request whose connection broke may still store files that this one sends again. */
async function requireCount(tx: Db, fence: Fence, expected: number): Promise<void> {
  const files = await countOutputs(tx, fence);
  if (files === expected) return;
  const detail = `The job has stored ${files} files, not ${expected}. Send those that come after them.`;
  throw new Failure('unavailable', detail, { retryAfterSeconds: 1 });
}

async function countOutputs(db: Db, { jobId, attempt }: Fence): Promise<number> {
  const { rows } = await sql<{ files: number }>`
    select count(*)::int as files from job_output where job_id = ${jobId} and attempt = ${attempt}`.execute(
    db,
  );
  return rows[0]!.files;
}

/** The number of files that this attempt has stored. */
export async function countStoredOutputs({ db }: Context, caller: Caller): Promise<{ files: number }> {
  return { files: await countOutputs(db, fenceOf(caller)) };
}

/** @throws Failure `unprocessable` with an error `badName` if a name occurs twice */
async function addOutputs(
  tx: Db,
  { jobId, attempt }: Fence,
  { files, ids }: { files: readonly StreamedFile[]; ids: ReadonlyMap<string, string> },
): Promise<void> {
  const { rows } = await sql<{ key: string }>`
    insert into job_output (job_id, attempt, key, blob_id, size, sha256, content_type, created_at)
    select ${jobId}::text, ${attempt}::int, f.key, f.blob_id, f.size, f.sha256, f.content_type, f.created_at
    from unnest(${files.map(({ key }) => key)}::text[], ${files.map(({ blob }) => ids.get(blob.id)!)}::text[],
      ${files.map(({ blob }) => blob.size)}::bigint[],
      ${files.map(({ blob }) => Buffer.from(blob.sha256, 'hex'))}::bytea[],
      ${files.map(({ key }) => contentTypeOf(key))}::text[], ${files.map(({ blob }) => blob.now)}::timestamptz[])
      as f (key, blob_id, size, sha256, content_type, created_at)
    on conflict do nothing returning key`.execute(tx);
  if (rows.length === files.length) return;
  const added = new Set(rows.map(({ key }) => key));
  const twice = files.find(({ key }) => !added.delete(key))!;
  throw badName(
    `The job wrote two files named “${twice.key}”: their names differ only in how they encode accents.`,
  );
}

/** @throws Failure `unprocessable` with an error `badName` */
function outputKey(name: string): string {
  try {
    return keyOf(name, 'name');
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw badName(`The file “${name}” of the job cannot be stored: ${error.errors[0]!.detail}`);
  }
}

const badName = (detail: string) =>
  new Failure('unprocessable', detail, { errors: [{ pointer: 'name', code: 'badName', detail }] });

function tooManyFiles(): Failure {
  const detail = `The job wrote more than ${maxOutputFiles.toLocaleString('en')} files. Write an archive instead.`;
  return new Failure('unprocessable', detail, {
    errors: [{ pointer: 'body', code: 'tooManyFiles', detail }],
  });
}

/** Removes blobs without rows; the cleaner removes what is left. */
async function removeAll(store: ObjectStore, blobs: Iterable<NewBlob>): Promise<void> {
  const waiting = Iterator.from(blobs);
  const removeSome = async (): Promise<void> => {
    for (const { id } of waiting) await store.remove(id).catch(() => {});
  };
  await Promise.all(Array.from({ length: 16 }, removeSome));
}

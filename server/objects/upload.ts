import type { UploadedFile } from '@platen/contract/objects';
import type { BucketPath } from '../buckets/operations.ts';
import type { Context } from '../context.ts';
import { inTransaction } from '../database/database.ts';
import { notify } from '../database/notifications.ts';
import { Failure } from '../failure.ts';
import { failureOf, problemOf } from '../http/problem.ts';
import type { Caller } from '../iam/caller.ts';
import { newId } from '../ids.ts';
import { forgetServed } from '../serving/forget.ts';
import { contentTypeOf } from './content-type.ts';
import { keyOf } from './key.ts';
import { findObject, insertObject, upsertObject, type ObjectFile } from './store.ts';

/** One file on its way in. */
export interface IncomingFile {
  /** The key it is to have, as it was sent. */
  readonly name: string;
  readonly body: AsyncIterable<Uint8Array>;
  /** Reads what is left of the body and throws it away, so that the next file can come. */
  drain(): Promise<void>;
}

interface Upload extends BucketPath {
  readonly files: AsyncIterable<IncomingFile>;
  readonly overwrite: boolean;
  /** Aborts when the client has gone: then nothing more is stored and nobody is told. */
  readonly signal: AbortSignal;
  readonly requestId: string;
  readonly path: string;
}

/**
 * Stores the files one after the other; each is durable, row and bytes, before its status is noted.
 * @returns the files when at least one failed, nothing when all were stored
 * @throws Failure the first file's when none was stored, `invalid` when there was none
 */
export async function uploadFiles(
  context: Context,
  caller: Caller,
  upload: Upload,
): Promise<UploadedFile[] | undefined> {
  const reports: UploadedFile[] = [];
  const failures: Failure[] = [];
  const refuse = (name: string, error: unknown) => {
    upload.signal.throwIfAborted();
    const failure = failureOf(error);
    if (failure.code === 'internal') throw error;
    failures.push(failure);
    const problem = problemOf(failure, upload.path, upload.requestId);
    reports.push({ name, status: problem.status, problem });
  };
  try {
    for await (const file of upload.files) {
      try {
        const { key } = await storeFile(context, caller, upload, file);
        reports.push({ name: file.name, status: 204, dataBucketKey: key });
      } catch (error) {
        refuse(file.name, error);
        await file.drain();
      }
    }
  } catch (error) {
    // the form itself broke off: what came before it is stored, and the report says so
    const last = reports.at(-1);
    if (!last || last.status === 204) refuse('', error);
    else upload.signal.throwIfAborted();
  }
  if (reports.length === 0) throw new Failure('invalid', 'The form data contains no file.');
  if (failures.length === reports.length) throw failures[0]!;
  return failures.length > 0 ? reports : undefined;
}

async function storeFile(
  context: Context,
  caller: Caller,
  { projectId, dataBucketId: bucketId, overwrite, signal }: Upload,
  file: IncomingFile,
): Promise<ObjectFile> {
  const key = keyOf(file.name, 'file');
  if (!overwrite && (await findObject(context.db, bucketId, key))) throw existsAlready(key);
  const path = { projectId, bucketId, key };
  return storeObject(context, { ...path, by: caller.userId, overwrite, body: file.body, signal });
}

interface NewFile {
  readonly projectId: string;
  readonly bucketId: string;
  readonly key: string;
  readonly by: string;
  readonly overwrite: boolean;
  readonly body: AsyncIterable<Uint8Array>;
  readonly signal?: AbortSignal;
}

/**
 * Bytes first (hashed and synced), then the row: a crash in between leaves a blob for the sweeper, never a row without bytes.
 * @throws Failure `conflict` when there is a file of this key and it may not be replaced
 */
export async function storeObject(context: Context, file: NewFile): Promise<ObjectFile> {
  const { db, store, now, notifications } = context;
  const blobId = newId(now());
  const { size, sha256 } = await store.put(blobId, file.body, { signal: file.signal });
  try {
    const contentType = contentTypeOf(file.key);
    const { projectId, bucketId, key, by, overwrite } = file;
    const row = { projectId, bucketId, key, by, blobId, size, sha256, contentType, now: now() };
    if (!overwrite) {
      const inserted = await insertObject(db, row);
      if (!inserted) throw existsAlready(key);
      return inserted;
    }
    const { file: stored, replaced } = await inTransaction(db, async (tx) => {
      const written = await upsertObject(tx, row);
      if (written.replaced) await notify(tx, 'accessChanged', `bucket:${bucketId}`);
      return written;
    });
    if (replaced) forgetServed(notifications, bucketId);
    return stored;
  } catch (error) {
    // only where the row surely was not written; after a lost connection the sweeper decides
    if (isRefusal(error)) await store.remove(blobId);
    throw error;
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof Failure || (error as { code?: string }).code === '23503';
}

function existsAlready(key: string): Failure {
  return new Failure('conflict', `There is a file “${key}” already: send overwrite=true to replace it.`);
}

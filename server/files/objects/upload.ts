import type { UploadedFile } from '@platen/contract/objects';
import type { BucketPath } from '../buckets/operations.ts';
import type { Context } from '../../base/context.ts';
import { Failure } from '../../base/failure.ts';
import { failureOf, problemOf } from '../../http/problem.ts';
import type { Caller } from '../../base/caller.ts';
import { reserveQuota, type QuotaReservation } from '../usage/quota-reservation.ts';
import { existsAlready, ingest } from './ingest.ts';
import { keyOf } from './key.ts';
import { findObject, type ObjectFile } from './store.ts';

// Maximum size of a form without its files.
const formBytes = 1024 * 1024;

/** One file on its way in. */
export interface IncomingFile {
  /** The key it is to have, as it was sent. */
  readonly name: string;
  readonly body: AsyncIterable<Uint8Array>;
  /** Reads and discards the rest of the body, so that the next file can follow. */
  drain(): Promise<void>;
}

interface Upload extends BucketPath {
  readonly files: AsyncIterable<IncomingFile>;
  readonly overwrite: boolean;
  /** Size of the file as the form declares it, in bytes. */
  readonly declaredBytes: number | undefined;
  /** Aborts when the client disconnects: nothing more is stored and no response is sent. */
  readonly signal: AbortSignal;
  readonly requestId: string;
  readonly path: string;
}

/**
 * Stores the files one after the other; each is durable, row and bytes, before its status is recorded. A form that is
 * far larger than the remaining quota is rejected before it is read.
 * @returns the files if at least one failed, undefined if all were stored
 * @throws Failure the first file's if none was stored, `invalid` if the form has no file
 */
export async function uploadFiles(
  context: Context,
  caller: Caller,
  upload: Upload,
): Promise<UploadedFile[] | undefined> {
  const place = { projectId: upload.projectId, bucketId: upload.dataBucketId };
  const { declaredBytes: bytes = 0 } = upload;
  const reservation = await reserveQuota(context, place, {
    minBytes: Math.max(0, bytes - formBytes),
    maxBytes: bytes,
  });
  try {
    return await storeFiles(context, caller, upload, reservation);
  } finally {
    await reservation.release();
  }
}

async function storeFiles(
  context: Context,
  caller: Caller,
  upload: Upload,
  reservation: QuotaReservation,
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
        const { key } = await storeFile(context, caller, { ...upload, reservation }, file);
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
  {
    projectId,
    dataBucketId: bucketId,
    overwrite,
    signal,
    reservation,
  }: Upload & { reservation: QuotaReservation },
  file: IncomingFile,
): Promise<ObjectFile> {
  const key = keyOf(file.name, 'file');
  if (!overwrite && (await findObject(context.db, bucketId, key))) throw existsAlready(key);
  const path = { projectId, bucketId, key };
  return ingest(context, { ...path, by: caller.userId, overwrite, body: file.body, signal, reservation });
}

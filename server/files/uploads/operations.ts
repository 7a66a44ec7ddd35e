import { sql } from 'kysely';
import type { UnfinishedUpload, UnfinishedUploadListQuery } from '@platen/contract/uploads';
import type { Page } from '@platen/contract/schema';
import { StorageFailure } from '@platen/storage/object-store';
import type { BucketPath } from '../buckets/operations.ts';
import type { Context } from '../../base/context.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { Failure, notFound } from '../../base/failure.ts';
import type { Caller } from '../../base/caller.ts';
import { newId } from '../../base/ids.ts';
import { existsAlready } from '../objects/ingest.ts';
import { findObject } from '../objects/store.ts';
import { requireFileSize } from '../usage/refusal.ts';
import { reserve } from '../usage/reserve.ts';
import { arrivedOf, dropWhereFull, dropUpload, finishUpload } from './finish.ts';
import type { UploadMetadata } from './metadata.ts';
import { receive, type Chunk } from './receive.ts';
import { type BucketUploadRow, deleteUpload, findUnfinished, insertUpload, type UploadRow } from './store.ts';
import { takeTurn, type Turn } from './turn.ts';

/** The progress of an upload. */
export interface UploadState {
  readonly id: string;
  /** Number of durable bytes. */
  readonly offset: number;
  /** In bytes; undefined until the client sends it. */
  readonly length: number | undefined;
  readonly metadata: string;
  readonly expires: Date;
}

interface NewUpload extends BucketPath {
  readonly length: number | undefined;
  readonly metadata: UploadMetadata;
  /** The first bytes, where they come along. */
  readonly piece: Chunk | undefined;
  readonly signal: AbortSignal;
}

export interface UploadPath extends BucketPath {
  readonly uploadId: string;
}

/**
 * Begins an upload, and sets its size aside of the project's quota. An empty one is a file at once.
 * @throws Failure `conflict` when the key is taken, `storage_full`, `too_large`
 */
export async function beginUpload(context: Context, caller: Caller, upload: NewUpload): Promise<UploadState> {
  const { db, now, settings } = context;
  const { projectId, dataBucketId: bucketId, length, piece } = upload;
  const { key, overwrite, header: metadata } = upload.metadata;
  requireFileSize(length ?? 0, settings.maxFileBytes);
  if (!overwrite && (await findObject(db, bucketId, key))) throw existsAlready(key);
  const at = now();
  const expires = new Date(at.getTime() + settings.uploadLifetimeMs);
  const [id, place] = [newId(at), { projectId, bucketId }];
  const draftId = newId(at);
  await inTransaction(db, async (tx) => {
    const row = {
      id,
      projectId,
      owner: { bucketId, userId: caller.userId },
      key,
      length,
      overwrite,
      metadata,
      draftId,
      now: at,
      expires,
    };
    await insertUpload(tx, row);
    const amount = { bytes: length ?? 0, objects: 1 };
    const account = { id, ...place, uploadId: id };
    await reserve({ ...context, db: tx }, account, { need: amount, want: amount });
  });
  await beginDraft(context, id, draftId);
  const state = { id, offset: 0, length, metadata, expires };
  if (length !== 0 && !piece) return state;
  const path = { projectId, dataBucketId: bucketId, uploadId: id };
  return appendToUpload(context, caller, { ...path, offset: 0, piece, signal: upload.signal });
}

/** Its row comes first, as drafts without one are swept. */
export async function beginDraft({ db, store }: Context, id: string, draftId: string): Promise<void> {
  try {
    await store.drafts.begin(draftId);
  } catch (error) {
    await deleteUpload(db, id);
    throw error;
  }
}

/**
 * The offset from which the client can resume. A request that is still writing is ended, so that the offset stays
 * true. If all bytes are stored but no file was created, it is created now.
 */
export function askUpload(
  context: Context,
  caller: Caller,
  { signal, ...path }: UploadPath & { signal: AbortSignal },
): Promise<UploadState> {
  return inTurn(context, caller, { ...path, signal }, async ({ upload }, arrived) => {
    if (arrived === upload.length && !upload.finished_at) await finishUpload(context, upload);
    return { upload, offset: arrived };
  });
}

interface Append extends UploadPath {
  readonly offset: number;
  /** Given if it was not known before. */
  readonly length?: number | undefined;
  readonly piece: Chunk | undefined;
  readonly signal: AbortSignal;
}

/** Stores the next piece; with the last one the upload becomes a file. */
export function appendToUpload(
  context: Context,
  caller: Caller,
  { offset, length, piece, signal, ...path }: Append,
): Promise<UploadState> {
  return inTurn(context, caller, { ...path, signal }, async (turn, arrived) => {
    if (offset !== arrived) throw offsetConflict(arrived);
    const received = await receive(context, { ...turn, arrived, length, piece, client: signal });
    const { upload } = received;
    if (received.offset === upload.length && !upload.finished_at) await finishUpload(context, upload);
    return received;
  });
}

/** Gives an upload up; of one that has become a file, the file stays. */
export async function removeUpload(
  context: Context,
  caller: Caller,
  { signal, ...path }: UploadPath & { signal: AbortSignal },
): Promise<void> {
  const turn = await takeTurn(context, selectUpload(caller, path), signal);
  await dropUpload(context, turn.upload).finally(() => turn.end());
}

export function listUploads(
  { db, now }: Context,
  caller: Caller,
  { dataBucketId: bucketId }: BucketPath,
  query: UnfinishedUploadListQuery,
): Promise<Page<UnfinishedUpload>> {
  return findUnfinished(db, { bucketId, userId: caller.userId, now: now() }, query);
}

type Work = (turn: Turn<BucketUploadRow>, arrived: number) => Promise<{ upload: UploadRow; offset: number }>;

/** Runs a function that needs the exact offset and must be the only writer. */
async function inTurn(
  context: Context,
  caller: Caller,
  { signal, ...path }: UploadPath & { signal: AbortSignal },
  work: Work,
): Promise<UploadState> {
  const turn = await takeTurn<BucketUploadRow>(context, selectUpload(caller, path), signal);
  let arrived: number | undefined;
  try {
    arrived = await arrivedOf(context, turn.upload);
    if (arrived === undefined) throw await failureOfMissing(context, turn.upload);
    const { upload, offset } = await work(turn, arrived);
    arrived = offset;
    return stateOf(upload, offset);
  } catch (error) {
    await dropWhereFull(context, turn.upload, error);
    throw error instanceof StorageFailure && error.code === 'conflict' ? offsetConflict(undefined) : error;
  } finally {
    await turn.end(arrived);
  }
}

/** Only the user who began an upload may go on with it. */
function selectUpload({ userId }: Caller, { dataBucketId, uploadId }: UploadPath) {
  return sql`id = ${uploadId} and bucket_id = ${dataBucketId} and user_id = ${userId}`;
}

async function failureOfMissing(context: Context, upload: UploadRow): Promise<Failure> {
  await deleteUpload(context.db, upload.id);
  return notFound('upload');
}

function offsetConflict(arrived: number | undefined): Failure {
  const where = arrived === undefined ? 'elsewhere by now' : `at byte ${arrived}`;
  return new Failure(
    'conflict',
    `Upload-Offset: The upload is ${where}. Send HEAD for the offset to resume at.`,
  );
}

function stateOf({ id, length, metadata, expires_at: expires }: UploadRow, offset: number): UploadState {
  return { id, offset, length: length ?? undefined, metadata, expires };
}

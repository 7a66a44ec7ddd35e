import { StorageFailure } from '@platen/storage/object-store';
import type { Context } from '../../base/context.ts';
import { Failure } from '../../base/failure.ts';
import { findReferenced } from '../objects/blobs.ts';
import { isRefusal, register } from '../objects/ingest.ts';
import { endReservation } from '../usage/reserve.ts';
import { type BucketUploadRow, deleteHeld, deleteUpload, markFinished, type UploadRow } from './store.ts';
import { superseded } from './turn.ts';

/**
 * The number of durable bytes; undefined if they are lost. All bytes, if the draft became an object just before the
 * process died.
 */
export async function arrivedOf({ store }: Context, upload: UploadRow): Promise<number | undefined> {
  if (upload.finished_at) return upload.length!;
  return (await store.drafts.offset(upload.draft_id)) ?? (await store.head(upload.draft_id))?.size;
}

/**
 * Makes the file of an upload that is whole. Where it is refused, as another has its key by now, nothing of it stays.
 * @throws Failure as `register` does, and `conflict` when the turn is another's by now
 */
export async function finishUpload(context: Context, upload: BucketUploadRow): Promise<void> {
  const {
    id,
    project_id: projectId,
    bucket_id: bucketId,
    key,
    overwrite,
    user_id: by,
    draft_id: blobId,
  } = upload;
  const { size, sha256 } = await context.store.drafts.finish(blobId);
  const arrival = { projectId, bucketId, key, by, overwrite };
  try {
    await register(context, arrival, { blobId, size, sha256 }, async (tx) => {
      if (!(await markFinished(tx, upload, context.now()))) throw superseded();
      await endReservation(tx, id);
    });
  } catch (error) {
    if (isRefusal(error)) await dropRefused(context, upload);
    throw error;
  }
}

/** Drops the bytes, unless another request has resumed the upload or made a file of it. */
async function dropRefused({ db, store }: Context, upload: UploadRow): Promise<void> {
  await deleteHeld(db, upload);
  const { draft_id: blobId } = upload;
  if (!(await findReferenced(db, [blobId])).has(blobId)) await store.remove(blobId);
}

/** A full store, or a used up quota, is not kept full by what cannot become a file. */
export async function dropWhereFull(context: Context, upload: UploadRow, error: unknown): Promise<void> {
  const isFull = error instanceof StorageFailure ? error.code === 'full' : isStorageFull(error);
  if (isFull) await dropUpload(context, upload);
}

const isStorageFull = (error: unknown) => error instanceof Failure && error.code === 'storage_full';

/** The row first: bytes without one are for the sweeper. */
export async function dropUpload({ db, store }: Context, upload: UploadRow): Promise<void> {
  await deleteUpload(db, upload.id);
  if (!upload.finished_at) await store.drafts.drop(upload.draft_id);
}

import { collectBytes } from '../../base/collect-bytes.ts';
import { maxPictureBytes, type AppPicture } from '@platen/contract/app-page';
import type { Deleted } from '@platen/contract/schema';
import { lockApp } from '../store.ts';
import type { Context } from '../../base/context.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { notify } from '../../base/database/notifications.ts';
import { Failure, notFound } from '../../base/failure.ts';
import type { Caller } from '../../base/caller.ts';
import { newId } from '../../base/ids.ts';
import { keepBlob } from '../../files/objects/blobs.ts';
import type { Sendable } from '../../files/objects/download.ts';
import { reserveQuota, type QuotaReservation } from '../../files/usage/quota-reservation.ts';
import { pictureFormat, type PictureFormat } from './picture-format.ts';
import { dropPicture, findPicture, insertPicture } from './store.ts';

const maxSide = 4096;

interface AppPath {
  readonly projectId: string;
  readonly appId: string;
}

interface Incoming extends AppPath {
  readonly body: AsyncIterable<Uint8Array>;
  /** Content-Length of the request; undefined if it is sent in chunks. */
  readonly bytes: number | undefined;
  readonly signal: AbortSignal;
}

export async function getPicture({ db }: Context, { appId }: AppPath): Promise<Sendable> {
  const picture = await findPicture(db, appId);
  if (!picture) throw notFound('picture of this app');
  const ending = picture.contentType.slice('image/'.length).replace('jpeg', 'jpg');
  return { ...picture, key: `picture.${ending}`, updatedAt: picture.createdAt };
}

/**
 * Replaces the picture of the app. @throws Failure `too_large`, `unprocessable` if it is not an image, `storage_full`
 */
export async function setPicture(
  context: Context,
  caller: Caller,
  { body, bytes: declared, signal, ...where }: Incoming,
): Promise<AppPicture> {
  if (declared !== undefined && declared > maxPictureBytes) throw tooLarge();
  const bytes = await collectBytes(body, maxPictureBytes, tooLarge);
  const format = requirePicture(bytes);
  const amount = { minBytes: bytes.length, maxBytes: bytes.length };
  const reservation = await reserveQuota(context, { projectId: where.projectId }, amount);
  try {
    return await storePicture(context, caller, { ...where, bytes, format, reservation, signal });
  } finally {
    await reservation.release();
  }
}

interface Picture extends AppPath {
  readonly bytes: Buffer;
  readonly format: PictureFormat;
  readonly reservation: QuotaReservation;
  readonly signal: AbortSignal;
}

/** Stores the bytes before the row. The clean-up removes a blob whose row was not written. */
async function storePicture(
  { db, store, now }: Context,
  { userId }: Caller,
  { projectId, appId, bytes, format, reservation, signal }: Picture,
): Promise<AppPicture> {
  await reservation.reserveFile();
  const at = now();
  const id = newId(at);
  const { size, sha256 } = await store.put(id, reservation.meter(oneChunk(bytes)), { signal });
  try {
    const kept = await inTransaction(db, async (tx) => {
      if (!(await lockApp(tx, projectId, appId))) throw notFound('app');
      await reservation.commit(tx, size);
      await dropPicture(tx, appId); // before its blob may be found equal to the new one
      const blobId = await keepBlob(tx, { id, projectId, size, sha256, now: at });
      await insertPicture(tx, {
        project_id: projectId,
        app_id: appId,
        blob_id: blobId,
        size,
        sha256: Buffer.from(sha256, 'hex'),
        content_type: format.contentType,
        width: format.width,
        height: format.height,
        created_at: at,
        created_by: userId,
      });
      await notify(tx, 'accessChanged');
      return blobId;
    });
    if (kept !== id) await store.remove(id);
  } catch (error) {
    if (error instanceof Failure) await store.remove(id);
    throw error;
  }
  return { ...format, size, sha256, createdAt: at.toISOString(), createdBy: userId };
}

export async function removePicture({ db }: Context, { projectId, appId }: AppPath): Promise<Deleted> {
  const numberOfDeletedItems = await inTransaction(db, async (tx) => {
    if (!(await lockApp(tx, projectId, appId))) throw notFound('app');
    const count = await dropPicture(tx, appId);
    await notify(tx, 'accessChanged');
    return count;
  });
  return { numberOfDeletedItems };
}

function requirePicture(bytes: Buffer): PictureFormat {
  const format = pictureFormat(bytes);
  if (!format)
    throw new Failure(
      'unprocessable',
      'The file is not a PNG, JPEG or WebP image, or it is truncated. Send the original file.',
    );
  const { width, height } = format;
  if (width >= 1 && height >= 1 && width <= maxSide && height <= maxSide) return format;
  const text = `The picture has ${width} × ${height} pixels. Each side must have 1 to ${maxSide} pixels.`;
  throw new Failure('unprocessable', text);
}

async function* oneChunk(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const tooLarge = () =>
  new Failure('too_large', `A picture must not exceed ${maxPictureBytes / 2 ** 20} MiB.`);

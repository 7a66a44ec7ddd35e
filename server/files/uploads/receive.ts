import type { Context } from '../../base/context.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { Failure } from '../../base/failure.ts';
import { requireFileSize } from '../usage/refusal.ts';
import { reserve, releasePart } from '../usage/reserve.ts';
import { reservationOfUpload } from '../usage/quota-reservation.ts';
import { findReserved } from '../usage/store.ts';
import { setLength, type UploadRow } from './store.ts';
import type { Turn } from './turn.ts';

/** Bytes that a request brings. */
export interface Chunk {
  readonly body: AsyncIterable<Uint8Array>;
  /** Content-Length of the request; undefined if it is sent in chunks. */
  readonly bytes: number | undefined;
}

interface Reception<Row extends UploadRow> extends Turn<Row> {
  /** Number of stored bytes: the offset of this chunk. */
  readonly arrived: number;
  /** Length of the whole upload, if the client sends it only now. */
  readonly length: number | undefined;
  readonly piece: Chunk | undefined;
  /** Aborts when the client goes. */
  readonly client: AbortSignal;
}

/**
 * Stores a piece. What does not fit the length, or the quota, is refused before it gets to the store.
 * @throws Failure `too_large`, `storage_full`, and `invalid` for a second, different length
 */
export async function receive<Row extends UploadRow>(
  context: Context,
  { upload: before, arrived, length, piece, client, signal }: Reception<Row>,
): Promise<{ upload: Row; offset: number }> {
  const upload = length === undefined ? before : await learnLength(context, before, { length, arrived });
  requireWithin(upload, arrived + (piece?.bytes ?? 0));
  if (!piece || upload.finished_at) return { upload, offset: arrived };
  const { drafts } = context.store;
  const body = await measured(context, upload, { body: piece.body, arrived });
  const either = AbortSignal.any([client, signal]);
  return { upload, offset: await drafts.append(upload.draft_id, arrived, body, { signal: either }) };
}

/** Records the length, which a client may send once with any request, and adjusts the reservation to it. */
async function learnLength<Row extends UploadRow>(
  context: Context,
  upload: Row,
  { length, arrived }: { length: number; arrived: number },
): Promise<Row> {
  if (upload.length === length) return upload;
  if (upload.length !== null || length < arrived) {
    throw new Failure(
      'invalid',
      `Upload-Length: The upload has ${upload.length ?? `${arrived} bytes and more`}.`,
    );
  }
  requireFileSize(length, context.settings.maxFileBytes);
  await inTransaction(context.db, async (tx) => {
    const { bytes } = await findReserved(tx, upload.id);
    const more = { bytes: Math.max(0, length - bytes), objects: 0 };
    await reserve({ ...context, db: tx }, accountOf(upload), { need: more, want: more });
    await releasePart(tx, upload.id, { bytes: Math.max(0, bytes - length), objects: 0 });
    await setLength(tx, upload.id, length);
  });
  return { ...upload, length };
}

/** Uploads of a known length have reserved it; others reserve more while bytes arrive. */
async function measured(
  context: Context,
  upload: UploadRow,
  { body, arrived }: { body: AsyncIterable<Uint8Array>; arrived: number },
): Promise<AsyncIterable<Uint8Array>> {
  if (upload.length !== null) return within(upload, body, arrived);
  const set = await findReserved(context.db, upload.id);
  return reservationOfUpload(context, accountOf(upload), set, arrived).meter(body);
}

/** Whatever the request declares: chunks that lead beyond the length never get to the store. */
async function* within(upload: UploadRow, body: AsyncIterable<Uint8Array>, arrived: number) {
  let end = arrived;
  for await (const chunk of body) {
    end += chunk.byteLength;
    requireWithin(upload, end);
    yield chunk;
  }
}

function requireWithin({ length }: UploadRow, end: number): void {
  if (length === null || end <= length) return;
  throw new Failure('too_large', `This is more than the ${length} bytes that Upload-Length has declared.`);
}

function accountOf({ id, project_id: projectId, bucket_id: bucketId }: UploadRow) {
  return { id, projectId, ...(bucketId !== null && { bucketId }), uploadId: id };
}

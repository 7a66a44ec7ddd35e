import { StorageFailure } from '@platen/storage/object-store';
import { sql } from 'kysely';
import type { Caller } from '../../base/caller.ts';
import type { Context } from '../../base/context.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { Failure, invalidAt } from '../../base/failure.ts';
import { newId } from '../../base/ids.ts';
import { keyOf } from '../../files/objects/key.ts';
import { arrivedOf, dropWhereFull, dropUpload } from '../../files/uploads/finish.ts';
import { beginDraft } from '../../files/uploads/operations.ts';
import { receive, type Chunk } from '../../files/uploads/receive.ts';
import { deleteHeld, deleteUploadsOf, insertUpload, type UploadRow } from '../../files/uploads/store.ts';
import { superseded, takeTurn, type Turn } from '../../files/uploads/turn.ts';
import { requireFileSize } from '../../files/usage/refusal.ts';
import { holdForJob, reserve } from '../../files/usage/reserve.ts';
import { fenceOf } from '../runners/authorise-runner.ts';
import type { Fence } from './fence.ts';
import { leaseLost, lockHeld } from './lease.ts';
import { dropOutput, findOutputSize, registerOutput } from './outputs.ts';

interface OutputSelector {
  readonly key: string;
  readonly signal: AbortSignal;
}

interface OutputPart extends OutputSelector {
  /** Of the whole file, in bytes. */
  readonly size: number;
  /** Number of bytes that have arrived before. */
  readonly offset: number;
  readonly piece: Chunk;
}

/**
 * Stores a large output, or what comes after an interruption. With its last byte it becomes an output of the job.
 * @returns the number of durable bytes
 * @throws Failure `unavailable` for any other offset, `storage_full`, `too_large`, `conflict` when the job is no longer held
 */
export async function takeOutputPart(
  context: Context,
  caller: Caller,
  { key: raw, size, offset, piece, signal }: OutputPart,
): Promise<{ offset: number }> {
  const fence = fenceOf(caller);
  const key = keyOf(raw, 'key');
  if (offset === 0) await beginOutput(context, fence, { key, size });
  const end = await inTurn(context, fence, { key, signal }, async (turn, arrived) => {
    const { upload } = turn;
    if (upload.length !== size) throw invalidAt('size', `This output began with ${upload.length} bytes.`);
    if (offset !== arrived) throw outOfStep(arrived);
    return (await receive(context, { ...turn, arrived, length: size, piece, client: signal })).offset;
  });
  if (end === undefined) throw outOfStep(0);
  return { offset: end };
}

/** Where to resume an output. A request that still writes to it is ended, so that the offset stays true. */
export async function findOutputOffset(
  context: Context,
  caller: Caller,
  { key: raw, signal }: OutputSelector,
): Promise<{ offset: number }> {
  const fence = fenceOf(caller);
  const key = keyOf(raw, 'key');
  if (!(await lockHeld(context.db, fence))) throw leaseLost();
  const arrived = await inTurn(context, fence, { key, signal }, async (_turn, offset) => offset);
  return { offset: arrived ?? (await findOutputSize(context.db, fence, key)) ?? 0 };
}

/** Sets the whole size aside of the quota. What arrived before under this key goes. */
async function beginOutput(
  context: Context,
  fence: Fence,
  { key, size }: { key: string; size: number },
): Promise<void> {
  const { db, now, settings, store } = context;
  requireFileSize(size, settings.maxFileBytes);
  const at = now();
  const [id, draftId] = [newId(at), newId(at)];
  const former = await inTransaction(db, async (tx) => {
    const job = await lockHeld(tx, fence);
    if (!job) throw leaseLost();
    const { project_id: projectId } = job;
    const drafts = await deleteUploadsOf(tx, fence, key);
    await dropOutput(tx, fence, key);
    await insertUpload(tx, {
      id,
      projectId,
      owner: fence,
      key,
      length: size,
      overwrite: true,
      metadata: '',
      draftId,
      now: at,
      expires: new Date(at.getTime() + settings.uploadLifetimeMs),
    });
    const amount = { bytes: size, objects: 1 };
    await reserve({ ...context, db: tx }, { id, projectId, uploadId: id }, { need: amount, want: amount });
    return drafts;
  });
  for (const one of former) await store.drafts.drop(one);
  await beginDraft(context, id, draftId);
}

/**
 * Runs a function that needs the exact offset and must be the only writer.
 * @returns the new offset; undefined if nothing of this output has arrived, or all of it
 */
async function inTurn(
  context: Context,
  fence: Fence,
  { key, signal }: OutputSelector,
  work: (turn: Turn, arrived: number) => Promise<number>,
): Promise<number | undefined> {
  const turn = await takeTurn(context, uploadOf(fence, key), signal).catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'not_found') return undefined;
    throw error;
  });
  if (!turn) return undefined;
  const { upload } = turn;
  let arrived: number | undefined;
  try {
    arrived = await arrivedOf(context, upload);
    if (arrived === undefined) {
      await dropUpload(context, upload);
      return undefined;
    }
    arrived = await work(turn, arrived);
    if (arrived === upload.length) await finishOutput(context, fence, upload);
    return arrived;
  } catch (error) {
    await dropWhereFull(context, upload, error);
    throw error instanceof StorageFailure && error.code === 'conflict' ? outOfStep(undefined) : error;
  } finally {
    await turn.end(arrived);
  }
}

const uploadOf = ({ jobId, attempt }: Fence, key: string) =>
  sql`job_id = ${jobId} and attempt = ${attempt} and key = ${key}`;

async function finishOutput(context: Context, fence: Fence, upload: UploadRow): Promise<void> {
  const { key, draft_id: ownId } = upload;
  const stored = await context.store.drafts.finish(ownId);
  await registerOutput(context, fence, {
    key,
    ownId,
    ...stored,
    async settle(tx, { id: jobId, project_id: projectId }) {
      if (!(await deleteHeld(tx, upload))) throw superseded();
      await holdForJob(tx, { projectId, jobId }, { bytes: stored.size, objects: 1 });
    },
  });
}

/** The runner asks again for all that is unavailable. */
function outOfStep(arrived: number | undefined): Failure {
  const where = arrived === undefined ? 'Another number of' : arrived;
  const detail = `offset: ${where} bytes of this output have arrived. Ask for their number, and send those that come after them.`;
  return new Failure('unavailable', detail, { retryAfterSeconds: 1 });
}

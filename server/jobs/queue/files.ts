import type { Readable } from 'node:stream';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { Failure, invalidAt, notFound } from '../../base/failure.ts';
import type { Caller } from '../../base/caller.ts';
import { newId } from '../../base/ids.ts';
import { inputsOfJob } from '../types/job-inputs.ts';
import { findInput, type FoundInput } from '../types/references.ts';
import { keepBlob } from '../../files/objects/blobs.ts';
import { contentTypeOf } from '../../files/objects/content-type.ts';
import { keyOf, usableKey } from '../../files/objects/key.ts';
import { findFilesAfter, findObject, type ObjectFile } from '../../files/objects/store.ts';
import { releaseOfJob } from '../../files/usage/reserve.ts';
import { openRoom, type Room } from '../../files/usage/room.ts';
import { addOutput } from './add-output.ts';
import { fenceOf, runnerOf } from './authorise-runner.ts';
import { dropOutput } from './drop-outputs.ts';
import type { Fence } from './fence.ts';
import { lockHeld } from './lock-held.ts';
import { lost } from './lost.ts';

const membersAtOnce = 1000;

interface Opened {
  readonly stream: Readable;
  /** In bytes. */
  readonly size: number;
}

interface Wanted {
  readonly index: string;
  /** Of a folder: which file of it. */
  readonly member?: string;
}

interface Stretch extends Wanted {
  readonly offset: number;
  /** To the end where it is absent. */
  readonly length?: number;
  /** Of the content that was begun with. */
  readonly sha256?: string;
}

/** The bytes of an input file, or of one member of a folder. */
export async function openInput(
  context: Context,
  caller: Caller,
  { index, member, offset, length = Infinity, sha256 }: Stretch,
): Promise<Opened> {
  const input = await inputOf(context, caller, index);
  const file = await fileOf(context, input, member);
  if (sha256 !== undefined && sha256 !== file?.sha256) throw changed(member ?? input.name);
  if (!file) throw notFound('member of this input');
  const wanted = Math.max(0, Math.min(length, file.size - offset));
  const stream = await context.store.stream(file.blobId, {
    offset: Math.min(offset, file.size),
    length: wanted,
  });
  if (!stream) throw new Failure('unusable_reference', `The bytes of “${input.name}” have just gone.`);
  return { stream, size: wanted };
}

const changed = (name: string) =>
  new Failure('unusable_reference', `“${name}” was changed while it was read: start again.`);

interface Place {
  readonly size: number;
  readonly sha256: string;
  readonly path?: string;
}

/** How large a file is, and to a runner that shares the disk where it lies. */
export async function findPlace(
  context: Context,
  caller: Caller,
  { index, member }: Wanted,
): Promise<{ file?: Place }> {
  const input = await inputOf(context, caller, index);
  const file = await fileOf(context, input, member);
  if (!file) return {};
  const { size, sha256, blobId } = file;
  const path = (await isEmbedded(context.db, caller)) ? context.store.localPath?.(blobId) : undefined;
  return { file: { size, sha256, ...(path !== undefined && { path }) } };
}

/** Only a runner that this service started itself: others could be anywhere, and have no business on its disk. */
async function isEmbedded(db: Db, caller: Caller): Promise<boolean> {
  const runner = await db
    .selectFrom('runner')
    .select('is_embedded')
    .where('id', '=', runnerOf(caller).runnerId)
    .executeTakeFirst();
  return runner?.is_embedded === true;
}

/** Up to 1000 files of a folder, by their names relative to it. */
export async function listMembers(
  context: Context,
  caller: Caller,
  { index, after }: { index: string; after: string },
): Promise<{ members: { name: string; size: number; sha256: string }[] }> {
  const { file, bucketId, key } = await inputOf(context, caller, index);
  if (file) throw invalidAt('index', 'This input is a file, not a folder.');
  const page = { prefix: key, after: key + after, limit: membersAtOnce };
  const files = await findFilesAfter(context.db, bucketId, page);
  return {
    members: files.map((one) => ({ name: one.key.slice(key.length), size: one.size, sha256: one.sha256 })),
  };
}

/** Asked for at every file of a folder: so the other inputs, and what the folder holds, are not looked at. */
async function inputOf({ db }: Context, caller: Caller, index: string): Promise<FoundInput> {
  const { jobId } = fenceOf(caller);
  const job = await db
    .selectFrom('job')
    .select(['project_id', 'task_id', 'job_type', 'parameters'])
    .where('id', '=', jobId)
    .executeTakeFirst();
  if (!job) throw lost();
  const inputs = inputsOfJob(job);
  const source = /^\d{1,4}$/.test(index) ? inputs[Number(index)] : undefined;
  if (!source) throw notFound('input of this job');
  return findInput({ db, projectId: job.project_id }, source);
}

async function fileOf(
  { db }: Context,
  { file, bucketId, key }: FoundInput,
  member: string | undefined,
): Promise<Pick<ObjectFile, 'blobId' | 'size' | 'sha256'> | undefined> {
  if (file) {
    if (member !== undefined) throw invalidAt('member', 'This input is a file, not a folder.');
    return file;
  }
  const memberKey = member === undefined ? undefined : usableKey(key + member);
  if (memberKey === undefined) throw invalidAt('member', 'Name a member of this folder.');
  return findObject(db, bucketId, memberKey);
}

interface Output {
  readonly key: string;
  readonly body: AsyncIterable<Uint8Array>;
  /** As the runner declares it; undefined: it comes in chunks. */
  readonly bytes?: number | undefined;
  readonly signal: AbortSignal;
}

/** Bytes first, then the row; a blob whose row was not written is for the sweeper. */
export async function takeOutput(
  context: Context,
  caller: Caller,
  { key: raw, ...incoming }: Output,
): Promise<{ size: number; sha256: string }> {
  const { db } = context;
  const fence = fenceOf(caller);
  const key = keyOf(raw, 'key');
  const job = await lockHeld(db, fence);
  if (!job) throw lost();
  await dropOutput(db, fence, key);
  const { bytes = 0 } = incoming;
  const place = { projectId: job.project_id, jobId: job.id };
  const room = await openRoom(context, place, { atLeast: bytes, atMost: bytes });
  try {
    return await storeOutput(context, fence, { key, room, ...incoming });
  } finally {
    await room.end();
  }
}

async function storeOutput(
  { db, store, now }: Context,
  fence: Fence,
  { key, room, body, signal }: Output & { room: Room },
): Promise<{ size: number; sha256: string }> {
  await room.begin();
  const ownId = newId(now());
  const { size, sha256 } = await store.put(ownId, room.measure(body), { signal });
  const blobId = await inTransaction(db, async (tx) => {
    const job = await lockHeld(tx, fence);
    if (!job) return undefined;
    const blob = { id: ownId, projectId: job.project_id, size, sha256, now: now() };
    const id = await keepBlob(tx, blob);
    await room.spend(tx, size);
    const output = { key, blobId: id, size, sha256, contentType: contentTypeOf(key), now: now() };
    const added = await addOutput(tx, fence, output);
    if (added?.replaced != null) await releaseOfJob(tx, fence.jobId, added.replaced);
    return added && id;
  });
  if (blobId !== ownId) await store.remove(ownId);
  if (blobId === undefined) throw lost();
  return { size, sha256 };
}
